/**
 * `cloister permissions`: the smallest `deno run` flags for the enabled tools.
 * @module
 */
import { type CommandContext, EXIT } from "./command.ts";
import { openRuntime } from "./options.ts";
import { neutraliseLine } from "../core/neutralise.ts";

/**
 * Runs it.
 *
 * @param context What was typed, and where to print.
 * @returns The exit code.
 */
export async function run(context: CommandContext): Promise<number> {
  const { output } = context;
  await using runtime = await openRuntime(context, { mcp: "off" });
  const flags = runtime.permissionFlags();
  if (output.json) output.value({ flags });
  else output.line(flags.map(neutraliseLine).join(" "));
  return EXIT.ok;
}
