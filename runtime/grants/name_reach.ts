/**
 * How near the addresses are that a host stands for, after its name is resolved.
 * @module
 */
import { type AddressReach, reachOfAddress } from "./ip_address.ts";
import { canonicalHost, reachOfHost } from "./net_entry.ts";

/**
 * How near the host of a URL is as it is written, in every spelling.
 *
 * @param url The URL.
 * @returns The reach; a host that cannot be read counts as this machine.
 */
export function reachOfUrl({ hostname }: URL): AddressReach {
  const host = canonicalHost(hostname);
  return host === undefined ? "loopback" : reachOfHost(host);
}

/**
 * How near the addresses are that a URL's host resolves to here.
 *
 * @param url The URL.
 * @returns The reach of each address; none where the name does not resolve, or may not be looked up (Deno wants the
 * net grant of the host without a port for that, measured on Deno 2.9.6).
 */
export async function resolveReach({ hostname }: URL): Promise<readonly AddressReach[]> {
  const literal = reachOfAddress(hostname);
  if (literal !== undefined) return [literal];
  // Loaded only now: few programs sign in anywhere.
  const { lookup } = await import("node:dns/promises");
  const found = await lookup(hostname, { all: true }).catch(() => []);
  return found.map(({ address }) => reachOfAddress(hostOf(address)) ?? "loopback");
}

// As `URL` writes it: an address with a zone, such as fe80::1%2, is none.
function hostOf(address: string): string {
  return URL.parse(`http://${address.includes(":") ? `[${address}]` : address}/`)?.hostname ?? "";
}
