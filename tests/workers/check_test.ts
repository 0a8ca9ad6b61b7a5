import assert from "node:assert/strict";
import { startPool, type TestPool } from "./_pool.ts";
import { soon } from "./_wait.ts";

function check(test: TestPool, tool: string, config = {}, timeoutMs = 5_000) {
  const { module, grants, placement } = test.request("checks.ts", tool);
  const asked = test.pool.check(
    { module, grants, placement },
    { tool, env: [], config },
    timeoutMs,
  );
  return soon("the verdict", asked);
}

Deno.test("WorkerPool.check() gives a check's verdict, with its reason", async () => {
  await using test = await startPool();
  const cases: [tool: string, config: object, available: boolean, reason?: string | RegExp][] = [
    ["yes", {}, true],
    ["no", {}, false],
    ["because", {}, false, "The moon is full"],
    ["by_config", { ready: true }, true],
    ["by_config", { ready: false }, false],
    ["unchecked", {}, true],
    ["says_nothing", {}, false],
    ["throws", {}, false, "Its check failed: No connection"],
    ["reads", {}, false, /^Its check failed: Requires read access/],
    ["exits", {}, false, "The tool ended its own worker"],
    ["nobody", {}, false, /its module no longer registers it/],
    ["yes", {}, true],
  ];
  for (const [tool, config, available, reason] of cases) {
    const verdict = await check(test, tool, config);
    assert.equal(verdict.available, available, tool);
    if (reason instanceof RegExp) assert.match(verdict.reason!, reason);
    else assert.equal(verdict.reason, reason, tool);
  }
});

Deno.test("WorkerPool.check() ends a check that does not answer, with its process, and the next one works", async () => {
  await using test = await startPool();
  const verdict = await check(test, "spins", {}, 300);
  assert.deepEqual(verdict, {
    available: false,
    reason: "Its check did not answer within 300 ms",
  });
  assert.equal((await check(test, "yes")).available, true);
});
