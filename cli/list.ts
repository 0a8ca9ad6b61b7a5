/**
 * `cloister list`: the table of tools.
 * @module
 */
import { type ListedTool, listTools, type ToolList } from "../edge/tool_list.ts";
import { type Command, type CommandContext, EXIT } from "./command.ts";
import { permissionsText } from "./grants_text.ts";
import { openRuntime } from "./options.ts";
import { renderTable } from "./tables.ts";

/** The command. */
export const listCommand: Command = {
  name: "list",
  summary: "List the tools with toolset, availability, isolation and permissions",
  usage: "[--all] [--toolset T]",
  arity: { min: 0, max: 0 },
  options: {
    all: { type: "boolean", help: "also tools of toolsets that the configuration leaves out" },
    toolset: { type: "string", value: "T", help: "only tools of this toolset" },
  },
  details: "Files that could not be loaded are named on stderr ('failures' in JSON).",
  examples: [
    ["cloister list --toolset file", "one toolset"],
    ["cloister list --root ./my-tools --json", "a folder of your own, as JSON"],
  ],
  run,
};

async function run(context: CommandContext): Promise<number> {
  const { output, options } = context;
  await using runtime = await openRuntime(context);
  const list = await listTools(runtime, { all: options.flag("all") });
  const toolset = options.text("toolset");
  const tools = list.tools.filter((tool) => toolset === undefined || tool.toolset === toolset);
  const shown: ToolList = { ...list, tools };
  if (output.json) {
    output.value(shown);
    return EXIT.ok;
  }
  output.line(toolTable(tools, (text) => output.style("bold", text)));
  return EXIT.ok;
}

function toolTable(tools: readonly ListedTool[], styleHead: (text: string) => string): string {
  if (tools.length === 0) return "No tools.";
  const rows = tools.map((tool) => [
    tool.name,
    tool.toolset,
    tool.available ? "yes" : `no: ${tool.reason ?? "unknown"}`,
    tool.isolation,
    permissionsText(tool.permissions),
  ]);
  return renderTable(["NAME", "TOOLSET", "AVAILABLE", "ISOLATION", "PERMISSIONS"], rows, styleHead);
}
