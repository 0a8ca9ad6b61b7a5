import assert from "node:assert/strict";
import { startPool } from "./_pool.ts";
import { isRunning, soon, until } from "./_wait.ts";

// What is left behind (a timer, a process, a pipe) fails these tests.

Deno.test("WorkerPool ends workers and cells that nobody uses, and starts them again", async () => {
  await using test = await startPool({ limits: { idleMs: 60 } });
  const pid = async () => {
    const outcome = await test.pool.run(test.request("more.ts", "pid"));
    assert.ok(outcome.ok && outcome.value.kind === "json");
    return outcome.value.value as number;
  };
  const first = await pid();
  await until("no cell is left", () => test.pool.cellCount === 0);
  await until("the process is gone", () => !isRunning(first));
  assert.notEqual(await pid(), first);
});

Deno.test("WorkerPool keeps a cell whose worker is busy for longer than the idle time", async () => {
  await using test = await startPool({ limits: { idleMs: 40 } });
  const controller = new AbortController();
  const outcome = test.pool.run(
    test.request("basics.ts", "waits", { signal: controller.signal }),
  );
  await until("the cell is there", () => test.pool.cellCount === 1);
  const another = await test.pool.run(
    test.request("more.ts", "ends_late", { timeoutMs: 800 }),
  );
  assert.equal(another.end, "finished_late");
  // Ten times the idle time later it is still the same call.
  controller.abort();
  assert.equal((await outcome).end, "finished_late");
});

Deno.test("WorkerPool ends a spare cell that was not needed", async () => {
  await using test = await startPool({ limits: { idleMs: 60 } });
  await test.pool.run(test.request("basics.ts", "spins", { timeoutMs: 300 }));
  await until("no cell is left", () => test.pool.cellCount === 0);
});

Deno.test("WorkerPool ends the cell that has been idle for longest when there are too many, and no busy one", async () => {
  await using test = await startPool({ limits: { maxCells: 3 } });
  const controller = new AbortController();
  const begun = Promise.withResolvers<unknown>();
  const busy = test.pool.run(test.request("more.ts", "begins", {
    group: "busy",
    signal: controller.signal,
    onProgress: begun.resolve,
  }));
  await soon("its beginning", begun.promise);
  const pidOf = async (group: string) => {
    const outcome = await test.pool.run(test.request("more.ts", "pid", { group }));
    assert.ok(outcome.ok && outcome.value.kind === "json");
    return outcome.value.value as number;
  };
  const a = await pidOf("a");
  const b = await pidOf("b");
  assert.equal(await pidOf("a"), a);
  const c = await pidOf("c");
  await until("the cell of b is gone", () => !isRunning(b));
  assert.ok(isRunning(a) && isRunning(c));
  assert.equal(test.pool.cellCount, 3);
  controller.abort();
  assert.equal((await busy).end, "finished_late");
});

Deno.test("WorkerPool.close() may be called twice, and a call after it fails", async () => {
  await using test = await startPool();
  await test.pool.run(test.request("basics.ts", "echo"));
  await test.pool.close();
  await test.pool.close();
  const outcome = await test.pool.run(test.request("basics.ts", "echo"));
  assert.ok(!outcome.ok && outcome.end === "never_started");
  assert.match(outcome.message, /the runtime was closed/);
});
