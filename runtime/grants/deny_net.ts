/**
 * The addresses that no tool reaches, whatever name leads there.
 * @module
 */
import { formatIPv4, inRange, parseIPv4 } from "./ip_address.ts";
import { type NetEntry, reachOfHost } from "./net_entry.ts";

/**
 * Loopback, private and link-local addresses as `--deny-net` takes them. Deno looks after the name is
 * resolved and on every redirect; ranges of IPv6 it does not take (measured on Deno 2.9.6), so a name that
 * resolves to fc00::/7 or fe80::/10 gets through.
 */
export const DENY_NET: readonly string[] = Object.freeze([
  "127.0.0.0/8",
  "0.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "100.64.0.0/10",
  "[::1]",
  "[::]",
  "[fd00:ec2::254]",
]);

type Range = readonly [base: number, bits: number];

/** What is left of a range without another one: the sibling at each step down. */
function subtract([base, bits]: Range, [hole, holeBits]: Range): Range[] {
  if (holeBits <= bits) return inRange(base, hole, holeBits) ? [] : [[base, bits]];
  if (!inRange(hole, base, bits)) return [[base, bits]];
  const rest: Range[] = [];
  for (let depth = bits + 1; depth <= holeBits; depth++) {
    const shift = 32 - depth;
    rest.push([(((hole >>> shift) ^ 1) << shift) >>> 0, depth]);
  }
  return rest;
}

function withoutRange(list: readonly string[], hole: Range): string[] {
  return list.flatMap((text) => {
    const [host, bits] = text.split("/");
    const base = parseIPv4(host!);
    if (base === undefined) return [text];
    return subtract([base, Number(bits ?? 32)], hole)
      .map(([start, length]) =>
        length === 32 ? formatIPv4(start) : `${formatIPv4(start)}/${length}`
      );
  });
}

function withoutEntry(list: readonly string[], { host, bits = 32 }: NetEntry): readonly string[] {
  const address = parseIPv4(host);
  if (address !== undefined) return withoutRange(list, [address, bits]);
  if (host.startsWith("[")) return list.filter((text) => text !== host);
  if (reachOfHost(host) !== "loopback") return list;
  return withoutRange(list, [parseIPv4("127.0.0.1")!, 32]).filter((text) => text !== "[::1]");
}

/**
 * The addresses to deny to a tool.
 *
 * @param words Entries that the operator allows by name; exactly these addresses are left open.
 * @returns Entries for `--deny-net`.
 */
export function denyNetFor(words: readonly NetEntry[]): readonly string[] {
  return words.reduce<readonly string[]>(withoutEntry, DENY_NET);
}
