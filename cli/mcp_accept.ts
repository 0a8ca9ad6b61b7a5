/**
 * `cloister mcp accept`: takes a server's changed definitions for good.
 * @module
 */
import { mcpServersOf } from "../mcp/servers_of.ts";
import { isAccepted } from "./approval.ts";
import { type CommandContext, EXIT, UsageError } from "./command.ts";
import { openRuntime } from "./options.ts";

/**
 * Runs it. Each change is shown, and taken when the person says yes to what was shown.
 *
 * @param context What was typed, and where to print.
 * @param args The server, and a tool of it by the server's own name; without the tool all of its changes are taken.
 * @returns The exit code.
 * @throws {UsageError} If no server is named, or none of that name is configured.
 */
export async function runAccept(
  context: CommandContext,
  args: readonly string[],
): Promise<number> {
  const [server, tool] = args;
  const { output } = context;
  if (server === undefined || args.length > 2) {
    throw new UsageError("Cannot accept: usage: cloister mcp accept SERVER [TOOL]");
  }
  await using runtime = await openRuntime(context, { mcp: "wait", findings: "none" });
  const servers = mcpServersOf(runtime);
  if (servers === undefined || !servers.servers().some(({ name }) => name === server)) {
    throw new UsageError(`There is no MCP server "${server}": see 'cloister mcp list'`);
  }
  const changes = (await servers.changes()).filter((change) =>
    change.server === server && (tool === undefined || change.tool === tool)
  );
  if (changes.length === 0) {
    if (output.json) output.value({ server, accepted: [] });
    else output.info(`Nothing of "${server}" waits to be accepted`);
    return EXIT.ok;
  }
  for (const { tool: name, fields, lines } of changes) {
    output.info(
      `${name}: ${fields.join(", ")} changed\n${lines.map((line) => `  ${line}`).join("\n")}`,
    );
  }
  if (!await isAccepted(context)) return EXIT.failed;
  const accepted = await servers.accept(server, tool);
  if (output.json) output.value({ server, accepted });
  else output.info(`Accepted: ${accepted.join(", ")}`);
  return EXIT.ok;
}
