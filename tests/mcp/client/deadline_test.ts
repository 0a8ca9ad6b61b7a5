import assert from "node:assert/strict";
import { Deadline } from "../../../mcp/client/deadline.ts";
import { FakeClock, settle } from "../../registry/availability/_fake_clock.ts";

const never = new AbortController().signal;

Deno.test("Deadline aborts when the time is over", async () => {
  const clock = new FakeClock();
  using deadline = new Deadline(clock, 1_000, never);
  await clock.advance(999);
  assert.equal(deadline.signal.aborted, false);
  await clock.advance(1);
  assert.equal(deadline.signal.aborted, true);
  assert.equal(deadline.expired, true);
});

Deno.test("Deadline aborts with its caller, which is no expiry", () => {
  const caller = new AbortController();
  using deadline = new Deadline(new FakeClock(), 1_000, caller.signal);
  caller.abort(new Error("enough"));
  assert.equal((deadline.signal.reason as Error).message, "enough");
  assert.equal(deadline.expired, false);
  using late = new Deadline(new FakeClock(), 1_000, caller.signal);
  assert.equal(late.signal.aborted, true);
});

Deno.test("Deadline.pauseFor() lets the time stand still, also for two at once", async () => {
  const clock = new FakeClock();
  using deadline = new Deadline(clock, 1_000, never);
  await clock.advance(600);
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pauses = [
    deadline.pauseFor(() => first.promise),
    deadline.pauseFor(() => second.promise),
  ];
  await clock.advance(5_000);
  first.resolve();
  await settle();
  await clock.advance(5_000);
  second.resolve();
  await Promise.all(pauses);
  await clock.advance(399);
  assert.equal(deadline.signal.aborted, false);
  await clock.advance(1);
  assert.equal(deadline.expired, true);
});

Deno.test("Deadline.pauseFor() does not wait for a person for more than ten minutes in all", async () => {
  const clock = new FakeClock();
  using deadline = new Deadline(clock, 1_000, never);
  const answer = Promise.withResolvers<void>();
  const first = deadline.pauseFor(() => answer.promise);
  await clock.advance(400_000);
  answer.resolve();
  await first;
  deadline.pauseFor(() => new Promise(() => {}));
  await clock.advance(199_999);
  assert.equal(deadline.signal.aborted, false);
  await clock.advance(1);
  assert.equal(deadline.expired, true);
});

Deno.test("Deadline stops its timer when it is disposed of", () => {
  const clock = new FakeClock();
  const deadline = new Deadline(clock, 1_000, never);
  // In the foreground: a program waits for the answer.
  assert.deepEqual(clock.waiting, [{ inMs: 1_000, background: false }]);
  deadline[Symbol.dispose]();
  assert.deepEqual(clock.waiting, []);
});
