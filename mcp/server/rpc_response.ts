/**
 * HTTP answers that are made before a request reaches the SDK.
 * @module
 */
import type { RequestId } from "@modelcontextprotocol/server";

/** A JSON-RPC error on HTTP. */
export interface RpcError {
  /** The HTTP status. */
  readonly status: number;
  /** The JSON-RPC code. */
  readonly code: number;
  /** Why, for people. */
  readonly message: string;
  /** More for programs. */
  readonly data?: unknown;
  /** Further header fields. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Writes an error.
 *
 * @param error The error.
 * @param body The request's body, which holds the id to answer to.
 * @returns The answer.
 */
export function rpcError(error: RpcError, body?: unknown): Response {
  const { status, code, message, data, headers } = error;
  return Response.json(
    {
      jsonrpc: "2.0",
      id: requestIdOf(body),
      error: { code, message, ...(data === undefined ? {} : { data }) },
    },
    { status, headers },
  );
}

/**
 * The answer to who comes too often.
 *
 * @param waitMs Milliseconds to wait.
 * @param body The request's body.
 * @returns The answer, with `Retry-After`.
 */
export function tooMany(waitMs: number, body?: unknown): Response {
  return rpcError({
    status: 429,
    code: -32_000,
    message: "Too many requests: try again later",
    headers: { "retry-after": String(Math.max(1, Math.ceil(waitMs / 1_000))) },
  }, body);
}

function requestIdOf(body: unknown): RequestId | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const { method, id } = body as { readonly method?: unknown; readonly id?: unknown };
  const isId = typeof id === "string" || typeof id === "number";
  return typeof method === "string" && isId ? id : null;
}
