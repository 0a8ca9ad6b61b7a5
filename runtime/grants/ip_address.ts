/**
 * IP addresses: reading their text and telling which of them are not public.
 * @module
 */

/** How near an address is: this machine, a network that is not public, or the internet. */
export type AddressReach = "loopback" | "private" | "public";

/** Addresses that begin with the same bits. */
export type IPv4Range = readonly [base: number, bits: number];

function v4(a: number, b = 0, c = 0, d = 0): number {
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

// 0.0.0.0 reaches loopback on Linux (measured on Deno 2.9.6).
const LOOPBACK_V4: readonly IPv4Range[] = [[v4(127), 8], [v4(0), 8]];
const PRIVATE_V4: readonly IPv4Range[] = [
  [v4(10), 8],
  [v4(100, 64), 10],
  [v4(169, 254), 16],
  [v4(172, 16), 12],
  [v4(192, 0, 0), 24],
  [v4(192, 168), 16],
  [v4(198, 18), 15],
  [v4(224), 3],
];

/** Every IPv4 address that is not public. */
export const NEAR_IPV4: readonly IPv4Range[] = Object.freeze([...LOOPBACK_V4, ...PRIVATE_V4]);

/**
 * Whether an address lies in a range.
 *
 * @param address The address as a number.
 * @param base The range's first address.
 * @param bits How many leading bits count.
 * @returns True when it lies inside.
 */
export function inRange(address: number, base: number, bits: number): boolean {
  return bits === 0 || (address >>> (32 - bits)) === (base >>> (32 - bits));
}

/**
 * Reads four decimal numbers with dots.
 *
 * @param text For example `10.0.0.1`.
 * @returns The address as a number, or `undefined` when the text is no such address.
 */
export function parseIPv4(text: string): number | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  const bytes = match?.slice(1).map(Number);
  if (!bytes || bytes.some((byte) => byte > 255)) return undefined;
  return v4(bytes[0]!, bytes[1], bytes[2], bytes[3]);
}

/**
 * Writes an IPv4 address.
 *
 * @param address The address as a number.
 * @returns Four decimal numbers with dots.
 */
export function formatIPv4(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
}

function reachOfIPv4(address: number): AddressReach {
  const inside = ([base, bits]: IPv4Range) => inRange(address, base, bits);
  if (LOOPBACK_V4.some(inside)) return "loopback";
  return PRIVATE_V4.some(inside) ? "private" : "public";
}

/** The eight groups of an address in the form that `URL` writes. */
function groupsOf(text: string): number[] {
  const [head = "", tail] = text.split("::");
  const read = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => parseInt(group, 16));
  const left = read(head);
  const right = tail === undefined ? [] : read(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** The IPv4 address in the last four bytes. */
function lastIPv4(groups: readonly number[]): number {
  return v4(groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255);
}

/** The IPv4 address inside a mapped or compatible address. */
function embeddedIPv4(groups: readonly number[]): number | undefined {
  const leading = groups.slice(0, 5).every((group) => group === 0);
  return leading && (groups[5] === 0xffff || groups[5] === 0) ? lastIPv4(groups) : undefined;
}

function reachOfIPv6(groups: readonly number[]): AddressReach {
  const embedded = embeddedIPv4(groups);
  if (embedded !== undefined) {
    // "::1" and "::" read as 0.0.0.1 and 0.0.0.0, which count as loopback too.
    return reachOfIPv4(embedded) === "loopback" ? "loopback" : "private";
  }
  // 64:ff9b::/96: what a network without IPv4 makes of an IPv4 address.
  if (groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((g) => g === 0)) {
    return reachOfIPv4(lastIPv4(groups));
  }
  const [first, second] = [groups[0]!, groups[1]!];
  // Only 2000::/3 is routed; inside it 2001::/23, 2001:db8::/32, 2002::/16 and 3fff::/20 are not hosts of
  // the internet or carry an IPv4 address.
  const global = (first & 0xe000) === 0x2000;
  const special = first === 0x2002 || (first === 0x2001 && (second < 0x200 || second === 0xdb8)) ||
    (first === 0x3fff && second < 0x1000);
  return global && !special ? "public" : "private";
}

/**
 * How near an address literal is.
 *
 * @param host A host in the form that `URL` writes: `10.0.0.1`, `[::1]`.
 * @returns The reach, or `undefined` when the host is a name.
 */
export function reachOfAddress(host: string): AddressReach | undefined {
  if (host.startsWith("[")) return reachOfIPv6(groupsOf(host.slice(1, -1)));
  const address = parseIPv4(host);
  return address === undefined ? undefined : reachOfIPv4(address);
}
