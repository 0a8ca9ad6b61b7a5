import assert from "node:assert/strict";
import type { ExecutionOutcome } from "../../workers/execution.ts";
import { startPool, type TestPool } from "./_pool.ts";
import { isRunning, soon, until } from "./_wait.ts";

function valueOf(outcome: ExecutionOutcome): unknown {
  assert.ok(outcome.ok && outcome.value.kind !== "stream", JSON.stringify(outcome));
  return outcome.value.kind === "json"
    ? outcome.value.value
    : "text" in outcome.value && outcome.value.text;
}

/** Counts the cell processes that there are, again and again, until `work` is done. */
async function mostCells<T>(test: TestPool, work: Promise<T>): Promise<readonly [T, number]> {
  let most = 0;
  const timer = setInterval(() => most = Math.max(most, test.pool.cellCount), 1);
  try {
    return [await soon("the work", work, 30_000), most];
  } finally {
    clearInterval(timer);
  }
}

Deno.test("WorkerPool.run() has calls that need a process of their own wait when there are as many as there may be", async () => {
  await using test = await startPool({ limits: { maxCells: 2 } });
  const calls = Array.from({ length: 6 }, () =>
    test.pool.run(
      test.request("neighbours.ts", "rests", {
        perCall: true,
        args: { ms: 150 },
        timeoutMs: 30_000,
      }),
    ));
  const [outcomes, most] = await mostCells(test, Promise.all(calls));
  assert.equal(new Set(outcomes.map(valueOf)).size, 6);
  assert.equal(most, 2);
});

Deno.test("WorkerPool.run() gives every group its turn when there are more groups than cells", async () => {
  await using test = await startPool({ limits: { maxCells: 2 } });
  const groups = Array.from({ length: 12 }, (_, n) => n % 6);
  const calls = groups.map((n) =>
    test.pool.run(
      test.request("basics.ts", "echo", { group: `g${n}`, args: { n }, timeoutMs: 30_000 }),
    )
  );
  const [outcomes, most] = await mostCells(test, Promise.all(calls));
  assert.deepEqual(outcomes.map(valueOf), groups.map((n) => `{"n":${n}}`));
  assert.ok(most <= 2, `${most} cells`);
});

Deno.test("WorkerPool.run() ends a call whose deadline comes while it waits for a process, and starts none for it", async () => {
  await using test = await startPool({ limits: { maxCells: 1 } });
  const controller = new AbortController();
  const begun = Promise.withResolvers<unknown>();
  const busy = test.pool.run({
    ...test.request("more.ts", "begins", { signal: controller.signal }),
    onProgress: begun.resolve,
  });
  await soon("its beginning", begun.promise);
  const next = async () => {
    // A process that was started for the first one would be there before the second one's deadline.
    for (const timeoutMs of [100, 1_000]) {
      const outcome = await test.pool.run(
        test.request("more.ts", "pid", { group: "other", timeoutMs }),
      );
      assert.deepEqual(outcome.ok || [outcome.code, outcome.end], ["timeout", "never_started"]);
    }
    controller.abort();
    assert.equal((await busy).end, "finished_late");
    return valueOf(await test.pool.run(test.request("more.ts", "pid"))) as number;
  };
  const [pid, most] = await mostCells(test, next());
  assert.equal(most, 1);
  assert.ok(isRunning(pid));
});

Deno.test("WorkerPool.run() lets a call that is made while another one asks not wait for the other's places", async () => {
  await using test = await startPool({ limits: { maxCells: 1, concurrency: 1 } });
  const asking = test.request("neighbours.ts", "asks", { timeoutMs: 30_000 });
  const answer = async () => {
    // What answers, a person's model for instance, calls a tool that needs another cell.
    const other = await test.pool.run(
      test.request("basics.ts", "echo", { group: "other", args: { n: 1 } }),
    );
    return { ok: true, value: { action: valueOf(other) === '{"n":1}' ? "accept" : "cancel" } };
  };
  const outcome = await soon(
    "the end",
    test.pool.run({ ...asking, onAsk: answer as never }),
    20_000,
  );
  assert.equal(valueOf(outcome), "accept");
  // Afterwards there may be one again.
  assert.equal(valueOf(await test.pool.run(test.request("basics.ts", "echo"))), "{}");
  await until("one cell is left", () => test.pool.cellCount === 1);
});
