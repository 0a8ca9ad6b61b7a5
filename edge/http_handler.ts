/**
 * The HTTP face of a runtime: from a request to its answer.
 * @module
 */
import type { Runtime } from "../runtime/runtime_types.ts";
import { checkHost, checkOrigin, checkToken, type GateOptions } from "./gate.ts";
import { HttpEndpoints } from "./http_endpoints.ts";
import type { MountedFace } from "./mounted_face.ts";
import { HttpProblem, problemResponse } from "./problem.ts";
import { methodsOf, nothingAt, parseRoute, type Route } from "./route.ts";
import { withCors, withoutBody, withSecurityHeaders } from "./response_headers.ts";

/** One request, for a log. */
export interface HttpRecord {
  /** The method. */
  readonly method: string;
  /** The path as it was sent. */
  readonly path: string;
  /** The status of the answer. */
  readonly status: number;
  /** Milliseconds until the answer was ready. */
  readonly durationMs: number;
  /** What went wrong inside, for a 500. */
  readonly error?: string;
}

/** Options of {@linkcode createHttpHandler}. */
export interface HttpHandlerOptions extends GateOptions {
  /** The product's version, for `/` and the OpenAPI document. @default {"0.0.0"} */
  readonly version?: string;
  /** Longest body in bytes. @default {1_048_576} */
  readonly maxBodyBytes?: number;
  /** Milliseconds in which a body must have come. @default {10_000} */
  readonly bodyTimeoutMs?: number;
  /** Longest deadline that a caller may ask for. @default {600_000} */
  readonly maxTimeoutMs?: number;
  /** Calls that may be under way at once, bodies that are still coming included. @default {256} */
  readonly maxConcurrentCalls?: number;
  /** Answers `/mcp`; left out, there is nothing. */
  readonly mcp?: MountedFace;
  /** Receives a record of each request. */
  readonly onRequest?: (record: HttpRecord) => void;
}

/**
 * Makes the handler of the HTTP face: `/healthz`, `/readyz`, `/tools`, `/tools/:name/call`, `/openapi.json`, an
 * index at `/`, and `/mcp` where a face for it is given. Every refusal is `application/problem+json`; a call is answered by its `ToolResult`.
 *
 * @param runtime Lists and calls the tools.
 * @param options Who may talk to it, and its bounds.
 * @returns The handler, for `Deno.serve` or a test.
 *
 * @example Ask a handler without a server
 * ```ts ignore
 * const handler = createHttpHandler(runtime);
 * const answer = await handler(new Request("http://localhost/healthz"));
 * console.log(answer.status); // 200
 * ```
 */
export function createHttpHandler(
  runtime: Runtime,
  options: HttpHandlerOptions = {},
): (request: Request) => Promise<Response> {
  const endpoints = new HttpEndpoints(runtime, {
    version: options.version ?? "0.0.0",
    maxBodyBytes: options.maxBodyBytes ?? 1_048_576,
    bodyTimeoutMs: options.bodyTimeoutMs ?? 10_000,
    maxTimeoutMs: options.maxTimeoutMs ?? 600_000,
    maxConcurrentCalls: options.maxConcurrentCalls ?? 256,
    needsToken: options.token !== undefined,
    hasMcp: options.mcp !== undefined,
  });
  return async (request) => {
    const started = performance.now();
    const { response, error } = await answer(request, endpoints, options);
    options.onRequest?.({
      method: request.method,
      path: /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(request.url)?.[1] ?? "",
      status: response.status,
      durationMs: performance.now() - started,
      ...(error === undefined ? {} : { error }),
    });
    return response;
  };
}

async function answer(
  request: Request,
  endpoints: HttpEndpoints,
  options: HttpHandlerOptions,
): Promise<{ readonly response: Response; readonly error?: string }> {
  let origin: string | undefined;
  let error: string | undefined;
  let response: Response;
  try {
    checkHost(request, options);
    origin = checkOrigin(request, options);
    response = await routed(request, endpoints, options);
  } catch (cause) {
    if (!(cause instanceof HttpProblem)) error = String(cause);
    response = problemResponse(cause);
  }
  const finished = withCors(withSecurityHeaders(response), origin);
  return { response: request.method === "HEAD" ? await withoutBody(finished) : finished, error };
}

async function routed(
  request: Request,
  endpoints: HttpEndpoints,
  options: HttpHandlerOptions,
): Promise<Response> {
  const route = parseRoute(request.url);
  const face = isForMcp(route) ? options.mcp : undefined;
  if (isForMcp(route) && !face) throw nothingAt(new URL(request.url).pathname);
  const methods = methodsOf(route);
  if (!methods.includes(request.method)) throw methodNotAllowed(request.method, methods);
  if (request.method === "OPTIONS") return preflight(methods);
  const isOpen = route.kind === "health" || route.kind === "mcp-metadata" || face?.checksTokens;
  if (!isOpen) checkToken(request, options);
  return isForMcp(route) ? await face!.handle(request) : await endpoint(route, request, endpoints);
}

type McpRoute = Extract<Route, { readonly kind: "mcp" | "mcp-metadata" }>;

function isForMcp(route: Route): route is McpRoute {
  return route.kind === "mcp" || route.kind === "mcp-metadata";
}

function endpoint(
  route: Exclude<Route, McpRoute>,
  request: Request,
  endpoints: HttpEndpoints,
): Response | Promise<Response> {
  switch (route.kind) {
    case "index":
      return endpoints.index();
    case "health":
      return endpoints.health();
    case "ready":
      return endpoints.ready();
    case "tools":
      return endpoints.tools();
    case "openapi":
      return endpoints.openapi();
    case "call":
      return endpoints.call(request, route.name);
    default:
      return route satisfies never;
  }
}

function preflight(methods: readonly string[]): Response {
  return new Response(null, { status: 204, headers: { allow: methods.join(", ") } });
}

function methodNotAllowed(method: string, methods: readonly string[]): HttpProblem {
  const allow = methods.join(", ");
  return new HttpProblem(
    405,
    "method_not_allowed",
    `The method ${method.slice(0, 20)} is not allowed here: use ${allow}`,
    { allow },
  );
}
