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
 * Lists what failed in a run, excused or not.
 *
 * @param outcome The run.
 * @returns A line for each scenario with a failure or a warning, and one below it for each of its checks that did not
 * pass; empty where all passed.
 */
export function failureList({ scenarios }: LegOutcome): string {
  return scenarios.flatMap(({ scenario, checks }) => {
    const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
    if (bad.length === 0) return [];
    const lines = bad.map(({ id, errorMessage = "no reason given" }) => `  ${id}: ${errorMessage}`);
    return [`${scenario}: ${tally(checks).passed} passed, ${bad.length} not`, ...lines];
  }).join("\n");
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row.map((cell, at) => cell.padEnd(widths?.[at] ?? 0)).join("  ").trimEnd()
  )
    .join("\n");
}
