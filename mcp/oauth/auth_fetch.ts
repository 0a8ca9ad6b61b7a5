/**
 * The requests of a login: where they may go, and how much they may take.
 * @module
 */
import { joinBytes } from "../../core/join_bytes.ts";
import type { FetchLike } from "@modelcontextprotocol/client";
import type { AddressReach } from "../../runtime/grants/ip_address.ts";
import { reachOfUrl, resolveReach } from "../../runtime/grants/name_reach.ts";
import { fetchHops } from "../hops.ts";

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 1_048_576;

const RANK: Readonly<Record<AddressReach, number>> = { public: 0, private: 1, loopback: 2 };

/**
 * Checks a URL that a server named for its login: `https:`, or plain `http:` on this machine when the MCP server
 * is on this machine as well. A server elsewhere must not send this client to local services or private networks.
 *
 * @param url The URL.
 * @param serverUrl The MCP server's URL.
 * @param what What the URL is, for the error.
 * @returns The URL, parsed.
 * @throws {Error} If it is another scheme or place.
 */
export function checkAuthUrl(url: string | URL, serverUrl: string, what: string): URL {
  const parsed = new URL(url);
  const [reach, home] = [reachOfUrl(parsed), reachOfUrl(new URL(serverUrl))];
  const isSchemeRight = parsed.protocol === "https:" ||
    (parsed.protocol === "http:" && reach === "loopback");
  const isAllowed = isSchemeRight && RANK[reach] <= RANK[home];
  if (isAllowed && parsed.username === "" && parsed.password === "") return parsed;
  throw refusal(parsed, what, reach);
}

/**
 * Checks a URL like `checkAuthUrl`, and what its name resolves to here.
 *
 * @param url The URL.
 * @param serverUrl The MCP server's URL.
 * @param what What the URL is, for the error.
 * @throws {Error} If it is another scheme or place.
 */
export async function checkAuthHop(
  url: string | URL,
  serverUrl: string,
  what: string,
): Promise<void> {
  const parsed = checkAuthUrl(url, serverUrl, what);
  const server = new URL(serverUrl);
  // The operator's own word, by whatever name.
  if (parsed.origin === server.origin || reachOfUrl(server) === "loopback") return;
  const found = await resolveReach(parsed);
  const nearest = found.toSorted((one, other) => RANK[other] - RANK[one])[0] ?? "public";
  if (nearest === "public" || (nearest === "private" && await isPrivate(server))) return;
  throw refusal(parsed, what, nearest);
}

// A server of a private network may use that network.
async function isPrivate(server: URL): Promise<boolean> {
  const found = await resolveReach(server);
  return found.length > 0 && found.every((reach) => reach === "private");
}

function refusal(url: URL, what: string, reach: AddressReach): Error {
  const place = reach === "loopback" ? "this machine" : "a private network";
  return new Error(
    `Cannot use ${what} ${JSON.stringify(withoutQuery(url))}: expected an https URL without ` +
      `credentials${reach === "public" ? "" : `, and ${place} only for a server on ${place}`}`,
  );
}

/**
 * Makes the fetch for metadata, registration and token requests. It never carries the headers that are configured
 * for the MCP server.
 *
 * @param serverUrl The MCP server's URL.
 * @param signal Ends every request.
 * @returns The fetch.
 */
export function createAuthFetch(serverUrl: string, signal?: AbortSignal): FetchLike {
  return async (url, init = {}) => {
    const signals = [AbortSignal.timeout(TIMEOUT_MS), signal, init.signal].filter((one) => !!one);
    const request = { ...init, signal: AbortSignal.any(signals) };
    const response = await fetchHops(fetch, url, request, {
      check: (hop) => checkAuthHop(hop, serverUrl, "the login address"),
      mayLeaveOrigin: true,
    });
    const body = await readBounded(response, url);
    const { status, statusText, headers } = response;
    return new Response(isBodiless(status) ? null : body, { status, statusText, headers });
  };
}

async function readBounded(
  response: Response,
  url: string | URL,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) {
      throw new Error(
        `Cannot read the answer of ${JSON.stringify(withoutQuery(new URL(url)))}: ` +
          `expected at most ${MAX_BYTES} bytes`,
      );
    }
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

function withoutQuery(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}
