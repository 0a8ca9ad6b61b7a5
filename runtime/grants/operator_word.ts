/**
 * What a tool gets only when the operator names it.
 * @module
 */
import type { CeilingLists } from "./ceilings.ts";
import type { GrantKey } from "./kinds.ts";
import { coversHost, formatNetEntry, type NetEntry, reachOfHost } from "./net_entry.ts";
import { contains, systemRootOf } from "./paths.ts";

/**
 * Whether a path reaches the system's own folders without the operator's word. An entry of a ceiling is
 * the word when it lies in that folder, or is the very path; `/` does not name `/proc`.
 *
 * @param key The kind of permission, for the message.
 * @param path An absolute real path.
 * @param lists The ceilings of that kind.
 * @returns Why the path is refused, or `undefined`.
 */
export function needsPathWord(
  key: GrantKey,
  path: string,
  lists: CeilingLists<string>,
): string | undefined {
  const root = systemRootOf(path);
  const named = (word: string) =>
    word === path || (root !== undefined && contains(root, word) && contains(word, path));
  if (root === undefined || lists.allow.some((list) => list.entries.some(named))) return undefined;
  return `${key} "${path}" reaches "${root}", which needs the operator's word: ` +
    `an entry for it in an "allow" of the configuration's permissions`;
}

/**
 * Whether a host is this machine or a private network without the operator's word.
 *
 * @param entry The address.
 * @param lists The ceilings for addresses.
 * @returns Why the address is refused, or `undefined`.
 */
export function needsNetWord(entry: NetEntry, lists: CeilingLists<NetEntry>): string | undefined {
  const reach = reachOfHost(entry.host);
  if (reach === "public" || isNamed(entry.host, lists)) return undefined;
  const what = reach === "loopback" ? "this machine itself" : "an address that is not public";
  return `net "${formatNetEntry(entry)}" is ${what}, which needs the operator's word: ` +
    `an entry for it in an "allow.net" of the configuration's permissions`;
}

function isNamed(host: string, lists: CeilingLists<NetEntry>): boolean {
  return lists.allow.some((list) => list.entries.some((word) => coversHost(word, host)));
}
