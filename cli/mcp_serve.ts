/**
 * `cloister mcp` without a word behind it: the MCP server on stdin and stdout.
 * @module
 */
import { resolve } from "../runtime/paths.ts";
import { type CommandContext, EXIT, UsageError } from "./command.ts";
import { watchInterrupt } from "./interrupt.ts";
import { openRuntime } from "./options.ts";
import { VERSION } from "./version.ts";

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
  const { serveMcpStdio } = await import("../mcp/server/serve_stdio.ts");
  const { openStandardStreams } = await import("../mcp/server/standard_streams.ts");
  await serveMcpStdio(runtime, {
    ...await openStandardStreams(),
    signal: interrupt.signal,
    version: VERSION,
  });
  return EXIT.ok;
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
