import assert from "node:assert/strict";
import { startPool, type TestPool, type TestRequest } from "./_pool.ts";

async function pidOf(test: TestPool, more: Partial<TestRequest>): Promise<number> {
  const outcome = await test.pool.run(test.request("more.ts", "pid", more));
  assert.ok(outcome.ok && outcome.value.kind === "json", JSON.stringify(outcome));
  return outcome.value.value as number;
}

Deno.test("WorkerPool gives each group a process of its own, and never this one", async () => {
  await using test = await startPool();
  const a = await pidOf(test, { group: "a" });
  const b = await pidOf(test, { group: "b" });
  assert.equal(await pidOf(test, { group: "a" }), a);
  assert.equal(new Set([a, b, Deno.pid]).size, 3);
});

Deno.test("WorkerPool gives one group another process when its cell's grants or limits differ", async () => {
  await using test = await startPool();
  const pids = [
    await pidOf(test, {}),
    await pidOf(test, { grants: { env: ["LANG"] } }),
    await pidOf(test, { memoryMb: 256 }),
  ];
  assert.equal(new Set(pids).size, 3);
});

Deno.test("WorkerPool lets nothing of one group's crash reach another", async () => {
  await using test = await startPool();
  const pid = await pidOf(test, { group: "good" });
  const crash = await test.pool.run(
    test.request("endings.ts", "kills_itself", { group: "bad" }),
  );
  assert.equal(crash.ok || crash.code, "tool_crashed");
  assert.equal(await pidOf(test, { group: "good" }), pid);
});
