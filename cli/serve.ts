/**
 * `cloister serve`: the HTTP face.
 * @module
 */
import { type HttpServer, startHttpServer } from "../edge/http_server.ts";
import type { HttpServerOptions } from "../edge/http_server.ts";
import type { Runtime } from "../runtime/runtime_types.ts";
import { type CommandContext, EXIT } from "./command.ts";
import { type Interrupt, watchInterrupt } from "./interrupt.ts";
import { LazyMcpFace } from "./mcp_face.ts";
import { openRuntime } from "./options.ts";
import { isLoopback, serverOptions } from "./serve_options.ts";
import { ServerLog } from "./server_log.ts";

/** Calls under way at the end get this long. */
const DRAIN_MS = 4_000;
/** What belongs to the runtime is gone after this long, or is left to the operating system. */
const CLOSE_MS = 900;

/**
 * Runs it.
 *
 * @param context What was typed, and where to print.
 * @returns The exit code.
 */
export function run(context: CommandContext): Promise<number> {
  return serve(context, () => Promise.resolve());
}

/**
 * Serves until a signal comes or the reader of the log goes away; then takes no new request, and gives the calls
 * under way a few seconds.
 *
 * @param context What was typed.
 * @param announce Says more once it listens.
 * @returns The exit code.
 * @throws {Error} If the address cannot be listened on.
 */
export async function serve(
  context: CommandContext,
  announce: (runtime: Runtime, url: string) => Promise<void>,
): Promise<number> {
  const options = serverOptions(context);
  const log = new ServerLog(context.output);
  using interrupt = watchInterrupt();
  warnOpen(context, options);
  const runtime = await openRuntime(context, { mcp: "background" });
  try {
    const server = listen(runtime, {
      ...options,
      mcp: new LazyMcpFace(runtime),
      onRequest: (record) => log.request(record),
    });
    using _log = log.follow(runtime);
    await using _watch = runtime.watch();
    log.listening(server.url);
    await announce(runtime, server.url);
    await stopWanted(context, interrupt);
    log.stopping();
    await server.drain(DRAIN_MS);
  } finally {
    await within(CLOSE_MS, runtime[Symbol.asyncDispose]());
  }
  return EXIT.ok;
}

function listen(runtime: Runtime, options: HttpServerOptions): HttpServer {
  try {
    return startHttpServer(runtime, options);
  } catch (error) {
    const address = `${options.hostname}:${options.port}`;
    if (error instanceof Deno.errors.AddrInUse) {
      throw new Error(
        `Cannot listen on ${address}: the port is in use; name another with --port, 0 for a free one`,
        { cause: error },
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot listen on ${address}: ${reason}`, { cause: error });
  }
}

function warnOpen({ output }: CommandContext, options: HttpServerOptions): void {
  const { hostname = "127.0.0.1", token } = options;
  if (isLoopback(hostname)) return;
  output.warn(
    `Listening on ${hostname}: other machines can reach the tools` +
      (token === undefined ? " without a token; set CLOISTER_TOKEN to ask for one" : ""),
  );
}

function stopWanted({ output }: CommandContext, { signal }: Interrupt): Promise<void> {
  const any = AbortSignal.any([signal, output.closed]);
  return new Promise((resolve) => {
    if (any.aborted) return resolve();
    any.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function within(ms: number, work: PromiseLike<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
