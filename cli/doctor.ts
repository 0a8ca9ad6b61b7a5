/**
 * `cloister doctor`: what this machine and Deno version guarantee.
 * @module
 */
import type { DoctorCheck, DoctorReport } from "../runtime/runtime_types.ts";
import { type CommandContext, EXIT } from "./command.ts";
import { neutraliseLine } from "../core/neutralise.ts";
import { openRuntime } from "./options.ts";
import type { Output, Style } from "./output.ts";
import { withProgress } from "./progress.ts";

const STYLE_OF: Readonly<Record<DoctorCheck["status"], Style>> = {
  pass: "green",
  fail: "red",
  skip: "yellow",
};

/**
 * Runs it.
 *
 * @param context What was typed, and where to print.
 * @returns The exit code.
 */
export async function run(context: CommandContext): Promise<number> {
  const { output } = context;
  await using runtime = await openRuntime(context, { mcp: "off" });
  const report = await withProgress(output, "Examining this machine", runtime.doctor());
  if (output.json) output.value(report);
  else printReport(output, report, runtime.limits);
  return report.checks.some(({ status }) => status === "fail") ? EXIT.failed : EXIT.ok;
}

function printReport(output: Output, report: DoctorReport, limits: readonly string[]): void {
  output.line(`Deno ${report.deno}, isolation: ${report.isolation}`);
  for (const check of report.checks) output.line(checkLine(output, check));
  for (const limit of limits) output.warn(limit);
}

/**
 * One check as a line.
 *
 * @param output Colours.
 * @param check The check.
 * @returns The line.
 */
export function checkLine(output: Output, check: DoctorCheck): string {
  const status = output.style(STYLE_OF[check.status], check.status);
  const detail = check.detail === ""
    ? ""
    : output.style("dim", ` (${neutraliseLine(check.detail)})`);
  return `  ${status}  ${neutraliseLine(check.name)}${detail}`;
}
