import assert from "node:assert/strict";
import type { ExecutionOutcome } from "../../workers/execution.ts";
import { startPool, type TestPool } from "./_pool.ts";
import { soon } from "./_wait.ts";

function counted(outcome: ExecutionOutcome): number {
  assert.ok(outcome.ok && outcome.value.kind === "json", JSON.stringify(outcome));
  return outcome.value.value as number;
}

async function counts(test: TestPool, module: string, group = "test"): Promise<number> {
  const request = test.request(`neighbours.ts?${module}`, "counts", { group });
  return counted(await test.pool.run(request));
}

Deno.test("WorkerPool drops the worker that nobody has used for longest when there is no more memory for idle ones, over all cells", async () => {
  // 12 MB each: three workers.
  await using test = await startPool({ limits: { warmMb: 36 } });
  assert.equal(await counts(test, "a", "one"), 1);
  assert.equal(await counts(test, "b", "two"), 1);
  assert.equal(await counts(test, "c", "one"), 1);
  assert.equal(await counts(test, "a", "one"), 2);
  assert.equal(await counts(test, "d", "two"), 1);
  // "b" was the one; the others kept their counts.
  assert.equal(await counts(test, "a", "one"), 3);
  assert.equal(await counts(test, "c", "one"), 2);
  assert.equal(await counts(test, "d", "two"), 2);
  assert.equal(await counts(test, "b", "two"), 1);
  assert.deepEqual(test.logs.filter(({ message }) => /A cell ended/.test(message)), []);
});

Deno.test("WorkerPool drops no worker that is at work, however many there are", async () => {
  await using test = await startPool({ limits: { warmMb: 12 } });
  const calls = ["a", "b", "c", "d"].map((module) =>
    test.pool.run(test.request(`neighbours.ts?${module}`, "rests", { args: { ms: 200 } }))
  );
  const outcomes = await soon("the calls", Promise.all(calls));
  assert.deepEqual(outcomes.map(({ end }) => end), calls.map(() => "completed"));
});

Deno.test("WorkerPool.check() uses the warm worker where there is one, and keeps none", async () => {
  await using test = await startPool();
  const { module, grants, placement } = test.request("neighbours.ts", "checked");
  const check = () =>
    test.pool.check({ module, grants, placement }, { tool: "checked", env: [], config: {} }, 5_000);
  const call = () => test.pool.run(test.request("neighbours.ts", "counts"));
  assert.equal((await check()).available, true);
  // A worker that was kept would have counted the check.
  assert.equal(counted(await call()), 1);
  assert.equal((await check()).available, true);
  assert.equal(counted(await call()), 3);
});

Deno.test("WorkerPool.check() lets a worker end that only checks use", async () => {
  await using test = await startPool({ limits: { idleMs: 300 } });
  const { module, grants, placement } = test.request("neighbours.ts", "checked");
  const call = () => test.pool.run(test.request("neighbours.ts", "counts"));
  assert.equal(counted(await call()), 1);
  const end = performance.now() + 900;
  let asked = 0;
  while (performance.now() < end) {
    await test.pool.check(
      { module, grants, placement },
      { tool: "checked", env: [], config: {} },
      5_000,
    );
    asked++;
  }
  assert.ok(asked > 2, `${asked}`);
  assert.equal(counted(await call()), 1);
});
