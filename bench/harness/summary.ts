/**
 * Joins the runs of a row and judges its parts.
 * @module
 */
import type { Part, RunOutcome, Statistic, Target, Unit } from "./row.ts";
import { figureOf, quantile } from "./stats.ts";

/** Median and p99 of all samples of all runs. */
export interface Figures {
  /** The median. */
  readonly p50: number;
  /** The 99th percentile. */
  readonly p99: number;
}

/** A part of a row after all runs. */
export interface PartSummary {
  /** What is compared. */
  readonly name: string;
  /** What the figures count. */
  readonly unit: Unit;
  /** Ours. */
  readonly ours: Figures;
  /** The peer's. */
  readonly peer?: Figures;
  /** What is judged: the ratio to the peer, or our own figure; one for each run. */
  readonly runs: readonly number[];
  /** Their median; the worst of them where the worst is judged. */
  readonly value: number;
  /** What must hold. */
  readonly target?: Target;
  /** Whether it holds; absent for a part that is only reported. */
  readonly ok?: boolean;
  /** What to say beside a miss. */
  readonly detail?: string;
}

/** A row after all runs. */
export interface RowSummary {
  /** For example `P4`. */
  readonly id: string;
  /** What is measured. */
  readonly title: string;
  /** What it is compared with. */
  readonly peer: string;
  /** Its parts. */
  readonly parts: readonly PartSummary[];
  /** Why it was not measured. */
  readonly skipped?: string;
  /** Why it could not be measured: counts as a miss. */
  readonly failed?: string;
}

/**
 * Whether a figure meets its target.
 *
 * @param value The figure.
 * @param target What must hold.
 * @returns True when it does.
 */
export function meets(value: number, target: Target): boolean {
  if (target.kind === "at most") return value <= target.limit;
  if (target.kind === "below") return value < target.limit;
  return value >= target.limit;
}

function judged(part: Part): number {
  const statistic: Statistic = part.statistic ?? "median";
  const ours = figureOf(part.ours, statistic);
  return part.peer ? ours / figureOf(part.peer, statistic) : ours;
}

function figures(samples: readonly number[]): Figures {
  return { p50: quantile(samples, 0.5), p99: quantile(samples, 0.99) };
}

function joinPart(parts: readonly Part[]): PartSummary {
  const { name, unit, target, statistic, peer } = parts[0]!;
  const runs = parts.map(judged);
  const value = statistic === "worst" ? Math.max(...runs) : quantile(runs, 0.5);
  return {
    name,
    unit,
    ours: figures(parts.flatMap((part) => part.ours)),
    ...(peer && { peer: figures(parts.flatMap((part) => part.peer ?? [])) }),
    runs,
    value,
    ...(target && { target, ok: meets(value, target) }),
    detail: parts.find((part) => part.detail !== undefined)?.detail,
  };
}

/**
 * Joins the runs of one row.
 *
 * @param outcomes What the runs left behind, at least one.
 * @returns The row.
 */
export function joinRuns(outcomes: readonly RunOutcome[]): RowSummary {
  const { id, title, peer } = outcomes[0]!;
  const lists: (readonly Part[])[] = [];
  for (const outcome of outcomes) {
    if ("skipped" in outcome) return { id, title, peer, parts: [], skipped: outcome.skipped };
    if ("failed" in outcome) return { id, title, peer, parts: [], failed: outcome.failed };
    lists.push(outcome.parts);
  }
  const parts = lists[0]!.map((_, index) => joinPart(lists.map((list) => list[index]!)));
  return { id, title, peer, parts };
}

/**
 * Whether a row counts as a miss.
 *
 * @param row The row.
 * @returns True when it failed, or one of its parts misses its target.
 */
export function isMiss(row: RowSummary): boolean {
  return row.failed !== undefined || row.parts.some((part) => part.ok === false);
}
