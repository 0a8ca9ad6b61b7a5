/**
 * Requests that a server of the network may redirect, hop by hop.
 * @module
 */

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The headers that say nothing of who asks: with any other, a request stays at its origin. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "content-type",
  "mcp-protocol-version",
]);

/** Fetches like `fetch` does. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Where hops may lead. */
export interface HopRules {
  /** Throws for an address that must not be asked. Asked before each request, the first included. */
  readonly check?: (url: URL) => void | Promise<void>;
  /** Whether a request without credentials may be redirected to another origin. */
  readonly mayLeaveOrigin: boolean;
}

/**
 * Fetches, and follows redirects by hand: only of a request that changes nothing (GET or HEAD), five at most, each
 * to an address that the rules allow; with credentials never to another origin.
 *
 * @param base Makes one request.
 * @param url The first address.
 * @param init The request; with `redirect: "manual"` or `"error"` nothing is followed.
 * @param rules Where hops may lead.
 * @returns The answer of the last hop.
 * @throws {Error} If a redirect may not be followed.
 */
export async function fetchHops(
  base: Fetch,
  url: string | URL,
  init: RequestInit | undefined,
  { check, mayLeaveOrigin }: HopRules,
): Promise<Response> {
  let current = new URL(url);
  await check?.(current);
  if (init?.redirect === "manual" || init?.redirect === "error") return await base(url, init);
  for (let followed = 0;; followed++) {
    const response = await base(current, { ...init, redirect: "manual" });
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null) return response;
    await response.body?.cancel();
    const target = new URL(location, current);
    const mayFollow = followed < MAX_REDIRECTS && target.username === "" &&
      target.password === "" && isSafe(init) &&
      (target.origin === current.origin || (mayLeaveOrigin && isAnonymous(init)));
    if (!mayFollow) {
      throw new Error(
        `Redirect from ${current.origin} to ${target.origin} is not followed: write the final address into the configuration`,
      );
    }
    await check?.(target);
    current = target;
  }
}

function isSafe(init: RequestInit | undefined): boolean {
  return /^(?:GET|HEAD)$/i.test(init?.method ?? "GET");
}

function isAnonymous(init: RequestInit | undefined): boolean {
  return [...new Headers(init?.headers).keys()].every((name) => HARMLESS_HEADERS.has(name));
}
