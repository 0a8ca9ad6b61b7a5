import assert from "node:assert/strict";
import { figureOf, quantile } from "../../../bench/harness/stats.ts";

Deno.test("quantile() takes the nearest rank of unsorted samples", () => {
  const samples = [5, 1, 4, 2, 3, 6, 7, 8, 9, 10];
  assert.equal(quantile(samples, 0.5), 5);
  assert.equal(quantile(samples, 0.99), 10);
  assert.equal(quantile(samples, 0), 1);
  assert.deepEqual(samples.slice(0, 3), [5, 1, 4]);
});

Deno.test("quantile() refuses to judge no samples", () => {
  assert.throws(() => quantile([], 0.5), RangeError);
});

Deno.test("figureOf() gives the statistic that a row asks for", () => {
  const samples = [3, 1, 2, 40];
  assert.equal(figureOf(samples, "median"), 2);
  assert.equal(figureOf(samples, "p99"), 40);
  assert.equal(figureOf(samples, "worst"), 40);
});
