/** Servers of the network, on the loopback, in this process. */
import {
  createMcpHandler,
  type McpHttpHandler,
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
