/**
 * Writes rows for people.
 * @module
 */
import type { Target, Unit } from "./row.ts";
import type { Figures, PartSummary, RowSummary } from "./summary.ts";

function threeDigits(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/**
 * Writes a figure in the size that reads best.
 *
 * @param value The figure.
 * @param unit What it counts.
 * @returns For example `34.2 µs`.
 */
export function showFigure(value: number, unit: Unit): string {
  if (unit === "bytes") {
    if (value >= 2 ** 20) return `${threeDigits(value / 2 ** 20)} MB`;
    return value >= 1024 ? `${threeDigits(value / 1024)} kB` : `${threeDigits(value)} B`;
  }
  if (unit !== "ms") return `${threeDigits(value)} ${unit}`;
  if (value >= 1 || value === 0) return `${threeDigits(value)} ms`;
  return value >= 1e-3 ? `${threeDigits(value * 1e3)} µs` : `${threeDigits(value * 1e6)} ns`;
}

function showFigures({ p50, p99 }: Figures, unit: Unit): string {
  return `${showFigure(p50, unit)} (p99 ${showFigure(p99, unit)})`;
}

function showTarget({ kind, limit }: Target, part: PartSummary): string {
  const sign = { "at most": "<=", below: "<", "at least": ">=" }[kind];
  return `${sign} ${part.peer ? `${limit}x` : showFigure(limit, part.unit)}`;
}

function showPart(part: PartSummary): string {
  const verdict = part.ok === undefined ? "  - " : part.ok ? " ok " : "MISS";
  const name = part.name ? `${part.name}: ` : "";
  const value = part.peer
    ? `${threeDigits(part.value)}x  [${part.runs.map(threeDigits).join(", ")}]`
    : showFigure(part.value, part.unit);
  const target = part.target ? `, target ${showTarget(part.target, part)}` : ", only reported";
  const peer = part.peer ? `, peer ${showFigures(part.peer, part.unit)}` : "";
  const detail = part.ok === false && part.detail ? `\n          ${part.detail}` : "";
  return `  ${verdict}  ${name}${value}${target}; ours ${
    showFigures(part.ours, part.unit)
  }${peer}${detail}`;
}

/**
 * Writes a row.
 *
 * @param row The row.
 * @returns Its lines.
 */
export function showRow(row: RowSummary): string {
  const head = `${row.id}  ${row.title} | ${row.peer}`;
  if (row.skipped !== undefined) return `${head}\n  skip  ${row.skipped}`;
  if (row.failed !== undefined) return `${head}\n  MISS  could not be measured: ${row.failed}`;
  return [head, ...row.parts.map(showPart)].join("\n");
}
