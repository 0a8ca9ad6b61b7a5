/** Servers of the network, on the loopback, in this process. */
import {
  createMcpHandler,
  type JSONRPCMessage,
  type McpHttpHandler,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { McpServerSpec } from "../../../mcp/config/server_config.ts";
import { createSampleServer } from "../../fixtures/mcp/sample_server.ts";

/** A server of the network. */
export interface HttpServer extends AsyncDisposable {
  readonly launch: Extract<McpServerSpec["launch"], { readonly kind: "http" }>;
  /** The requests that came in. */
  readonly requests: Request[];
}

/** Serves requests in any way. */
export function serve(
  respond: (request: Request) => Response | Promise<Response>,
  headers: Record<string, string> = {},
): HttpServer {
  const requests: Request[] = [];
  const over = new AbortController();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    signal: over.signal,
    onListen: () => {},
  }, (request) => {
    requests.push(request.clone());
    return respond(request);
  });
  return {
    launch: { kind: "http", url: `http://127.0.0.1:${server.addr.port}/mcp`, headers },
    requests,
    async [Symbol.asyncDispose]() {
      // At once: streams that stay open would hold a gentle end.
      over.abort();
      await server.finished;
    },
  };
}

/** The sample server in the modern era. */
export function serveModern(): HttpServer & { readonly handler: McpHttpHandler } {
  const handler = createMcpHandler(() => createSampleServer(() => {}));
  return { ...serve((request) => handler.fetch(request)), handler };
}

/** The sample server in the older era, with sessions. */
export function serveSessions(): HttpServer & { readonly sessions: Map<string, unknown> } {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const respond = async (request: Request): Promise<Response> => {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      return await sessions.get(id)?.handleRequest(request) ??
        new Response("Session not found", { status: 404 });
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (session) => void sessions.set(session, transport),
      onsessionclosed: (session) => void sessions.delete(session),
    });
    await createSampleServer(() => {}).connect(transport);
    return await transport.handleRequest(request);
  };
  return { ...serve(respond), sessions };
}

/** The older transport with two endpoints: a stream that stays open, and an address for messages. */
class EventStream implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly stream: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;

  constructor(endpoint: string) {
    this.stream = new ReadableStream({
      start: (controller) => void (this.#controller = controller),
      cancel: () => this.onclose?.(),
    });
    this.#tell("endpoint", endpoint);
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#tell("message", JSON.stringify(message));
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#controller.close();
    this.onclose?.();
    return Promise.resolve();
  }

  #tell(event: string, data: string): void {
    this.#controller.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${data}\n\n`));
  }
}

/** The sample server over the older transport and no other. */
export function serveEventStream(): HttpServer {
  const open = new Map<string, EventStream>();
  return serve(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method === "GET" && pathname === "/mcp") {
      const id = crypto.randomUUID();
      const transport = new EventStream(`/messages?id=${id}`);
      open.set(id, transport);
      await createSampleServer(() => {}).connect(transport);
      return new Response(transport.stream, { headers: { "content-type": "text/event-stream" } });
    }
    const transport = open.get(searchParams.get("id") ?? "");
    if (request.method !== "POST" || pathname !== "/messages" || transport === undefined) {
      await request.body?.cancel();
      return new Response("Method not allowed", { status: 405 });
    }
    transport.onmessage?.(await request.json());
    return new Response("Accepted", { status: 202 });
  });
}
