/**
 * The HTTP face on a socket.
 * @module
 */
import type { Runtime } from "../runtime/runtime_types.ts";
import { createHttpHandler, type HttpHandlerOptions } from "./http_handler.ts";
import type { MountedFace } from "./mounted_face.ts";
import { PersistentListener } from "./persistent_listener.ts";
import { problemResponse } from "./problem.ts";
import { Traffic } from "./traffic.ts";

/** Options of {@linkcode startHttpServer}. */
export interface HttpServerOptions extends Omit<HttpHandlerOptions, "port"> {
  /** The address to listen on. @default {"127.0.0.1"} */
  readonly hostname?: string;
  /** The port to listen on; 0 takes a free one. @default {8787} */
  readonly port?: number;
}

/** A server that listens. */
export interface HttpServer extends AsyncDisposable {
  /** Where it listens, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  /** The port it listens on. */
  readonly port: number;
  /**
   * Takes no new request and waits for those under way.
   *
   * @param graceMs Milliseconds after which the rest is cut off.
   */
  drain(graceMs: number): Promise<void>;
}

/**
 * Listens on an address.
 *
 * @param runtime Lists and calls the tools.
 * @param options Where to listen, who may talk to it, and its bounds.
 * @returns The server, listening.
 * @throws {Deno.errors.AddrInUse} If the port is taken.
 * @throws {Error} If tools run in this process: a worker can reach the descriptors of a listener, and answer its
 * clients (measured on Deno 2.9.6).
 */
export function startHttpServer(runtime: Runtime, options: HttpServerOptions = {}): HttpServer {
  if (runtime.isolation === "in-process") {
    throw new Error(
      "Cannot serve where tools run in the server's own process: they could answer its clients. " +
        "Grant --allow-run=deno, or leave isolation.inProcess out of the configuration",
    );
  }
  const { hostname = "127.0.0.1", port = 8787 } = options;
  const traffic = new Traffic();
  const listener = new PersistentListener(
    { hostname, port },
    (request) => traffic.pass(request, handler),
    problemResponse,
  );
  const allowedHosts = [...options.allowedHosts ?? [], ...nameable(hostname)];
  const handler = createHttpHandler(runtime, { ...options, port: listener.port, allowedHosts });
  const shown = hostname.includes(":") ? `[${hostname}]` : hostname;
  let draining: Promise<void> | undefined;
  return {
    url: `http://${shown}:${listener.port}`,
    port: listener.port,
    drain: (graceMs) => draining ??= drain({ listener, traffic, mcp: options.mcp }, graceMs),
    [Symbol.asyncDispose]() {
      return this.drain(0);
    },
  };
}

/** An address that stands for all of them names nothing that a client could ask for. */
function nameable(hostname: string): readonly string[] {
  if (hostname === "0.0.0.0" || hostname === "::") return [];
  return [hostname.includes(":") ? `[${hostname}]` : hostname];
}

/** What has to end. */
interface Serving {
  readonly listener: PersistentListener;
  readonly traffic: Traffic;
  readonly mcp: MountedFace | undefined;
}

async function drain({ listener, traffic, mcp }: Serving, graceMs: number): Promise<void> {
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), graceMs);
  // Aborting a server that is shutting down throws on Deno 2.9.6, so the choice comes before either.
  // A stream keeps its connection, so the face that holds them ends them.
  const ended = Promise.all([traffic.close(), mcp?.close(graceMs)]);
  if (await Promise.race([ended, late.promise]) === "late") listener.cut();
  else await Promise.race([listener.shutdown(), late.promise]);
  clearTimeout(timer);
}
