import assert from "node:assert/strict";
import type { ExecutionOutcome, ExecutionRequest } from "../../workers/execution.ts";
import { startPool, type TestPool, type TestRequest } from "./_pool.ts";
import { isRunning, soon, until } from "./_wait.ts";

// Nobody pays for a neighbour: what one call does costs no call of another tool, nor of its own.

function told(outcome: ExecutionOutcome): unknown {
  return outcome.ok ? "value" in outcome.value && outcome.value.value : [outcome.code, outcome.end];
}

/** A call that has begun when this settles. */
async function begin(
  test: TestPool,
  module: string,
  tool: string,
  more: Partial<TestRequest> = {},
): Promise<Promise<ExecutionOutcome>[]> {
  const begun = Promise.withResolvers<unknown>();
  const request = test.request(module, tool, { timeoutMs: 20_000, ...more });
  const running = test.pool.run({ ...request, onProgress: begun.resolve });
  await soon("its beginning", begun.promise);
  return [running];
}

function pidOf(outcome: ExecutionOutcome): number {
  assert.ok(outcome.ok && outcome.value.kind === "json", JSON.stringify(outcome));
  return outcome.value.value as number;
}

Deno.test("WorkerPool.run() lets the other calls of a tool go on when one that is cancelled does not react", async () => {
  await using test = await startPool();
  const rest = (ms: number) => begin(test, "neighbours.ts", "rests", { args: { ms } });
  const others = (await Promise.all([700, 800, 900, 1_000, 1_100].map(rest))).flat();
  const controller = new AbortController();
  const [cancelled] = await begin(test, "neighbours.ts", "rests", {
    args: { ms: 60_000 },
    signal: controller.signal,
  });
  controller.abort();
  assert.deepEqual(told(await soon("the cancel", cancelled!)), ["cancelled", "unsettled"]);
  // The next call has a worker of its own: its count begins anew.
  const next = test.request("neighbours.ts", "counts");
  assert.equal(told(await test.pool.run(next)), 1);
  const pids = (await Promise.all(others)).map(pidOf);
  assert.equal(new Set(pids).size, 1);
  assert.equal(test.pool.apartBecause(next.module.url), undefined);
});

Deno.test("WorkerPool.run() ends the worker of a call that did not react when its other calls are over", async () => {
  await using test = await startPool({ limits: { idleMs: 100 } });
  const controller = new AbortController();
  const [short] = await begin(test, "neighbours.ts", "rests", { args: { ms: 600 } });
  const [stuck] = await begin(test, "neighbours.ts", "rests", {
    args: { ms: 60_000 },
    signal: controller.signal,
  });
  controller.abort();
  assert.deepEqual(told(await soon("the cancel", stuck!)), ["cancelled", "unsettled"]);
  const pid = pidOf(await soon("the other", short!));
  await until("its cell is gone", () => !isRunning(pid));
});

Deno.test("WorkerPool.run() lets a neighbour's call end before the cell of a tool that spins is ended", async () => {
  await using test = await startPool();
  await test.pool.run(test.request("basics.ts", "echo"));
  // The deadline is 400 ms off, 250 ms later it is known that the tool spins, up to 200 ms later that its thread does
  // not end; others have 450 ms from the 650th on.
  const [neighbour] = await begin(test, "neighbours.ts", "rests", { args: { ms: 950 } });
  const spinning = test.request("basics.ts", "spins", { timeoutMs: 400 });
  const culprit = await soon("the end", test.pool.run(spinning));
  assert.deepEqual(told(culprit), ["timeout", "stopped"]);
  const pid = pidOf(await soon("the neighbour", neighbour!));
  await until("the process is gone", () => !isRunning(pid), 1_000);
  assert.match(test.pool.apartBecause(spinning.module.url)!, /went on after its deadline/);
});

Deno.test("WorkerPool.run() ends no cell, and blames nobody, for a thread that only ends late, as on a busy machine", async () => {
  await using test = await startPool();
  const computing = test.request("busy.ts", "computes", { args: { ms: 550 }, timeoutMs: 150 });
  await test.pool.run({ ...computing, args: { ms: 0 } });
  const [neighbour] = await begin(test, "neighbours.ts", "rests", { args: { ms: 1_500 } });
  // At 400 ms it has not answered for 250, and its thread goes on for 150 more.
  const late = await soon("the end", test.pool.run(computing));
  assert.deepEqual(told(late), ["timeout", "stopped"]);
  const pid = pidOf(await soon("the neighbour", neighbour!));
  assert.equal(test.pool.apartBecause(computing.module.url), undefined);
  // The cell took no more work, and is over with its last call.
  await until("the process is gone", () => !isRunning(pid), 1_000);
});

