/**
 * The MCP server over HTTP: clients of both eras at one address.
 * @module
 */
import {
  type AuthInfo,
  classifyInboundRequest,
  createMcpHandler,
  type McpHttpHandler as SdkHandler,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import type { Runtime } from "../../runtime/runtime_types.ts";
import { buildServer } from "./build_server.ts";
import { HttpAccess, type HttpAccessOptions } from "./http_access.ts";
import { readHttpBody } from "./http_body.ts";
import { answerOrStream } from "./late_answer.ts";
import { LegacySessions } from "./legacy_sessions.ts";
import { McpService } from "./mcp_service.ts";
import { findHeaderMismatch } from "./param_headers.ts";
import { principalOf } from "./principal.ts";
import { RateLimiter } from "./rate_limit.ts";
import { rpcError, tooMany } from "./rpc_response.ts";
import type { McpServerOptions } from "./server_options.ts";

/** Options of {@linkcode createMcpHttpHandler}. */
export interface McpHttpOptions extends McpServerOptions, HttpAccessOptions {
  /** Longest body in bytes. @default {4_194_304} */
  readonly maxBodyBytes?: number;
  /** Milliseconds in which a body must have come. @default {10_000} */
  readonly bodyTimeoutMs?: number;
  /** Most sessions of clients of revisions up to 2025-11-25. @default {256} */
  readonly maxSessions?: number;
  /** Milliseconds after which a session that nobody uses ends. @default {1_800_000} */
  readonly sessionIdleMs?: number;
  /** Most subscriptions of clients of revision 2026-07-28. @default {1024} */
  readonly maxSubscriptions?: number;
}

/** A server over HTTP, for whoever listens. */
export interface McpHttpHandler {
  /** Whether it checks tokens itself. */
  readonly checksTokens: boolean;
  /**
   * Answers a request.
   *
   * @param request The request.
   * @returns The answer, which may stream. Never rejects.
   */
  handle(request: Request): Promise<Response>;
  /**
   * Takes no new request, lets calls under way end, and then ends every session and stream.
   *
   * @param graceMs Milliseconds after which calls are cancelled. @default {0}
   */
  close(graceMs?: number): Promise<void>;
}

const DEFAULT_BODY_BYTES = 4 * 1024 * 1024;
const MODERN_VERSION = "2026-07-28";
const HEADER_MISMATCH = -32_020;
const POLL_MS = 20;

/**
 * Makes the handler of `/mcp` and of its protected-resource metadata.
 *
 * @param runtime Lists and calls the tools.
 * @param options Who may talk to it, its bounds, and what the server is told.
 * @returns The handler.
 * @throws {Error} If tools run in this process.
 * @throws {RangeError} If a number is out of range.
 * @throws {TypeError} If both a token and an authorization server are given.
 *
 * @example Serve it alone
 * ```ts ignore
 * const handler = createMcpHttpHandler(runtime, { gate: {} });
 * Deno.serve({ hostname: "127.0.0.1" }, (request) => handler.handle(request));
 * ```
 */
export function createMcpHttpHandler(
  runtime: Runtime,
  options: McpHttpOptions = {},
): McpHttpHandler {
  return new HttpHandler(runtime, options);
}

class HttpHandler implements McpHttpHandler {
  readonly #options: McpHttpOptions;
  readonly #service: McpService;
  readonly #access: HttpAccess;
  readonly #limiter: RateLimiter | undefined;
  readonly #modern: SdkHandler;
  readonly #sessions: LegacySessions;
  #isClosed = false;

  constructor(runtime: Runtime, options: McpHttpOptions) {
    this.#options = options;
    this.#access = new HttpAccess(options);
    this.#service = new McpService(runtime, options);
    const { rateLimit, onFault } = this.#service.settings;
    this.#limiter = rateLimit === false ? undefined : new RateLimiter(rateLimit);
    this.#modern = createMcpHandler(
      ({ authInfo }) =>
        buildServer(this.#service, { isModern: true, principal: principalOf(authInfo) }),
      {
        legacy: "reject",
        maxSubscriptions: options.maxSubscriptions,
        bus: {
          publish: () => {},
          subscribe: (listener) =>
            this.#service.changes.on(() => listener({ kind: "tools_list_changed" })),
        },
        onerror: (error) => onFault(`An MCP request was refused: ${error.message}`),
      },
    );
    this.#sessions = new LegacySessions({
      max: options.maxSessions ?? 256,
      idleMs: options.sessionIdleMs ?? 1_800_000,
      build: (principal) => buildServer(this.#service, { isModern: false, principal }),
      onListChange: (listener) => this.#service.changes.on(listener),
    });
  }

  get checksTokens(): boolean {
    return this.#access.checksTokens;
  }

  async handle(request: Request): Promise<Response> {
    try {
      return await this.#answer(request);
    } catch (error) {
      this.#service.settings.onFault(`Cannot answer an MCP request: ${error}`);
      return rpcError({ status: 500, code: -32_603, message: "Internal error" });
    }
  }

  async close(graceMs = 0): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const until = performance.now() + graceMs;
    while (this.#service.calls.active > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    this.#service[Symbol.dispose]();
    await this.#modern.close();
    await this.#sessions.close();
  }

  async #answer(request: Request): Promise<Response> {
    if (this.#isClosed) {
      const headers = { connection: "close" };
      return rpcError({ status: 503, code: -32_000, message: "The server is stopping", headers });
    }
    const refused = this.#access.refuseNames(request) ?? this.#access.metadata(request);
    if (refused !== undefined) return refused;
    const admission = await this.#access.admit(request);
    if ("refused" in admission) return admission.refused;
    const { principal, authInfo } = admission;
    const waitMs = this.#limiter?.take(principal) ?? 0;
    if (waitMs > 0) return tooMany(waitMs);
    if (request.method === "POST") return await this.#post(request, principal, authInfo);
    if (request.method === "GET" || request.method === "DELETE") {
      return await this.#sessions.handle({ request, body: undefined, principal, authInfo });
    }
    const headers = { allow: "POST, GET, DELETE" };
    return rpcError({ status: 405, code: -32_000, message: "Method not allowed", headers });
  }

  async #post(
    request: Request,
    principal: string,
    authInfo: AuthInfo | undefined,
  ): Promise<Response> {
    const read = await readHttpBody(request, {
      maxBytes: this.#options.maxBodyBytes ?? DEFAULT_BODY_BYTES,
      timeoutMs: this.#options.bodyTimeoutMs ?? 10_000,
    });
    if ("refused" in read) return read.refused;
    const { body } = read;
    if (isCall(body) && this.#service.calls.isFull) return tooMany(1_000, body);
    // A batch counts as many as it holds.
    const more = Array.isArray(body) ? this.#limiter?.take(principal, body.length) ?? 0 : 0;
    if (more > 0) return tooMany(more);
    const claim = claimOf(body);
    // A request that names its revision is never a legacy one, so the SDK need not be asked twice.
    const isLegacy = claim === undefined &&
      classifyInboundRequest({ httpMethod: "POST", ...standardHeaders(request), body }).kind ===
        "legacy";
    if (isLegacy) return await this.#sessions.handle({ request, body, principal, authInfo });
    const mismatch = claim === MODERN_VERSION && await this.#mismatch(request, body);
    return mismatch || await answerOrStream(
      request,
      (watched) => this.#modern.fetch(watched, { parsedBody: body, authInfo }),
    );
  }

  async #mismatch(request: Request, body: unknown): Promise<Response | undefined> {
    // What is wrong with the standard fields is for the SDK to say.
    if (!isCall(body) || Object.values(standardHeaders(request)).includes(undefined)) return;
    const { name, arguments: args } = body.params ?? {};
    const tool = typeof name === "string" ? await this.#service.catalogue.find(name) : undefined;
    if (tool?.definition === undefined) return;
    const fault = findHeaderMismatch(tool.definition, args, request.headers);
    if (fault === undefined) return;
    const message = `Bad Request: the header fields and the body disagree: ${fault}`;
    return rpcError({ status: 400, code: HEADER_MISMATCH, message }, body);
  }
}

interface CallBody {
  readonly method: "tools/call";
  readonly params?: { readonly name?: unknown; readonly arguments?: unknown };
}

function isCall(body: unknown): body is CallBody {
  return typeof body === "object" && body !== null &&
    (body as { readonly method?: unknown }).method === "tools/call";
}

function claimOf(body: unknown): unknown {
  const { params } = (body ?? {}) as { readonly params?: { readonly _meta?: unknown } | null };
  const meta = params?._meta;
  return typeof meta === "object" && meta !== null
    ? (meta as Readonly<Record<string, unknown>>)[PROTOCOL_VERSION_META_KEY]
    : undefined;
}

function standardHeaders({ headers }: Request) {
  return {
    protocolVersionHeader: headers.get("mcp-protocol-version") ?? undefined,
    mcpMethodHeader: headers.get("mcp-method") ?? undefined,
    mcpNameHeader: headers.get("mcp-name") ?? undefined,
  };
}
