/**
 * Clients of revisions up to 2025-11-25 over HTTP: a session each, with its own stream for what the server says.
 * @module
 */
import {
  type AuthInfo,
  type CancelledNotification,
  isInitializeRequest,
  type RequestId,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { rpcError, tooMany } from "./rpc_response.ts";
import { watchStream } from "./watched_stream.ts";

/** Bounds of {@linkcode LegacySessions}. */
export interface LegacySessionsOptions {
  /** Most sessions. */
  readonly max: number;
  /** Milliseconds without a request or an open stream after which a session ends. */
  readonly idleMs: number;
  /** Makes the server of a session. */
  readonly build: (principal: string) => Server;
  /** Listens to changes of the list of tools; gives what stops it. */
  readonly onListChange: (listener: () => void) => () => void;
}

/** A request on its way to its session. */
export interface LegacyRequest {
  /** The request; its body was read. */
  readonly request: Request;
  /** The body. */
  readonly body: unknown;
  /** Who makes it. */
  readonly principal: string;
  /** What the verifier of its token said. */
  readonly authInfo?: AuthInfo;
}

interface LegacySession {
  readonly principal: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  streams: number;
  usedAt: number;
}

const SWEEP_MS = 60_000;

/** The sessions. */
export class LegacySessions {
  readonly #options: LegacySessionsOptions;
  readonly #sessions = new Map<string, LegacySession>();
  #sweeper: ReturnType<typeof setInterval> | undefined;

  /**
   * Makes none yet.
   *
   * @param options Bounds, and how their servers are made.
   */
  constructor(options: LegacySessionsOptions) {
    this.#options = options;
  }

  /** How many sessions there are. */
  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Answers a request.
   *
   * @param incoming The request.
   * @returns The answer.
   */
  async handle(incoming: LegacyRequest): Promise<Response> {
    const { request, body, principal } = incoming;
    const id = request.headers.get("mcp-session-id");
    if (id === null) {
      return isInitializeRequest(body) ? await this.#open(incoming) : rpcError({
        status: 400,
        code: -32_000,
        message: "Bad Request: initialize first, then send the Mcp-Session-Id header",
      }, body);
    }
    const session = this.#sessions.get(id);
    // To somebody else it does not exist.
    if (session === undefined || session.principal !== principal) {
      return rpcError({ status: 404, code: -32_001, message: "Session not found" }, body);
    }
    return await this.#pass(session, id, incoming);
  }

  /** Ends every session. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  /**
   * Ends the sessions that nobody used for a while.
   *
   * @param now The time by `performance.now()`. @default {now}
   */
  sweep(now: number = performance.now()): void {
    for (const [id, { streams, usedAt }] of this.#sessions) {
      if (streams === 0 && now - usedAt > this.#options.idleMs) void this.#end(id);
    }
  }

  async #open({ request, body, principal, authInfo }: LegacyRequest): Promise<Response> {
    if (!this.#makeRoom()) return tooMany(1_000, body);
    const server = this.#options.build(principal);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, {
          principal,
          transport,
          server,
          streams: 0,
          usedAt: performance.now(),
        });
        this.#sweepRegularly();
      },
      onsessionclosed: (id) => this.#end(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body, authInfo });
    if (transport.sessionId === undefined) await server.close().catch(() => {});
    return response;
  }

  async #pass(
    session: LegacySession,
    id: string,
    { request, body, authInfo }: LegacyRequest,
  ): Promise<Response> {
    this.#touch(session, id);
    session.streams++;
    const response = await session.transport.handleRequest(request, { parsedBody: body, authInfo });
    // What was cancelled stays without an answer, so that nothing else would end its stream.
    for (const id of cancelledIn(body)) session.transport.closeSSEStream(id);
    const stop = request.method === "GET" && response.ok ? this.#listen(session) : () => {};
    return watchStream(response, () => {
      stop();
      session.streams--;
      session.usedAt = performance.now();
    });
  }

  // Only over the stream that a client opened for it can it be told of changes.
  #listen({ server }: LegacySession): () => void {
    return this.#options.onListChange(() => void server.sendToolListChanged().catch(() => {}));
  }

  /** The newest come last, so that the first one was quiet for longest. */
  #touch(session: LegacySession, id: string): void {
    session.usedAt = performance.now();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
  }

  #makeRoom(): boolean {
    if (this.#sessions.size < this.#options.max) return true;
    this.sweep();
    if (this.#sessions.size < this.#options.max) return true;
    const quiet = [...this.#sessions].find(([, { streams }]) => streams === 0);
    if (quiet === undefined) return false;
    void this.#end(quiet[0]);
    return true;
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    if (this.#sessions.size === 0) {
      clearInterval(this.#sweeper);
      this.#sweeper = undefined;
    }
    await session.server.close().catch(() => {});
  }

  #sweepRegularly(): void {
    if (this.#sweeper !== undefined) return;
    this.#sweeper = setInterval(() => this.sweep(), SWEEP_MS);
    // A session that nobody uses keeps no process alive.
    Deno.unrefTimer(this.#sweeper as unknown as number);
  }
}

function cancelledIn(body: unknown): readonly RequestId[] {
  const messages = [body].flat() as Partial<CancelledNotification>[];
  return messages.flatMap((message) => {
    const id = message?.method === "notifications/cancelled" && message.params?.requestId;
    return typeof id === "string" || typeof id === "number" ? [id] : [];
  });
}
