/**
 * `cloister mcp remove`: takes an MCP server out of the configuration.
 * @module
 */
import { deleteServer, readConfigFile } from "../mcp/config/edit_config.ts";
import { type CommandContext, EXIT, UsageError } from "./command.ts";
import { shortPath } from "./diagnostics.ts";
import { configPath } from "./mcp_add_target.ts";

/**
 * Runs it. What the server kept in its own folder stays.
 *
 * @param context What was typed, and where to print.
 * @param args What stands behind `remove`.
 * @returns The exit code.
 * @throws {UsageError} If not exactly one server is named.
 * @throws {Error} If the configuration names no such server, or cannot be changed.
 */
export async function runRemove(
  context: CommandContext,
  args: readonly string[],
): Promise<number> {
  const [name, extra] = args;
  if (name === undefined || extra !== undefined) {
    throw new UsageError('Name one server: "cloister mcp remove NAME"');
  }
  const { output, environment } = context;
  const path = configPath(context);
  await deleteServer(await readConfigFile(path), name);
  if (output.json) output.value({ removed: name, path });
  else output.line(`Removed ${name} from ${shortPath(path, environment.cwd)}`);
  return EXIT.ok;
}
