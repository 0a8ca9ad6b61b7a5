/**
 * What every answer of the HTTP face carries.
 * @module
 */
import { TIMEOUT_HEADER } from "./call_deadline.ts";

/** What a client of the Model Context Protocol sends beside the usual. */
const MCP_HEADERS = "last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id";
const SECURITY_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
});

/**
 * Adds the header fields that keep a browser from guessing, framing, storing or leaking an answer.
 *
 * @param response The answer.
 * @returns The same answer.
 */
export function withSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    response.headers.set(name, value);
  }
  return response;
}

/**
 * Lets a page of an allowed foreign origin read the answer.
 *
 * @param response The answer.
 * @param origin The origin that the operator allowed, if it was one.
 * @returns The same answer.
 */
export function withCors(response: Response, origin: string | undefined): Response {
  response.headers.append("vary", "Origin");
  if (origin === undefined) return response;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("cross-origin-resource-policy", "cross-origin");
  response.headers.set("access-control-expose-headers", "mcp-session-id, www-authenticate");
  if (response.status === 204) {
    response.headers.set("access-control-allow-methods", response.headers.get("allow") ?? "");
    response.headers.set(
      "access-control-allow-headers",
      `authorization, content-type, ${TIMEOUT_HEADER}, ${MCP_HEADERS}`,
    );
  }
  return response;
}

/**
 * The answer to HEAD: the header fields of GET, its length included, and no body.
 *
 * @param response The answer to GET.
 * @returns The answer to HEAD.
 */
export async function withoutBody(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  headers.set("content-length", String(bytes.byteLength));
  return new Response(null, { status: response.status, headers });
}
