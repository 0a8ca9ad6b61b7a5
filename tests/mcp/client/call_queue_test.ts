import assert from "node:assert/strict";
import { CallQueue } from "../../../mcp/client/call_queue.ts";
import { settle } from "../../registry/availability/_fake_clock.ts";

const never = new AbortController().signal;

Deno.test("CallQueue.enter() lets calls go one after the other, in the order of asking", async () => {
  const queue = new CallQueue(1);
  const order: string[] = [];
  const run = async (name: string) => {
    using _place = await queue.enter(never);
    order.push(`${name} begins`);
    await settle();
    order.push(`${name} ends`);
  };
  await Promise.all([run("a"), run("b"), run("c")]);
  assert.deepEqual(order, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  assert.equal(queue.taken, 0);
});

Deno.test("CallQueue.enter() gives up a place that is no longer wanted", async () => {
  const queue = new CallQueue(1);
  const first = await queue.enter(never);
  const caller = new AbortController();
  const second = queue.enter(caller.signal);
  const third = queue.enter(never);
  caller.abort(new Error("enough"));
  await assert.rejects(second, { message: "enough" });
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  assert.equal(queue.taken, 0);
});

Deno.test("CallQueue.enter() refuses a caller that gave up before", async () => {
  await assert.rejects(new CallQueue(1).enter(AbortSignal.abort(new Error("enough"))), {
    message: "enough",
  });
});

Deno.test("CallQueue.enter() lets every call in where there is no bound", async () => {
  const queue = new CallQueue(Infinity);
  const places = await Promise.all(Array.from({ length: 100 }, () => queue.enter(never)));
  assert.equal(queue.taken, 100);
  places.forEach((place) => place[Symbol.dispose]());
  assert.equal(queue.taken, 0);
});
