/**
 * `cloister mcp list`: the configured MCP servers and what they are up to.
 * @module
 */
import type { ServerStatus } from "../mcp/client/connection_types.ts";
import { mcpServersOf } from "../mcp/servers_of.ts";
import { type CommandContext, EXIT, UsageError } from "./command.ts";
import { openRuntime } from "./options.ts";
import { renderTable } from "./tables.ts";

/**
 * Runs it: reaches every server, and says how that went.
 *
 * @param context What was typed, and where to print.
 * @param args What stands behind `list`.
 * @returns The exit code: 1 when a server cannot be used.
 * @throws {UsageError} If something stands behind `list`.
 */
export async function runList(context: CommandContext, args: readonly string[]): Promise<number> {
  if (args.length > 0) throw new UsageError(`"mcp list" takes no argument, but got "${args[0]}"`);
  const { output } = context;
  await using runtime = await openRuntime(context, { findings: "none" });
  const servers = mcpServersOf(runtime)?.servers() ?? [];
  if (output.json) output.value({ servers });
  else output.line(table(servers, (text) => output.style("bold", text)));
  return servers.some(({ state }) => state === "failed" || state === "parked")
    ? EXIT.failed
    : EXIT.ok;
}

function table(servers: readonly ServerStatus[], styleHead: (text: string) => string): string {
  if (servers.length === 0) return "No MCP servers. 'cloister mcp add' adds one.";
  const rows = servers.map((server) => [
    server.name,
    server.state,
    server.containment,
    String(server.tools),
    server.error ?? describe(server),
  ]);
  return renderTable(["NAME", "STATE", "CONTAINMENT", "TOOLS", "DETAIL"], rows, styleHead);
}

function describe({ serverInfo, protocolVersion }: ServerStatus): string {
  const info = serverInfo === undefined ? "" : `${serverInfo.name} ${serverInfo.version}`;
  const protocol = protocolVersion === undefined ? "" : `protocol ${protocolVersion}`;
  return [info, protocol].filter((text) => text !== "").join(", ");
}
