/**
 * `cloister doctor`: what this machine and Deno version guarantee.
 * @module
 */
import type { DoctorCheck, DoctorReport } from "../runtime/runtime_types.ts";
import { type Command, type CommandContext, EXIT } from "./command.ts";
import { neutraliseLine } from "./neutralise.ts";
import { openRuntime } from "./options.ts";
import type { Output, Style } from "./output.ts";
import { withProgress } from "./progress.ts";

/** The command. */
export const doctorCommand: Command = {
  name: "doctor",
  summary: "Say what this machine and Deno version guarantee",
  usage: "",
  arity: { min: 0, max: 0 },
  options: {},
  details: "Exit code 1 when a guarantee does not hold.",
  examples: [["cloister doctor --json", "the checks, as JSON"]],
  run,
};

const STYLE_OF: Readonly<Record<DoctorCheck["status"], Style>> = {
  pass: "green",
  fail: "red",
  skip: "yellow",
};

async function run(context: CommandContext): Promise<number> {
  const { output } = context;
  await using runtime = await openRuntime(context);
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
