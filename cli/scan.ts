/**
 * `cloister scan`: discovery, and the load of what may not load; nothing is called.
 * @module
 */
import { resolve } from "../runtime/paths.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { DiscoveryReport } from "../runtime/runtime_types.ts";
import { type CommandContext, EXIT } from "./command.ts";
import { printDiagnostics, shortPath } from "./diagnostics.ts";
import { openRuntime } from "./options.ts";
import { renderTable } from "./tables.ts";

/**
 * Runs it.
 *
 * @param context What was typed, and where to print.
 * @returns The exit code.
 */
export async function run(context: CommandContext): Promise<number> {
  const { args, output, environment } = context;
  const dirs = args.map((dir) => resolve(environment.cwd, dir));
  for (const dir of dirs) await checkFolder(dir);
  const changes = dirs.length === 0 ? {} : { roots: dirs, builtins: false };
  await using runtime = await openRuntime(context, {
    changes,
    findings: "none",
    mcp: "off",
    settle: (runtime) => runtime.verifyModules(),
  });
  const report = runtime.lastDiscovery ?? await runtime.discover();
  const diagnostics = report.modules.flatMap((module) => module.diagnostics);
  if (output.json) output.value(report);
  else printReport(context, report, diagnostics);
  return diagnostics.some(({ severity }) => severity === "error") ? EXIT.failed : EXIT.ok;
}

function printReport(
  { output, environment }: CommandContext,
  report: DiscoveryReport,
  diagnostics: readonly Diagnostic[],
): void {
  const rows = report.modules.map((module) => [
    shortPath(module.path, environment.cwd),
    module.status,
    module.tools.join(", "),
  ]);
  if (rows.length === 0) output.line("No candidate files.");
  else {output.line(renderTable(["FILE", "STATUS", "TOOLS"], rows, (text) =>
      output.style("bold", text)));}
  printDiagnostics(output, diagnostics, environment.cwd);
  const { hits, misses } = report.cache;
  const time = Math.round(report.durationMs);
  output.info(`${rows.length} files in ${time} ms, ${hits} known, ${misses} read anew`);
}

async function checkFolder(dir: string): Promise<void> {
  const { isDirectory } = await Deno.stat(dir).catch((error) => {
    throw new Error(`Cannot scan "${dir}": ${error.message}`);
  });
  if (!isDirectory) throw new Error(`Cannot scan "${dir}": it is not a folder`);
}
