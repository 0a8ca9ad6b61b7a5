/**
 * Hosts that are granted by name, and what names resolve to in the processes that hold tool code.
 * @module
 */

/**
 * Part of the environment of every such process. An IPv6 answer `::ffff:127.0.0.1`, and any in fc00::/7 or
 * fe80::/10, passes `--deny-net` (measured on Deno 2.9.6); told so, glibc asks for IPv4 addresses only.
 */
export const RESOLVER_ENV: Readonly<Record<string, string>> = Object.freeze({
  RES_OPTIONS: "no-aaaa",
});

/** Why no name is granted where the resolver does not take {@linkcode RESOLVER_ENV}. */
export const NAMES_UNSAFE =
  "Hosts can be granted by address only here: a name could lead to this machine by an IPv6 answer, " +
  'because the C library does not take RES_OPTIONS="no-aaaa" (glibc does from 2.36 on)';

/**
 * Whether one of these net grants is by name.
 *
 * @param net Grants as Deno takes them, or the star for every host.
 * @returns False when all are literal addresses.
 */
export function hasNames(net: readonly string[]): boolean {
  return net.some((entry) => !/^(?:\[[\da-f:.]+\]|\d+(?:\.\d+){3})(?::\d+)?$/.test(entry));
}
