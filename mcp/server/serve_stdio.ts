/**
 * The MCP server on a pair of streams, such as stdin and stdout.
 * @module
 */
import { ProtocolError, type Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Runtime } from "../../runtime/runtime_types.ts";
import { buildServer } from "./build_server.ts";
import { McpService } from "./mcp_service.ts";
import { ANYBODY } from "./principal.ts";
import { RateLimiter } from "./rate_limit.ts";
import type { McpServerOptions } from "./server_options.ts";
import { StreamTransport } from "./stream_transport.ts";

/** Options of {@linkcode serveMcpStdio}. */
export interface McpStdioOptions extends McpServerOptions {
  /** Where the client's messages come from. */
  readonly readable: ReadableStream<Uint8Array>;
  /** Where messages to the client go. Nobody else may write there. */
  readonly writable: WritableStream<Uint8Array>;
  /** Ends the server. */
  readonly signal?: AbortSignal;
  /** Longest message in bytes. @default {4_194_304} */
  readonly maxLineBytes?: number;
  /** Milliseconds that calls under way may still take once no further message can come. @default {2_000} */
  readonly drainMs?: number;
}

/** A client on the same machine is its user's own; this only stops one that runs away. */
const RATE = { perSecond: 10_000, burst: 20_000 } as const;
const FLUSH_MS = 1_000;

/**
 * Serves one client, of either era, until its messages end or the signal comes. Calls under way are then answered as
 * far as the time for it goes; what is left is cancelled.
 *
 * @param runtime Lists and calls the tools.
 * @param options The streams, and what the server is told.
 * @returns Settles when the connection is over.
 * @throws {Error} If tools run in this process.
 * @throws {RangeError} If an option is out of range.
 */
export async function serveMcpStdio(runtime: Runtime, options: McpStdioOptions): Promise<void> {
  const { readable, writable, maxLineBytes = 4 * 1024 * 1024 } = options;
  using service = new McpService(runtime, { rateLimit: RATE, ...options });
  const { onFault } = service.settings;
  const transport = new StreamTransport({ readable, writable, maxLineBytes });
  const servers = new Map<Server, () => void>();
  const listen = (server: Server): void => {
    if (servers.has(server)) return;
    const tell = () => void server.sendToolListChanged().catch(() => {});
    servers.set(server, service.changes.on(tell));
  };
  const leave = (server: Server): void => {
    servers.get(server)?.();
    servers.delete(server);
  };
  const admit = admission(service);
  const handle = serveStdio(({ era }) => {
    const isModern = era === "modern";
    const server = buildServer(service, { isModern, principal: ANYBODY, admit, wire: transport });
    transport.oncall = (request) => server.takeCall(request);
    // A legacy client hears nothing before it said that it is ready, another one before it subscribes.
    if (isModern) {
      transport.onlisten = (wanted) => wanted ? listen(server) : leave(server);
      // The subscription may be the very message that the server is made for.
      if (transport.isListening) listen(server);
    } else server.oninitialized = () => listen(server);
    server.onclose = () => leave(server);
    return server;
  }, { transport, onerror: (error) => onFault(`An MCP message failed: ${error.message}`) });
  await ending(transport, options.signal);
  // Nobody can come back with answers.
  service.parked[Symbol.dispose]();
  await drain(transport, options.drainMs ?? 2_000);
  await handle.close();
  await transport.flush(FLUSH_MS);
}

function admission(service: McpService): () => void {
  const { rateLimit } = service.settings;
  if (rateLimit === false) return () => {};
  const limiter = new RateLimiter(rateLimit);
  return () => {
    const waitMs = limiter.take(ANYBODY);
    if (waitMs === 0) return;
    throw new ProtocolError(-32_000, `Too many calls: try again in ${waitMs} ms`, {
      retryAfterMs: waitMs,
    });
  };
}

async function ending(transport: StreamTransport, signal: AbortSignal | undefined): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const stop = () => stopped.resolve();
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  await Promise.race([transport.ended, stopped.promise]);
  signal?.removeEventListener("abort", stop);
}

async function drain(transport: StreamTransport, forMs: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, forMs);
  await Promise.race([transport.idle, late.promise]);
  clearTimeout(timer);
}
