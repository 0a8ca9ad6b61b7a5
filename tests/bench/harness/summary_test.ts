import assert from "node:assert/strict";
import type { Part, RunOutcome } from "../../../bench/harness/row.ts";
import { isMiss, joinRuns, meets } from "../../../bench/harness/summary.ts";

const HEAD = { id: "P0", title: "a thing", peer: "another" };

function run(part: Partial<Part>): RunOutcome {
  return { ...HEAD, parts: [{ name: "", unit: "ms", ours: [1], ...part }] };
}

Deno.test("joinRuns() judges the median of the runs' ratios, not of all samples", () => {
  const target = { kind: "at most", limit: 2 } as const;
  const row = joinRuns([
    run({ ours: [10, 10, 10], peer: [10, 10, 10], target }),
    run({ ours: [30], peer: [10], target }),
    run({ ours: [15], peer: [10], target }),
  ]);
  assert.deepEqual(row.parts[0]!.runs, [1, 3, 1.5]);
  assert.equal(row.parts[0]!.value, 1.5);
  assert.equal(row.parts[0]!.ok, true);
  assert.equal(isMiss(row), false);
});

Deno.test("joinRuns() judges the worst of all runs when a part says so", () => {
  const part = { statistic: "worst", target: { kind: "below", limit: 5 } } as const;
  const row = joinRuns([run({ ours: [1, 2], ...part }), run({ ours: [1, 5], ...part })]);
  assert.equal(row.parts[0]!.value, 5);
  assert.equal(isMiss(row), true);
});

Deno.test("joinRuns() reports a part without a target and judges nothing", () => {
  const row = joinRuns([run({ ours: [100], peer: [1] })]);
  assert.equal(row.parts[0]!.ok, undefined);
  assert.equal(isMiss(row), false);
});

Deno.test("isMiss() counts a row that could not be measured, and not one that was skipped", () => {
  const failed = joinRuns([run({}), { ...HEAD, failed: "it broke" }]);
  assert.equal(failed.failed, "it broke");
  assert.equal(isMiss(failed), true);
  const skipped = joinRuns([{ ...HEAD, skipped: "python3 is not there" }]);
  assert.equal(skipped.skipped, "python3 is not there");
  assert.equal(isMiss(skipped), false);
});

Deno.test("meets() tells at most, below and at least apart at their limit", () => {
  assert.equal(meets(2, { kind: "at most", limit: 2 }), true);
  assert.equal(meets(2, { kind: "below", limit: 2 }), false);
  assert.equal(meets(2, { kind: "at least", limit: 2 }), true);
  assert.equal(meets(1.99, { kind: "at least", limit: 2 }), false);
});