Deno.test("WorkerPool.run() gives a module that spun a cell of its own from then on", async () => {
  await using test = await startPool();
  const spins = () => test.pool.run(test.request("basics.ts", "spins", { timeoutMs: 300 }));
  // Its module is loaded, so that the deadline meets a running tool.
  await test.pool.run(test.request("basics.ts", "echo"));
  await spins();
  const [neighbour] = await begin(test, "neighbours.ts", "rests", { args: { ms: 1_500 } });
  assert.deepEqual(told(await soon("the second end", spins())), ["timeout", "stopped"]);
  const pid = pidOf(await soon("the neighbour", neighbour!));
  // Its cell is still there: nobody ended it.
  const after = await test.pool.run(
    test.request("neighbours.ts", "rests", { args: { ms: 0 } }),
  );
  assert.equal(pidOf(after), pid);
});

Deno.test("WorkerPool.run() tries a repeatable call again alone when the cell it shared had no memory left, and blames who fills one alone", async () => {
  await using test = await startPool();
  const memoryMb = 128;
  const [rests] = await begin(test, "neighbours.ts?innocent", "rests", {
    memoryMb,
    args: { ms: 3_000 },
    repeatable: true,
  });
  const grows = test.request("neighbours.ts?culprit", "grows", { memoryMb, timeoutMs: 20_000 });
  const first = await soon("the end", test.pool.run(grows), 20_000);
  assert.equal(first.ok, false);
  assert.doesNotMatch(first.ok ? "" : first.message, /Raise memoryMb/);
  assert.ok(pidOf(await soon("the innocent", rests!, 20_000)) > 0);
  // The innocent one answered and shares a cell again; the other runs alone, and is told.
  const second = await soon("the second end", test.pool.run(grows), 20_000);
  assert.equal(second.ok || second.code, "tool_out_of_memory");
  assert.match(second.ok ? "" : second.message, /Raise memoryMb/);
  assert.match(test.pool.apartBecause(grows.module.url)!, /filled its cell's memory/);
  const { url } = test.request("neighbours.ts?innocent", "rests").module;
  assert.equal(test.pool.apartBecause(url), undefined);
});

Deno.test("WorkerPool.run() ends an idle cell in which too much was left behind, so that nobody is blamed for it", async () => {
  await using test = await startPool();
  const memoryMb = 200;
  const keep = (module: string, mb: number) =>
    test.pool.run(test.request(module, "keeps", { memoryMb, args: { mb } }));
  const leaking = pidOf(await keep("neighbours.ts?leaks", 160));
  await until("the cell is ended", () => !isRunning(leaking));
  const after = await keep("neighbours.ts?honest", 80);
  assert.notEqual(pidOf(after), leaking);
});

Deno.test("WorkerPool.run() counts an allowance for each idle worker, so that many of them leave a call its memory", async () => {
  await using test = await startPool();
  const memoryMb = 64;
  const counts = Array.from(
    { length: 24 },
    (_, index) => test.pool.run(test.request(`neighbours.ts?${index}`, "counts", { memoryMb })),
  );
  assert.deepEqual((await Promise.all(counts)).map(told), counts.map(() => 1));
  assert.equal(test.pool.cellCount, 1);
  assert.deepEqual(test.logs.filter(({ message }) => /A cell ended/.test(message)), []);
});

Deno.test("WorkerPool.run() puts an edited module in the place of the one before, in the same cell", async () => {
  await using test = await startPool();
  const version = (integrity: string): ExecutionRequest => {
    const made = test.request(`neighbours.ts?${integrity}`, "rests", { args: { ms: 0 } });
    return { ...made, module: { ...made.module, integrity, source: "/tools/edited.ts" } };
  };
  const counts = (made: ExecutionRequest) => test.pool.run({ ...made, tool: "counts" });
  const pid = pidOf(await test.pool.run(version("one")));
  assert.equal(told(await counts(version("one"))), 1);
  assert.equal(pidOf(await test.pool.run(version("two"))), pid);
  // The first one's worker is gone, and so is its count.
  assert.equal(told(await counts(version("one"))), 1);
});
