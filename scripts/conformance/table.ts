/**
 * Writes down what came of the runs of the suite.
 * @module
 */
import { tally } from "./checks.ts";
import type { LegOutcome } from "./judge_leg.ts";

/**
 * Makes a table, a line for each run.
 *
 * @param outcomes The runs.
 * @returns The table.
 */
export function outcomeTable(outcomes: readonly LegOutcome[]): string {
  const rows = outcomes.map(({ leg, ok, scenarios, tally }) => [
    leg.side,
    leg.revision,
    String(scenarios.length),
    String(tally.passed),
    String(tally.failed),
    String(tally.warned),
    ok ? "holds" : "FAILS",
  ]);
  const head = ["side", "revision", "scenarios", "passed", "failed", "warned", ""];
  return alignColumns([head, ...rows]);
}

/**
 * Makes a table of what failed in a run, a line for each scenario with a failure.
 *
 * @param outcome The run.
 * @returns The table; empty where nothing failed.
 */
export function failureTable({ scenarios }: LegOutcome): string {
  const rows = scenarios.flatMap(({ scenario, checks }) => {
    const { passed, failed, warned } = tally(checks);
    return failed + warned === 0
      ? []
      : [[scenario, `${passed} passed`, `${failed} failed`, `${warned} warned`]];
  });
  return alignColumns(rows);
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row.map((cell, at) => cell.padEnd(widths?.[at] ?? 0)).join("  ").trimEnd()
  )
    .join("\n");
}
