import assert from "node:assert/strict";
import type { ExecutionOutcome } from "../../workers/execution.ts";
import { startPool } from "./_pool.ts";
import { soon } from "./_wait.ts";

function codeAndEnd(outcome: ExecutionOutcome): unknown {
  return outcome.ok ? outcome.value : [outcome.code, outcome.end];
}

Deno.test("WorkerPool.run() aborts the handler's signal, and tells that it finished late", async () => {
  await using test = await startPool();
  const controller = new AbortController();
  const logs: string[] = [];
  await test.pool.run(test.request("more.ts", "pid"));
  const running = test.pool.run(test.request("more.ts", "tells_reason", {
    signal: controller.signal,
    onLog: ({ message }) => logs.push(message),
  }));
  // Its worker is loaded, so that an answered call means that this one has begun too.
  await test.pool.run(test.request("more.ts", "pid"));
  controller.abort();
  const outcome = await soon("the end", running);
  assert.deepEqual(codeAndEnd(outcome), ["cancelled", "finished_late"]);
  assert.ok(!outcome.ok && !outcome.retryable);
  assert.deepEqual(logs, ["AbortError: The call was ended: cancelled"]);
});

Deno.test("WorkerPool.run() stops a handler that does not heed the signal, soon after the grace", async () => {
  await using test = await startPool();
  const controller = new AbortController();
  await test.pool.run(test.request("basics.ts", "echo"));
  const running = test.pool.run(
    test.request("basics.ts", "spins", { signal: controller.signal, timeoutMs: 60_000 }),
  );
  await test.pool.run(test.request("more.ts", "pid"));
  controller.abort();
  const outcome = await soon("the end", running, 1_500);
  assert.deepEqual(codeAndEnd(outcome), ["cancelled", "stopped"]);
});

Deno.test("WorkerPool.run() runs nothing of a call that was cancelled before, and keeps its worker", async () => {
  await using test = await startPool();
  const count = () => test.pool.run(test.request("more.ts", "counts"));
  await count();
  const outcome = await test.pool.run(
    test.request("more.ts", "counts", { signal: AbortSignal.abort() }),
  );
  assert.deepEqual(codeAndEnd(outcome), ["cancelled", "never_started"]);
  assert.deepEqual(codeAndEnd(await count()), { kind: "json", value: 2 });
});

Deno.test("WorkerPool.run() lets a call that waits in the queue go when it is cancelled, or its deadline comes", async () => {
  await using test = await startPool({ limits: { concurrency: 1 } });
  const first = new AbortController(), second = new AbortController();
  const running = test.pool.run(test.request("basics.ts", "waits", { signal: first.signal }));
  const cancelled = test.pool.run(test.request("more.ts", "counts", { signal: second.signal }));
  const late = test.pool.run(test.request("more.ts", "counts", { timeoutMs: 50 }));
  second.abort();
  assert.deepEqual(codeAndEnd(await soon("the cancel", cancelled)), ["cancelled", "never_started"]);
  const outcome = await soon("the deadline", late);
  assert.deepEqual(codeAndEnd(outcome), ["timeout", "never_started"]);
  assert.ok(!outcome.ok && outcome.retryable && outcome.timing.runMs === 0);
  first.abort();
  assert.ok(!(await soon("the first", running)).ok);
  assert.deepEqual(
    codeAndEnd(await test.pool.run(test.request("more.ts", "counts"))),
    { kind: "json", value: 1 },
  );
});
