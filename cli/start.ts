/**
 * `cloister start`: serve, with a word about what is served.
 * @module
 */
import { type ListedTool, listTools } from "../edge/tool_list.ts";
import type { Runtime } from "../runtime/runtime_types.ts";
import type { CommandContext } from "./command.ts";
import { checkLine } from "./doctor.ts";
import { permissionsText } from "./grants_text.ts";
import type { Output } from "./output.ts";
import { serve } from "./serve.ts";
import { renderTable } from "./tables.ts";

/**
 * Runs it.
 *
 * @param context What was typed, and where to print.
 * @returns The exit code.
 */
export function run(context: CommandContext): Promise<number> {
  return serve(context, (runtime, url) => announce(context, runtime, url));
}

async function announce(context: CommandContext, runtime: Runtime, url: string): Promise<void> {
  const { output } = context;
  if (output.json) return;
  const list = await listTools(runtime);
  printTools(output, list.tools);
  printUrls(output, url);
  await printGuarantees(output, runtime);
  output.line("\nStop with Ctrl-C.");
}

function printTools(output: Output, tools: readonly ListedTool[]): void {
  const rows = tools.map((tool) => [
    tool.name,
    tool.toolset,
    tool.available
      ? tool.source.containment ?? tool.isolation
      : `unavailable: ${tool.reason ?? "unknown"}`,
    permissionsText(tool.permissions),
  ]);
  const head = ["NAME", "TOOLSET", "ISOLATION", "GRANTS"];
  output.line("\n" + renderTable(head, rows, (text) => output.style("bold", text)));
}

function printUrls(output: Output, url: string): void {
  output.line("\n" + output.style("bold", "URLs"));
  output.line(`  ${url}/mcp               the tools for MCP clients`);
  output.line(`  ${url}/tools             the tools`);
  output.line(`  ${url}/tools/NAME/call   call one: POST, a JSON object with the arguments`);
  output.line(`  ${url}/openapi.json      the same for programs`);
  output.line(`  ${url}/readyz            whether tools can be called; /healthz whether it lives`);
}

async function printGuarantees(output: Output, runtime: Runtime): Promise<void> {
  const report = await runtime.doctor({ quick: true });
  const title = `Guarantees here (Deno ${report.deno}, isolation: ${report.isolation})`;
  output.line("\n" + output.style("bold", title));
  for (const check of report.checks) output.line(checkLine(output, check));
  for (const limit of runtime.limits) output.warn(limit);
}
