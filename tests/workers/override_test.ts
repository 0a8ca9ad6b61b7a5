import assert from "node:assert/strict";
import { startPool, type TestPool } from "./_pool.ts";
import { soon } from "./_wait.ts";

function override(test: TestPool, tool: string, timeoutMs = 5_000, onAsked?: () => void) {
  const { module, grants, placement } = test.request("overrides.ts", tool);
  const question = { tool, tools: ["a", "b"], env: [], config: { word: "Hi" } };
  const order = { module, grants, placement };
  return soon("the overrides", test.pool.override(order, question, timeoutMs, onAsked));
}

Deno.test("WorkerPool.override() gives what a tool says of itself, unchecked, and why it says nothing", async () => {
  await using test = await startPool();
  const cases: [tool: string, expected: unknown][] = [
    ["says", { description: "Hi a b" }],
    ["unsaid", null],
    ["number", 3],
    ["throws", "dynamicSchemaOverrides failed: No connection"],
    ["nobody", /its module no longer registers it/],
    ["exits", "The tool ended its own worker"],
    ["says", { description: "Hi a b" }],
  ];
  for (const [tool, expected] of cases) {
    const answer = await override(test, tool);
    if (expected instanceof RegExp) assert.match(answer.ok ? "" : answer.reason, expected);
    else assert.deepEqual(answer.ok ? answer.overrides : answer.reason, expected, tool);
  }
});

Deno.test("WorkerPool.override() tells when the tool has the question, and ends one that spins", async () => {
  await using test = await startPool();
  let asked = false;
  const answer = await override(test, "spins", 1_500, () => asked = true);
  assert.deepEqual(answer, {
    ok: false,
    reason: "dynamicSchemaOverrides did not answer within 1500 ms",
  });
  assert.ok(asked);
  assert.equal((await override(test, "says")).ok, true);
});
