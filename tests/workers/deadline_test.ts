import assert from "node:assert/strict";
import { Deadline, within } from "../../workers/deadline.ts";
import { soon } from "./_wait.ts";

Deno.test("Deadline.passed settles with timeout when the time is over", async () => {
  using deadline = new Deadline(20);
  const startedAt = performance.now();
  assert.equal(deadline.reason, undefined);
  assert.ok(deadline.leftMs > 0 && deadline.leftMs <= 20);
  assert.equal(await soon("the deadline", deadline.passed), "timeout");
  assert.ok(performance.now() - startedAt >= 19);
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
