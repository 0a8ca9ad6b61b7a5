/**
 * `cloister list`: the table of tools.
 * @module
 */
import { type ListedTool, listTools, type ToolList } from "../edge/tool_list.ts";
import type { Runtime } from "../runtime/runtime_types.ts";
import { type CommandContext, EXIT } from "./command.ts";
import { permissionsText } from "./grants_text.ts";
import { openRuntime } from "./options.ts";
import type { Output } from "./output.ts";
import { renderTable } from "./tables.ts";

/**
 * Runs it.
 *
 * @param context What was typed, and where to print.
 * @returns The exit code.
 */
export async function run(context: CommandContext): Promise<number> {
  const { output, options } = context;
  const all = options.flag("all");
  await using runtime = await openRuntime(context, {
    settle: (runtime) => all ? runtime.verifyModules() : runtime.getDefinitions(),
  });
  const list = await listTools(runtime, { all });
  const toolset = options.text("toolset");
  const wanted = toolset === undefined ? undefined : namesOf(runtime, toolset, output);
  const tools = list.tools.filter(({ name }) => wanted?.has(name) ?? true);
  const shown: ToolList = { ...list, tools };
  if (output.json) {
    output.value(shown);
    return EXIT.ok;
  }
  output.line(toolTable(tools, (text) => output.style("bold", text)));
  return EXIT.ok;
}

function namesOf(runtime: Runtime, toolset: string, output: Output): ReadonlySet<string> {
  const { found, tools, near = [] } = runtime.resolveToolset(toolset);
  if (!found) {
    const hint = near.length === 0 ? "" : `. Did you mean ${near.map(quote).join(" or ")}?`;
    output.warn(`Unknown toolset ${quote(toolset)}${hint}`);
  }
  return new Set(tools);
}

function quote(name: string): string {
  return JSON.stringify(name);
}

function toolTable(tools: readonly ListedTool[], styleHead: (text: string) => string): string {
  if (tools.length === 0) return "No tools.";
  const rows = tools.map((tool) => [
    tool.name,
    tool.toolset,
    tool.available ? "yes" : `no: ${tool.reason ?? "unknown"}`,
    tool.source.containment ?? tool.isolation,
    permissionsText(tool.permissions),
  ]);
  return renderTable(["NAME", "TOOLSET", "AVAILABLE", "ISOLATION", "PERMISSIONS"], rows, styleHead);
}
