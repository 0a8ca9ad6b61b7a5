/**
 * The requests of a login: where they may go, and how much they may take.
 * @module
 */
import { joinBytes } from "../../core/join_bytes.ts";
import type { FetchLike } from "@modelcontextprotocol/client";

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 1_048_576;

/**
 * Checks a URL that a server named for its login: `https:`, or plain `http:` on this machine when the MCP server
 * is on this machine as well. A server elsewhere must not send this client to local services.
 *
 * @param url The URL.
 * @param serverUrl The MCP server's URL.
 * @param what What the URL is, for the error.
 * @returns The URL, parsed.
 * @throws {Error} If it is another scheme or place.
 */
export function checkAuthUrl(url: string | URL, serverUrl: string, what: string): URL {
  const parsed = new URL(url);
  const isLocal = isLoopback(parsed.hostname);
  const isAllowed = parsed.protocol === "https:"
    ? !isLocal || isLoopback(new URL(serverUrl).hostname)
    : parsed.protocol === "http:" && isLocal && isLoopback(new URL(serverUrl).hostname);
  if (isAllowed && parsed.username === "" && parsed.password === "") return parsed;
  throw new Error(
    `Cannot use ${what} ${JSON.stringify(withoutQuery(parsed))}: expected an https URL ` +
      `without credentials${isLocal ? ", and this machine only for a server on this machine" : ""}`,
  );
}

/**
 * Whether a host is this machine.
 *
 * @param hostname The host as `URL.hostname` gives it.
 * @returns True for loopback names and addresses.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname) || hostname === "[::1]";
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
    checkAuthUrl(url, serverUrl, "the login address");
    const signals = [AbortSignal.timeout(TIMEOUT_MS), signal, init.signal].filter((one) => !!one);
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
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
