import assert from "node:assert/strict";
import { startPool } from "./_pool.ts";
import { soon } from "./_wait.ts";

for (const tool of ["exits", "process_exits", "closes"]) {
  Deno.test(`WorkerPool.run() ends as tool_exited when a tool ends its own worker (${tool})`, async () => {
    await using test = await startPool();
    const startedAt = performance.now();
    const outcome = await soon(
      "the end",
      test.pool.run(test.request("endings.ts", tool, { timeoutMs: 30_000 })),
    );
    assert.ok(!outcome.ok);
    assert.equal(outcome.code, "tool_exited");
    assert.equal(outcome.retryable, false);
    assert.equal(
      outcome.message,
      `Tool "${tool}" ended its worker before it answered. A handler returns or throws; it does not exit`,
    );
    assert.ok(performance.now() - startedAt < 3_000);
    const next = await test.pool.run(test.request("basics.ts", "echo"));
    assert.ok(next.ok);
  });
}

Deno.test("WorkerPool.run() ends every open call of a worker that exits, and no call of another", async () => {
  await using test = await startPool();
  await test.pool.run(test.request("basics.ts", "echo"));
  const other = new AbortController();
  const stays = test.pool.run(test.request("basics.ts", "waits", { signal: other.signal }));
  const [first, second] = await Promise.all([
    test.pool.run(test.request("endings.ts", "closes")),
    test.pool.run(test.request("endings.ts", "closes")),
  ]);
  assert.deepEqual([first, second].map((outcome) => outcome.ok || outcome.code), [
    "tool_exited",
    "tool_exited",
  ]);
  other.abort();
  const outcome = await stays;
  assert.ok(!outcome.ok && outcome.code === "cancelled", JSON.stringify(outcome));
});
