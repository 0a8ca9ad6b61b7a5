/**
 * Figures of samples.
 * @module
 */
import type { Statistic } from "./row.ts";

/**
 * A quantile of samples, by the nearest rank.
 *
 * @param samples The samples, in any order.
 * @param share From 0 to 1; 0.5 is the median.
 * @returns The quantile.
 * @throws {RangeError} If there are no samples.
 */
export function quantile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new RangeError("Cannot take a quantile of no samples");
  const sorted = samples.toSorted((a, b) => a - b);
  const rank = Math.ceil(share * sorted.length) - 1;
  return sorted[Math.min(Math.max(rank, 0), sorted.length - 1)]!;
}

/**
 * The figure of samples that a target judges.
 *
 * @param samples The samples.
 * @param statistic Which figure.
 * @returns The figure.
 */
export function figureOf(samples: readonly number[], statistic: Statistic): number {
  if (statistic === "worst") return Math.max(...samples);
  return quantile(samples, statistic === "p99" ? 0.99 : 0.5);
}
