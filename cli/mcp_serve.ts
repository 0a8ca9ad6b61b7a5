/**
 * `cloister mcp` without a word behind it: the MCP server on stdin and stdout.
 * @module
 */
import { mcpServersOf } from "../mcp/servers_of.ts";
import { resolve } from "../runtime/paths.ts";
import type { Runtime } from "../runtime/runtime_types.ts";
import { type CommandContext, EXIT, UsageError } from "./command.ts";
import { watchInterrupt } from "./interrupt.ts";
import { openRuntime } from "./options.ts";
import { VERSION } from "./version.ts";

/** How long the first list of tools may wait for the servers in use; clients wait for a minute at least. */
const SERVERS_MS = 10_000;

/**
 * Serves until stdin ends or a signal comes. Nothing but protocol messages goes to stdout, whatever tools print.
 *
 * @param context What was typed, and where to print.
 * @returns The exit code.
 * @throws {UsageError} If the workspace would be the root or the home folder, and nobody said so.
 */
export async function serveStdio(context: CommandContext): Promise<number> {
  assertWorkspace(context);
  using interrupt = watchInterrupt();
  await using runtime = await openRuntime(context, { mcp: "background" });
  await using _watch = runtime.watch();
  await serversReached(runtime, interrupt.signal);
  const { serveMcpStdio } = await import("../mcp/server/serve_stdio.ts");
  const { openStandardStreams } = await import("../mcp/server/standard_streams.ts");
  await serveMcpStdio(runtime, {
    ...await openStandardStreams(),
    signal: interrupt.signal,
    version: VERSION,
  });
  return EXIT.ok;
}

// Many clients list the tools once, right after the handshake. Who is later comes with a notification.
async function serversReached(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const servers = mcpServersOf(runtime);
  if (servers === undefined) return;
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, SERVERS_MS);
  signal.addEventListener("abort", () => late.resolve(), { once: true });
  await Promise.race([servers.ready, late.promise]);
  clearTimeout(timer);
}

// A client starts its servers where it likes, often in the home folder.
function assertWorkspace({ options, environment }: CommandContext): void {
  if (options.text("workspace") !== undefined) return;
  const home = environment.read("HOME") ?? environment.read("USERPROFILE");
  const here = resolve(environment.cwd);
  const isHome = home !== undefined && home !== "" && resolve(home) === here;
  if (!isHome && resolve(here, "..") !== here) return;
  throw new UsageError(
    `Cannot use ${JSON.stringify(here)} as the workspace, because it is ${
      isHome ? "the home folder" : "the root of the file system"
    }: name the folder that the tools work in with --workspace=DIR`,
  );
}
