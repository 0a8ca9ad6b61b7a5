/**
 * Addresses of grants and ceilings: `host[:port]`.
 * @module
 */
import { type AddressReach, inRange, NEAR_IPV4, parseIPv4, reachOfAddress } from "./ip_address.ts";

/** A host, or a range of IPv4 addresses in a ceiling, with an optional port. */
export interface NetEntry {
  /** The host in lower case without a trailing dot; the first address of a range. */
  readonly host: string;
  /** The port; absent means every port. */
  readonly port?: number;
  /** How many leading bits count; only for ranges. */
  readonly bits?: number;
}

const LOCAL_NAME = /^(?:.+\.)?localhost$|^localhost\.localdomain$|^ip6-(?:localhost|loopback)$/;
// A comma would end the entry in a command-line flag, a star would widen it.
const SAFE_HOST = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:]+\])$/;

/**
 * A host in the one form that all comparisons use.
 *
 * @param hostname What `URL` gives as `hostname`.
 * @returns The host without its trailing dot, or `undefined` when it is empty or holds what no host holds.
 */
export function canonicalHost(hostname: string): string | undefined {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return SAFE_HOST.test(host) && !host.includes("..") ? host : undefined;
}

function readHost(text: string): string | undefined {
  if (!/^[^\s/?#@\\:%*,]+$|^\[[0-9A-Fa-f:.]+\]$/.test(text)) return undefined;
  // `URL` turns odd spellings of an address ("0x7f.1", "127.1") into the usual one.
  const url = URL.parse(`http://${text}/`);
  return url === null ? undefined : canonicalHost(url.hostname);
}

function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65535 ? port : undefined;
}

/**
 * Reads `host[:port]`.
 *
 * @param text For example `api.example.com:443`, `[::1]:80`, `10.0.0.1`.
 * @returns The entry, or `undefined` when the text is none.
 */
export function parseNetEntry(text: string): NetEntry | undefined {
  const match = /^(\[[^\]]*\]|[^:[\]]*)(?::([^:]*))?$/.exec(text);
  const host = match ? readHost(match[1]!) : undefined;
  if (host === undefined) return undefined;
  if (match![2] === undefined) return { host };
  const port = readPort(match![2]);
  return port === undefined ? undefined : { host, port };
}

/**
 * Reads an entry of a ceiling, which may also be a range of IPv4 addresses such as `10.1.0.0/16`.
 *
 * @param text The entry.
 * @returns The entry, or `undefined` when the text is none.
 */
export function parseCeilingNetEntry(text: string): NetEntry | undefined {
  const match = /^([\d.]+)\/(\d{1,2})$/.exec(text);
  if (!match) return parseNetEntry(text);
  const bits = Number(match[2]);
  return parseIPv4(match[1]!) === undefined || bits > 32 ? undefined : { host: match[1]!, bits };
}

/**
 * Writes an entry as Deno takes it.
 *
 * @param entry The entry.
 * @returns `host[:port]`.
 */
export function formatNetEntry(entry: NetEntry): string {
  return entry.port === undefined ? entry.host : `${entry.host}:${entry.port}`;
}

/**
 * How near a host is.
 *
 * @param host A canonical host.
 * @returns `public` for names that do not by themselves mean this machine.
 */
export function reachOfHost(host: string): AddressReach {
  return LOCAL_NAME.test(host) ? "loopback" : reachOfAddress(host) ?? "public";
}

/**
 * Whether an entry means this machine or private networks and nothing else.
 *
 * @param entry The entry, also of a ceiling.
 * @returns True when no public address is meant.
 */
export function isNear({ host, bits }: NetEntry): boolean {
  if (bits === undefined) return reachOfHost(host) !== "public";
  const first = parseIPv4(host)!;
  return NEAR_IPV4.some(([base, length]) => bits >= length && inRange(first, base, length));
}

/**
 * Whether one entry of a ceiling means a host.
 *
 * @param ceiling The ceiling's entry.
 * @param host A canonical host.
 * @returns True when it does.
 */
export function coversHost(ceiling: NetEntry, host: string): boolean {
  if (ceiling.bits === undefined) return ceiling.host === host;
  const address = parseIPv4(host);
  return address !== undefined && inRange(address, parseIPv4(ceiling.host)!, ceiling.bits);
}

/**
 * What an entry and an entry of a ceiling have in common.
 *
 * @param entry What is asked for.
 * @param ceiling What is allowed or denied.
 * @returns The common part, or `undefined` when there is none.
 */
export function intersectNet(entry: NetEntry, ceiling: NetEntry): NetEntry | undefined {
  if (!coversHost(ceiling, entry.host)) return undefined;
  if (entry.port === undefined || ceiling.port === undefined) {
    return { host: entry.host, port: entry.port ?? ceiling.port };
  }
  return entry.port === ceiling.port ? entry : undefined;
}
