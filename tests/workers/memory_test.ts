import assert from "node:assert/strict";
import { startPool } from "./_pool.ts";
import { soon } from "./_wait.ts";

for (const tool of ["fills_heap", "fills_buffers"]) {
  Deno.test(`WorkerPool.run() ends as tool_out_of_memory when a tool ${tool.replace("_", " its ")}`, async () => {
    await using test = await startPool();
    const outcome = await soon(
      "the end",
      test.pool.run(test.request("endings.ts", tool, { memoryMb: 192, timeoutMs: 20_000 })),
      20_000,
    );
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.code, outcome.end, outcome.retryable], [
      "tool_out_of_memory",
      "stopped",
      false,
    ]);
    assert.match(outcome.message, /Raise memoryMb in its registration/);
    const next = await test.pool.run(test.request("basics.ts", "echo", { memoryMb: 192 }));
    assert.ok(next.ok);
  });
}

Deno.test("WorkerPool.run() does not blame a cellmate that only waits", async () => {
  await using test = await startPool();
  const memoryMb = 400;
  await test.pool.run(test.request("basics.ts", "echo", { memoryMb }));
  const waiting = test.pool.run(test.request("basics.ts", "never", { memoryMb }));
  const culprit = await soon(
    "the end",
    test.pool.run(test.request("endings.ts", "fills_buffers", { memoryMb, timeoutMs: 20_000 })),
    20_000,
  );
  assert.equal(culprit.ok || culprit.code, "tool_out_of_memory");
  const outcome = await soon("the other's end", waiting);
  assert.equal(outcome.ok || outcome.code, "tool_crashed");
});
