/**
 * Who may talk to the HTTP face: Host, Origin and, where one is set, the token.
 * @module
 */
import { timingSafeEqual } from "node:crypto";
import { HttpProblem } from "./problem.ts";

/** What the gate lets through. */
export interface GateOptions {
  /** The port that Host must name; unset means any. */
  readonly port?: number;
  /** Hosts beside the loopback names, as `host` (with {@linkcode GateOptions.port}) or `host:port`. @default {[]} */
  readonly allowedHosts?: readonly string[];
  /** Origins beside the server's own, such as `https://console.example.com`. @default {[]} */
  readonly allowedOrigins?: readonly string[];
  /** The bearer token that every request but `/healthz` must carry. @default {none} */
  readonly token?: string;
}

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const AUTHORITY = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::([0-9]{1,5}))?$/;

/**
 * Checks that the request names this server. A page of a foreign site whose name was rebound to loopback sends
 * the foreign name, and ends here.
 *
 * @param request The request.
 * @param options What is allowed.
 * @throws {HttpProblem} 403 if Host, or the address of an absolute request line, is not allowed.
 */
export function checkHost(request: Request, options: GateOptions): void {
  const target = /^([a-z]+):\/\/([^/?#]*)/i.exec(request.url);
  const authorities = [request.headers.get("host"), target?.[2]];
  for (const authority of authorities) {
    if (authority === null || isAllowedAuthority(authority ?? "", options)) continue;
    throw new HttpProblem(
      403,
      "host_not_allowed",
      `Host ${quote(authority ?? "")} is not allowed: expected a loopback name or an allowed host` +
        (options.port === undefined ? "" : ` with port ${options.port}`),
    );
  }
}

/**
 * Checks the Origin that a browser sends.
 *
 * @param request The request.
 * @param options What is allowed.
 * @returns The origin when it is a foreign one that the operator allowed, which then needs CORS headers.
 * @throws {HttpProblem} 403 if there is an Origin and it is not allowed.
 */
export function checkOrigin(request: Request, options: GateOptions): string | undefined {
  const origin = request.headers.get("origin");
  if (origin === null) return undefined;
  if (options.allowedOrigins?.includes(origin)) return origin;
  const own = /^https?:\/\/([^/?#]*)$/.exec(origin);
  if (own && isAllowedAuthority(own[1]!, options)) return undefined;
  throw new HttpProblem(403, "origin_not_allowed", `Origin ${quote(origin)} is not allowed`);
}

/**
 * Checks the bearer token, in constant time.
 *
 * @param request The request.
 * @param options What is allowed.
 * @throws {HttpProblem} 401 if a token is set and the request does not carry it.
 */
export function checkToken(request: Request, options: GateOptions): void {
  if (options.token === undefined) return;
  const sent = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  if (sameText(sent, options.token)) return;
  throw new HttpProblem(
    401,
    "token_required",
    "This server needs a token: send it as 'Authorization: Bearer <token>'",
    { "www-authenticate": 'Bearer realm="cloister"' },
  );
}

function isAllowedAuthority(authority: string, options: GateOptions): boolean {
  const match = AUTHORITY.exec(authority.toLowerCase());
  if (match === null) return false;
  const [, host, port = "80"] = match;
  const allowed = (options.allowedHosts ?? []).map((name) => name.toLowerCase());
  if (allowed.includes(`${host}:${port}`)) return true;
  if (options.port !== undefined && Number(port) !== options.port) return false;
  return LOOPBACK_NAMES.includes(host!) || allowed.includes(host!);
}

function sameText(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => new TextEncoder().encode(text));
  return a!.length === b!.length && timingSafeEqual(a!, b!);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
