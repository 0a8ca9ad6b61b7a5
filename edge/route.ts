/**
 * From a request's address to what it means. The address is taken as it was sent: `URL` would fold `%2e%2e`
 * and double slashes into another path than the one that was asked for.
 * @module
 */
import { HttpProblem } from "./problem.ts";

/** What an address means. */
export type Route =
  | { readonly kind: "index" }
  | { readonly kind: "health" }
  | { readonly kind: "ready" }
  | { readonly kind: "tools" }
  | { readonly kind: "openapi" }
  | { readonly kind: "mcp" }
  | { readonly kind: "mcp-metadata" }
  | { readonly kind: "call"; readonly name: string };

const FIXED: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["/", { kind: "index" }],
  ["/healthz", { kind: "health" }],
  ["/readyz", { kind: "ready" }],
  ["/tools", { kind: "tools" }],
  ["/openapi.json", { kind: "openapi" }],
  ["/mcp", { kind: "mcp" }],
  // RFC 9728: the resource's path follows the well-known one.
  ["/.well-known/oauth-protected-resource", { kind: "mcp-metadata" }],
  ["/.well-known/oauth-protected-resource/mcp", { kind: "mcp-metadata" }],
]);

/**
 * Reads the path of a request.
 *
 * @param url The request's URL, as `Request.url` gives it.
 * @returns What the path means.
 * @throws {HttpProblem} 400 for a path that is written to deceive or cannot be decoded, 404 for an unknown one.
 */
export function parseRoute(url: string): Route {
  const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] || "/";
  const segments = path.split("/").slice(1).map(decodeSegment);
  const fixed = FIXED.get("/" + segments.join("/"));
  if (fixed) return fixed;
  const [first, name, last] = segments;
  if (segments.length === 3 && first === "tools" && name && last === "call") {
    return { kind: "call", name };
  }
  throw nothingAt(path);
}

/**
 * The refusal of an address that nothing answers.
 *
 * @param path The path as it was sent.
 * @returns The problem, 404.
 */
export function nothingAt(path: string): HttpProblem {
  const message = `There is nothing at ${JSON.stringify(path.slice(0, 200))}`;
  return new HttpProblem(404, "not_found", message);
}

/**
 * The methods that an address takes, for `Allow`.
 *
 * @param route What the address means.
 * @returns The methods.
 */
export function methodsOf(route: Route): readonly string[] {
  if (route.kind === "call") return ["POST", "OPTIONS"];
  return route.kind === "mcp" ? ["POST", "GET", "DELETE", "OPTIONS"] : ["GET", "HEAD", "OPTIONS"];
}

function decodeSegment(segment: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    throw badPath(segment);
  }
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  if (decoded === "." || decoded === ".." || /[/\\\u0000-\u001f\u007f]/.test(decoded)) {
    throw badPath(segment);
  }
  return decoded;
}

function badPath(segment: string): HttpProblem {
  return new HttpProblem(
    400,
    "bad_path",
    `The path segment ${JSON.stringify(segment.slice(0, 100))} is not accepted`,
  );
}
