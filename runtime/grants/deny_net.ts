/**
 * The addresses that stay closed to a tool, whatever name leads there.
 * @module
 */
import { hasNames } from "../../core/host_names.ts";
import type { CeilingLists } from "./ceilings.ts";
import { formatIPv4, inRange, type IPv4Range, NEAR_IPV4, parseIPv4 } from "./ip_address.ts";
import { formatNetEntry, isNear, type NetEntry } from "./net_entry.ts";

// Deno takes no ranges of IPv6 (measured on Deno 2.9.6); no name has an IPv6 answer in a cell.
const NEAR_IPV6: readonly string[] = ["[::1]", "[::]", "[fd00:ec2::254]"];

/**
 * Loopback, private and link-local addresses as `--deny-net` takes them. Deno looks after the name is resolved and
 * on every redirect.
 */
export const DENY_NET: readonly string[] = Object.freeze([
  ...NEAR_IPV4.map(formatRange),
  ...NEAR_IPV6,
]);

/** What stays closed to a tool. */
export interface ClosedAddresses {
  /** Entries for `--deny-net`. */
  readonly denyNet: readonly string[];
  /** Why the grants cannot be had together, in sentences. */
  readonly refused: readonly string[];
}

/**
 * Works out what stays closed to a tool: what the operator denies, and everything that is not public but the very
 * addresses and ports that it was granted. A denial beats a grant in Deno, so that a granted address is left out of
 * the denials; its other ports are denied one by one, as far as a name that the tool was granted could lead there.
 *
 * @param granted What the tool was granted, addresses that are not public included.
 * @param lists The ceilings for addresses.
 * @returns What stays closed.
 */
export function closedAddresses(
  granted: readonly NetEntry[],
  lists: Pick<CeilingLists<NetEntry>, "deny">,
): ClosedAddresses {
  const near = granted.filter(isNear);
  const names = granted.filter((entry) => hasNames([entry.host]) && !isNear(entry));
  const opened = Map.groupBy(
    near.flatMap(({ host, port }) => addressesOf(host).map((address) => ({ host: address, port }))),
    ({ host }) => host,
  );
  const byPort = near.find(({ port }) => port !== undefined);
  const wide = byPort ? names.filter(({ port }) => port === undefined) : [];
  const denyNet = [
    ...[...opened.keys()].reduce(without, DENY_NET),
    ...[...opened.values()].flatMap((entries) => otherPorts(entries, names)),
    ...lists.deny.flatMap(({ entries }) => entries).map(formatDenied),
  ];
  return {
    denyNet: [...new Set(denyNet)],
    refused: wide.map((name) =>
      `net "${formatNetEntry(name)}" needs a port beside "${formatNetEntry(byPort!)}": ` +
      "the other ports of that address must stay closed, and a name could lead to each of them"
    ),
  };
}

/** The addresses that a host on this machine or in a private network stands for. */
function addressesOf(host: string): readonly string[] {
  return hasNames([host]) ? ["127.0.0.1", "[::1]"] : [host];
}

function otherPorts(opened: readonly NetEntry[], names: readonly NetEntry[]): readonly string[] {
  if (opened.some(({ port }) => port === undefined)) return [];
  const { host } = opened[0]!;
  return names.map(({ port }) => port)
    .filter((port) => opened.every((entry) => entry.port !== port))
    .map((port) => formatNetEntry({ host, port }));
}

function without(list: readonly string[], host: string): readonly string[] {
  const hole = parseIPv4(host);
  if (hole === undefined) return list.filter((text) => text !== host);
  return list.flatMap((text) => {
    const [first, bits] = text.split("/");
    const base = parseIPv4(first!);
    if (base === undefined) return [text];
    return subtract([base, Number(bits ?? 32)], hole).map(formatRange);
  });
}

/** What is left of a range without an address: the sibling at each step down. */
function subtract([base, bits]: IPv4Range, hole: number): IPv4Range[] {
  if (!inRange(hole, base, bits)) return [[base, bits]];
  return Array.from({ length: 32 - bits }, (_, step): IPv4Range => {
    const shift = 31 - bits - step;
    return [(((hole >>> shift) ^ 1) << shift) >>> 0, bits + step + 1];
  });
}

function formatDenied(entry: NetEntry): string {
  return entry.bits === undefined ? formatNetEntry(entry) : `${entry.host}/${entry.bits}`;
}

function formatRange([base, bits]: IPv4Range): string {
  return bits === 32 ? formatIPv4(base) : `${formatIPv4(base)}/${bits}`;
}
