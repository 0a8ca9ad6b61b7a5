import assert from "node:assert/strict";
import type { ExecutionOutcome } from "../../workers/execution.ts";
import { startPool, type TestPool } from "./_pool.ts";
import { isRunning, soon, until } from "./_wait.ts";

/** The cell's process; then both modules are loaded in it, so that short deadlines meet a running tool. */
async function pidOf(test: TestPool): Promise<number> {
  await test.pool.run(test.request("basics.ts", "echo"));
  const outcome = await test.pool.run(test.request("more.ts", "pid"));
  assert.ok(outcome.ok && outcome.value.kind === "json", JSON.stringify(outcome));
  return outcome.value.value as number;
}

function codeAndEnd(outcome: ExecutionOutcome): unknown {
  return outcome.ok ? outcome.value : [outcome.code, outcome.end];
}

Deno.test("WorkerPool.run() ends a tool that spins within its deadline and a second, together with its process", async () => {
  await using test = await startPool();
  const pid = await pidOf(test);
  assert.ok(isRunning(pid));
  const startedAt = performance.now();
  const outcome = await soon(
    "the end",
    test.pool.run(test.request("basics.ts", "spins", { timeoutMs: 500 })),
  );
  const took = performance.now() - startedAt;
  assert.deepEqual(codeAndEnd(outcome), ["timeout", "stopped"]);
  assert.ok(took >= 490 && took < 1_500, `${took} ms`);
  await until("the process is gone", () => !isRunning(pid), 1_000);
});

Deno.test("WorkerPool.run() has the next cell ready when it ends one by force", async () => {
  await using test = await startPool();
  const before = await pidOf(test);
  await test.pool.run(test.request("basics.ts", "spins", { timeoutMs: 300 }));
  // The spare was started before the process was killed: nobody has asked for a cell since.
  await until("the spare is there", () => test.pool.cellCount === 1);
  const after = await test.pool.run(test.request("more.ts", "pid"));
  assert.ok(after.ok && after.value.kind === "json");
  assert.notEqual(after.value.value, before);
  assert.equal(test.pool.cellCount, 1);
});

Deno.test("WorkerPool.run() ends the cell of a tool that never answers: it may have started workers", async () => {
  await using test = await startPool();
  const pid = await pidOf(test);
  const outcome = await test.pool.run(test.request("basics.ts", "never", { timeoutMs: 200 }));
  assert.deepEqual(codeAndEnd(outcome), ["timeout", "stopped"]);
  assert.ok(!isRunning(pid));
});

Deno.test("WorkerPool.run() drops only the worker of a tool that never answers while another tool's call runs", async () => {
  await using test = await startPool();
  const pid = await pidOf(test);
  const other = test.pool.run(test.request("more.ts", "tells_reason", { timeoutMs: 1_500 }));
  const outcome = await test.pool.run(test.request("basics.ts", "never", { timeoutMs: 200 }));
  assert.deepEqual(codeAndEnd(outcome), ["timeout", "stopped"]);
  assert.ok(isRunning(pid));
  assert.deepEqual(codeAndEnd(await other), ["timeout", "finished_late"]);
});

Deno.test("WorkerPool.run() ends a module that spins at its top level, together with its process", async () => {
  await using test = await startPool();
  const pid = await pidOf(test);
  const outcome = await soon(
    "the end",
    test.pool.run(test.request("spins_at_load.ts", "any", { timeoutMs: 500 })),
  );
  assert.ok(!outcome.ok && outcome.code === "timeout");
  await until("the process is gone", () => !isRunning(pid), 1_000);
});

Deno.test("WorkerPool.run() aborts the signal at the deadline, and tells of a handler that ends within the grace", async () => {
  await using test = await startPool();
  const logs: string[] = [];
  const pid = await pidOf(test);
  const outcome = await test.pool.run(test.request("basics.ts", "waits", { timeoutMs: 200 }));
  assert.deepEqual(codeAndEnd(outcome), ["timeout", "finished_late"]);
  assert.ok(!outcome.ok && outcome.retryable);
  for (const tool of ["ends_late", "tells_reason"]) {
    const outcome = await test.pool.run(test.request("more.ts", tool, {
      timeoutMs: 200,
      onLog: ({ message }) => logs.push(message),
    }));
    assert.deepEqual(codeAndEnd(outcome), ["timeout", "finished_late"]);
  }
  assert.deepEqual(logs, ["AbortError: The call was ended: timeout"]);
  assert.equal(await pidOf(test), pid);
});

Deno.test("WorkerPool.close() ends a call in flight, and its process", async () => {
  await using test = await startPool();
  const pid = await pidOf(test);
  const started = Promise.withResolvers<void>();
  const flood = test.pool.run(
    test.request("basics.ts", "progresses", { onLog: () => started.resolve() }),
  );
  const running = test.pool.run(test.request("basics.ts", "never"));
  await flood;
  await started.promise;
  await test.pool.close();
  const outcome = await soon("the end", running);
  assert.deepEqual(codeAndEnd(outcome), ["tool_crashed", "stopped"]);
  assert.equal(isRunning(pid), false);
  assert.equal(test.pool.cellCount, 0);
});
