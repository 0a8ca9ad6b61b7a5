import assert from "node:assert/strict";
import { Deadline, within } from "../../workers/deadline.ts";
import { startPool } from "./_pool.ts";
import { cancelAround, soon } from "./_wait.ts";

Deno.test("Deadline.passed settles with timeout when the time is over", async () => {
  const startedAt = performance.now();
  using deadline = new Deadline(20);
  assert.equal(deadline.reason, undefined);
  assert.ok(deadline.leftMs > 0 && deadline.leftMs <= 20);
  assert.equal(await soon("the deadline", deadline.passed), "timeout");
  assert.ok(performance.now() - startedAt >= 20);
  assert.equal(deadline.reason, "timeout");
  assert.equal(deadline.leftMs, 0);
});

Deno.test("Deadline.passed settles with cancelled when the signal aborts first", async () => {
  const controller = new AbortController();
  using deadline = new Deadline(60_000, controller.signal);
  controller.abort();
  assert.equal(await soon("the cancel", deadline.passed), "cancelled");
  assert.equal(deadline.reason, "cancelled");
});

Deno.test("Deadline has fired at once when the signal was aborted before", () => {
  using deadline = new Deadline(60_000, AbortSignal.abort());
  assert.equal(deadline.reason, "cancelled");
});

Deno.test("Deadline keeps its first reason", async () => {
  const controller = new AbortController();
  using deadline = new Deadline(10, controller.signal);
  assert.equal(await soon("the deadline", deadline.passed), "timeout");
  controller.abort();
  assert.equal(deadline.reason, "timeout");
});

Deno.test("Deadline takes times that no timer can hold", () => {
  for (const timeoutMs of [Infinity, 2 ** 40]) {
    using deadline = new Deadline(timeoutMs);
    assert.equal(deadline.leftMs > 2 ** 39, true);
    assert.equal(deadline.reason, undefined);
  }
});

Deno.test("Deadline leaves neither a timer nor a listener behind", () => {
  const controller = new AbortController();
  const deadline = new Deadline(60_000, controller.signal);
  // A timer that is left would fail this test.
  deadline[Symbol.dispose]();
  controller.abort();
  assert.equal(deadline.reason, undefined);
});

Deno.test("within() gives what the promise gives, or undefined when it takes too long", async () => {
  assert.equal(await within(Promise.resolve(5), 60_000), 5);
  assert.equal(await within(new Promise(() => {}), 5), undefined);
  await assert.rejects(within(Promise.reject(new Error("Broken")), 60_000), /Broken/);
});

Deno.test("Deadline.waitFor() stands still until what is waited for settles", async () => {
  using deadline = new Deadline(60_000);
  const before = deadline.leftMs;
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = deadline.waitFor(promise);
  const stood = deadline.leftMs;
  const until = performance.now() + 30;
  while (performance.now() < until) { /* time passes */ }
  assert.equal(deadline.leftMs, stood, "no time passes for it");
  resolve("answer");
  assert.equal(await waiting, "answer");
  assert.ok(before - deadline.leftMs < 20, "the waiting does not count");
});

Deno.test("Deadline.waitFor() lets a short deadline pass only after the waiting", async () => {
  using deadline = new Deadline(50);
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = deadline.waitFor(promise);
  const timer = setTimeout(resolve, 120);
  await waiting;
  clearTimeout(timer);
  assert.equal(deadline.reason, undefined);
  assert.equal(await deadline.passed, "timeout");
});

Deno.test("Deadline.waitFor() does not hold up a cancel", async () => {
  const controller = new AbortController();
  using deadline = new Deadline(60_000, controller.signal);
  void deadline.waitFor(new Promise(() => {}));
  controller.abort();
  assert.equal(await deadline.passed, "cancelled");
});

Deno.test("Deadline.passed settles at its time: not at 0.7 of it, and not at 1.3", async () => {
  const ends = await cancelAround(150, async (signal, begun) => {
    using deadline = new Deadline(150, signal);
    begun();
    return await soon("the deadline", deadline.passed);
  });
  assert.deepEqual(ends, ["cancelled", "timeout"]);
});

Deno.test("Deadline.waitFor() leaves as much time as there was before", async () => {
  const ends = await cancelAround(300, async (signal, begun) => {
    using deadline = new Deadline(150, signal);
    const waits = Promise.withResolvers<void>();
    setTimeout(waits.resolve, 150);
    begun();
    await deadline.waitFor(waits.promise);
    return await soon("the deadline", deadline.passed);
  });
  assert.deepEqual(ends, ["cancelled", "timeout"]);
});

Deno.test("WorkerPool.run() ends a call at its deadline: not at 0.7 of it, and not at 1.3", async () => {
  await using test = await startPool();
  assert.ok((await test.pool.run(test.request("more.ts", "pid"))).ok, "its worker is there");
  const ends = await cancelAround(600, async (signal, begun) => {
    const running = test.pool.run(test.request("more.ts", "begins", { signal, timeoutMs: 600 }));
    begun();
    return await running;
  });
  const codes = ends.map((outcome) => outcome.ok || [outcome.code, outcome.end]);
  assert.deepEqual(codes, [["cancelled", "finished_late"], ["timeout", "finished_late"]]);
});
