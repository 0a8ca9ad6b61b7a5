import assert from "node:assert/strict";
import fc from "fast-check";
import { FairQueue, OverloadedError, type Ticket } from "../../workers/fair_queue.ts";

interface Placed {
  readonly key: string;
  readonly ticket: Ticket;
  /** When it entered, in steps. */
  readonly enteredAt: number;
  startedAt?: number;
  released?: boolean;
}

type Step = { readonly enter: string } | { readonly release: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ enter: fc.constantFrom("a", "b", "c", "d") }),
    fc.record({ release: fc.nat(50) }),
  ),
  { maxLength: 80 },
);

// Plays the steps and calls `look` after each, when every turn that was given is known.
async function play(
  queue: FairQueue,
  script: readonly Step[],
  look: (placed: readonly Placed[]) => void,
): Promise<Placed[]> {
  const placed: Placed[] = [];
  let clock = 0;
  for (const step of script) {
    clock++;
    if ("enter" in step) {
      try {
        const one: Placed = { key: step.enter, ticket: queue.enter(step.enter), enteredAt: clock };
        placed.push(one);
        void one.ticket.turn.then(() => one.startedAt ??= clock);
      } catch (error) {
        assert.ok(error instanceof OverloadedError);
      }
    } else {
      const open = placed.filter((one) => !one.released);
      const one = open[step.release % open.length];
      if (one) {
        one.released = true;
        one.ticket.release();
      }
    }
    await Promise.resolve();
    await Promise.resolve();
    look(placed);
  }
  return placed;
}

function inside(placed: readonly Placed[]): Placed[] {
  return placed.filter((one) => one.startedAt !== undefined && !one.released);
}

Deno.test("FairQueue keeps every limit, and lets nobody wait who could enter", async () => {
  const limits = fc.record({
    total: fc.integer({ min: 1, max: 4 }),
    perKey: fc.integer({ min: 1, max: 4 }),
    waiting: fc.nat(6),
  });
  await fc.assert(fc.asyncProperty(limits, steps, async (limit, script) => {
    const queue = new FairQueue(limit);
    await play(queue, script, (placed) => {
      const now = inside(placed);
      assert.ok(now.length <= limit.total);
      const count = (key: string) => now.filter((one) => one.key === key).length;
      for (const key of ["a", "b", "c", "d"]) assert.ok(count(key) <= limit.perKey);
      const waiting = placed.filter((one) => one.startedAt === undefined && !one.released);
      assert.equal(queue.waiting, waiting.length);
      assert.ok(waiting.length <= limit.waiting);
      if (now.length === limit.total) return;
      for (const { key } of waiting) assert.equal(count(key), limit.perKey);
    });
  }));
});

Deno.test("FairQueue gives no other key two turns while one waits for its first", async () => {
  await fc.assert(fc.asyncProperty(steps, async (script) => {
    const queue = new FairQueue({ total: 2, perKey: 2, waiting: 100 });
    const order: Placed[] = [];
    await play(queue, script, (placed) => {
      for (const one of placed) {
        if (one.startedAt !== undefined && !order.includes(one)) order.push(one);
      }
    });
    for (const [index, one] of order.entries()) {
      const before = order.slice(0, index);
      // Turns that others got while this one was the first of its key to wait.
      const others = before.filter((other) =>
        other.key !== one.key && other.startedAt! > one.enteredAt
      );
      const sameKeyAhead = before.some((other) =>
        other.key === one.key && other.startedAt! > one.enteredAt
      );
      if (sameKeyAhead) continue;
      for (const key of ["a", "b", "c", "d"]) {
        assert.ok(others.filter((other) => other.key === key).length <= 1);
      }
    }
  }));
});

Deno.test("FairQueue starts callers of one key in the order in which they came", async () => {
  const queue = new FairQueue({ total: 1, perKey: 1, waiting: 10 });
  const tickets = ["first", "second", "third"].map((name) => ({ name, ticket: queue.enter("k") }));
  const started: string[] = [];
  for (const { name, ticket } of tickets) {
    await ticket.turn;
    started.push(name);
    ticket.release();
  }
  assert.deepEqual(started, ["first", "second", "third"]);
  assert.equal(queue.waiting, 0);
});

Deno.test("FairQueue.enter() throws when too many wait", () => {
  const queue = new FairQueue({ total: 1, perKey: 1, waiting: 2 });
  queue.enter("a");
  queue.enter("a");
  queue.enter("b");
  assert.throws(() => queue.enter("b"), {
    name: "OverloadedError",
    message: "Cannot take another call: 2 wait already, 2 at most",
  });
});

Deno.test("FairQueue forgets who stops waiting, and releasing twice frees one place", async () => {
  const queue = new FairQueue({ total: 1, perKey: 1, waiting: 10 });
  const first = queue.enter("a");
  const second = queue.enter("b");
  const third = queue.enter("c");
  second.release();
  assert.equal(queue.waiting, 1);
  first.release();
  first.release();
  await third.turn;
  // The second release of the first ticket must not have freed the third's place.
  queue.enter("d");
  assert.equal(queue.waiting, 1);
});

Deno.test("FairQueue.widen() lets one more in, of a full key too, and afterwards as many as before", async () => {
  const queue = new FairQueue({ total: 1, perKey: 1, waiting: 5 });
  const first = queue.enter("a");
  const second = queue.enter("a");
  assert.equal(queue.hasRoom, false);
  const narrow = queue.widen();
  await second.turn;
  assert.deepEqual([queue.waiting, queue.excess], [0, 0]);
  narrow();
  narrow();
  assert.equal(queue.excess, 1);
  first.release();
  assert.equal(queue.hasRoom, false);
  second.release();
  assert.equal(queue.hasRoom, true);
});
