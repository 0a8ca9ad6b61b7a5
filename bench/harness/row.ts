/**
 * What a row of the benchmark is, and what one run of it gives.
 * @module
 */

/** What a figure must be: a ratio where there is a peer, otherwise the figure itself. */
export type Target =
  | { readonly kind: "at most"; readonly limit: number }
  | { readonly kind: "below"; readonly limit: number }
  | { readonly kind: "at least"; readonly limit: number };

/** Which figure of the samples is judged. */
export type Statistic = "median" | "p99" | "worst";

/** What samples count. `ms` and `bytes` are printed in the size that reads best. */
export type Unit =
  | "ms"
  | "bytes"
  | "calls/s"
  | "lookups"
  | "waits"
  | "faults"
  | "cells"
  | "processes";

/** One comparison, or one figure, of a row. */
export interface Part {
  /** What is compared; empty when the row has one part. */
  readonly name: string;
  /** What the samples count. */
  readonly unit: Unit;
  /** Our samples. */
  readonly ours: readonly number[];
  /** The peer's or the floor's samples of the same run. */
  readonly peer?: readonly number[];
  /** What must hold; absent for a part that is only reported. */
  readonly target?: Target;
  /** Which figure is judged. @default {"median"} */
  readonly statistic?: Statistic;
  /** What to say beside a miss. */
  readonly detail?: string;
}

/** How a row is run. */
export interface RunOptions {
  /** Measure less, where the row takes minutes. */
  readonly short: boolean;
}

/** A row of the benchmark. A run of it happens in a process of its own. */
export interface BenchRow {
  /** For example `P4`. */
  readonly id: string;
  /** What is measured. */
  readonly title: string;
  /** What it is compared with. */
  readonly peer: string;
  /** Measures once. */
  run(options: RunOptions): Promise<readonly Part[]>;
}

/** What one run of a row leaves behind for the harness. */
export type RunOutcome =
  & Pick<BenchRow, "id" | "title" | "peer">
  & (
    | { readonly parts: readonly Part[] }
    | { readonly skipped: string }
    | { readonly failed: string }
  );

/** Thrown by a row that cannot be measured on this machine. */
export class SkipRow extends Error {
  /**
   * Makes the error.
   *
   * @param reason What is missing.
   */
  constructor(reason: string) {
    super(reason);
    this.name = "SkipRow";
  }
}
