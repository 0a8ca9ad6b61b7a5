import assert from "node:assert/strict";
import type { Check, CheckAnswer } from "../../../registry/availability/check.ts";
import {
  VerdictCache,
  type VerdictCacheOptions,
  type VerdictEvent,
} from "../../../registry/availability/verdict_cache.ts";
import type { Availability } from "../../../registry/prober.ts";
import { EPOCH, FakeClock, settle } from "./_fake_clock.ts";

/** A check whose answer a test sets, with the cache that it is asked through. */
class Bench {
  readonly clock = new FakeClock();
  readonly events: VerdictEvent[] = [];
  readonly cache: VerdictCache;
  /** What the check says. */
  answer: () => CheckAnswer | Promise<CheckAnswer> = yes;
  /** How often it was asked. */
  runs = 0;
  signal: AbortSignal | undefined;

  constructor(options: VerdictCacheOptions = {}) {
    const onEvent = (event: VerdictEvent) => void this.events.push(event);
    this.cache = new VerdictCache({ clock: this.clock, onEvent, ...options });
  }

  check(key = "a"): Check {
    return {
      key,
      label: key,
      run: async (signal) => {
        this.runs++;
        this.signal = signal;
        return await this.answer();
      },
    };
  }

  /** What a reader gets, and whether it had to wait. */
  async ask(key?: string): Promise<[available: boolean, waited: boolean]> {
    const said = this.cache.ask(this.check(key));
    const { available } = await said;
    await settle();
    return [available, said instanceof Promise];
  }
}

const yes = (): CheckAnswer => ({ available: true });
const no = (): CheckAnswer => ({ available: false, reason: "It is down" });
const never = (): Promise<CheckAnswer> => new Promise(() => {});

Deno.test("VerdictCache.ask() [case 57] serves yes in grace, and really asks the check", async () => {
  const bench = new Bench();
  assert.deepEqual(await bench.ask(), [true, true]);
  await bench.clock.advance(31_000);
  bench.answer = no;
  assert.deepEqual(await bench.ask(), [true, false]);
  assert.equal(bench.runs, 2);
});

Deno.test("VerdictCache.ask() [case 58] gives a check that never succeeded no grace", async () => {
  const bench = new Bench();
  bench.answer = no;
  assert.deepEqual(await bench.ask(), [false, true]);
  assert.deepEqual(bench.cache.peek("a"), {
    available: false,
    reason: "It is down",
    checkedAt: EPOCH,
  });
});

Deno.test("VerdictCache.ask() [case 59] ends the grace 60 seconds after the last success", async () => {
  const bench = new Bench();
  await bench.ask();
  bench.answer = no;
  await bench.clock.advance(31_000);
  assert.deepEqual(await bench.ask(), [true, false]);
  await bench.clock.advance(28_999);
  assert.deepEqual(await bench.ask(), [true, false]);
  // At 60 s to the millisecond: the yes served in grace has not prolonged it.
  await bench.clock.advance(1);
  assert.deepEqual(await bench.ask(), [false, true]);
  await bench.clock.advance(1_000);
  assert.deepEqual(await bench.ask(), [false, false]);
  assert.equal(bench.runs, 4);
});

Deno.test("VerdictCache.ask() [case 59] says no 61 seconds after a yes that was served in grace", async () => {
  const bench = new Bench();
  await bench.ask();
  bench.answer = no;
  await bench.clock.advance(31_000);
  assert.deepEqual(await bench.ask(), [true, false]);
  await bench.clock.advance(61_000);
  assert.deepEqual(await bench.ask(), [false, true]);
});

Deno.test("VerdictCache.ask() [case 60] asks again for every reader in grace, unless one answer is on its way", async () => {
  const bench = new Bench();
  await bench.ask();
  bench.answer = no;
  await bench.clock.advance(31_000);
  for (const runs of [2, 3, 4]) {
    assert.deepEqual(await bench.ask(), [true, false]);
    assert.equal(bench.runs, runs);
  }
  bench.answer = never;
  for (let reader = 0; reader < 3; reader++) {
    assert.equal((await bench.cache.ask(bench.check())).available, true);
  }
  await settle();
  assert.equal(bench.runs, 5);
});

Deno.test("VerdictCache.ask() [case 61] asks once in 30 seconds", async () => {
  const bench = new Bench();
  assert.deepEqual(await bench.ask(), [true, true]);
  await bench.clock.advance(29_999);
  assert.deepEqual(await bench.ask(), [true, false]);
  assert.equal(bench.runs, 1);
  await bench.clock.advance(1);
  await bench.ask();
  assert.equal(bench.runs, 2);
});

Deno.test("VerdictCache.ask() [case 62] sees that a tool is back after 30 seconds, or at once when told to forget", async () => {
  const bench = new Bench();
  bench.answer = no;
  await bench.ask();
  bench.answer = yes;
  await bench.clock.advance(29_999);
  assert.deepEqual(await bench.ask(), [false, false]);
  await bench.clock.advance(1);
  assert.deepEqual(await bench.ask(), [true, true]);
  const told = new Bench();
  told.answer = no;
  await told.ask();
  told.answer = yes;
  told.cache.invalidate();
  assert.deepEqual(await told.ask(), [true, true]);
});

Deno.test("VerdictCache.ask() keeps apart what two keys, or two caches, were told", async () => {
  const one = new Bench(), other = new Bench();
  other.answer = no;
  assert.deepEqual([await one.ask(), await other.ask()], [[true, true], [false, true]]);
  one.answer = no;
  assert.deepEqual([await one.ask("a"), await one.ask("b")], [[true, false], [false, true]]);
});

Deno.test("VerdictCache.ask() asks once for all who ask at the same time", async () => {
  const bench = new Bench();
  const { promise, resolve } = Promise.withResolvers<CheckAnswer>();
  bench.answer = () => promise;
  const readers = [1, 2, 3].map(() => bench.cache.ask(bench.check()));
  resolve(yes());
  const verdicts = await Promise.all(readers);
  assert.equal(bench.runs, 1);
  assert.ok(verdicts.every((verdict) => verdict === verdicts[0]));
});

Deno.test("VerdictCache.ask() asks once also when the check itself makes somebody ask", async () => {
  const bench = new Bench();
  bench.answer = () => {
    bench.cache.ask(bench.check());
    return yes();
  };
  assert.deepEqual(await bench.ask(), [true, true]);
  assert.equal(bench.runs, 1);
});

Deno.test("VerdictCache.ask() ends a check that does not answer within 5 seconds, and aborts its signal", async () => {
  const bench = new Bench();
  bench.answer = never;
  const said = bench.cache.ask(bench.check());
  await bench.clock.advance(4_999);
  assert.equal(bench.signal?.aborted, false);
  await bench.clock.advance(1);
  assert.deepEqual(await said, {
    available: false,
    reason: "The check did not answer within 5000 ms",
    checkedAt: EPOCH,
  });
  assert.equal(bench.signal?.aborted, true);
  // A timer that were left would keep the program from ending.
  assert.deepEqual(bench.clock.waiting, []);
  // It counts from when it was asked, so that a slow answer holds for less long.
  assert.equal(bench.cache.holdsMs("a"), 25_000);
});

Deno.test("VerdictCache.ask() drops the timer of a check that answered", async () => {
  const bench = new Bench();
  await bench.ask();
  assert.deepEqual(bench.clock.waiting, []);
});

Deno.test("VerdictCache.ask() never rejects: a check that throws means no, with the reason", async () => {
  const bench = new Bench();
  for (const thrown of [new RangeError("no"), "a text"]) {
    bench.answer = () => {
      throw thrown;
    };
    bench.cache.invalidate();
    const { available, reason } = await bench.cache.ask(bench.check());
    const text = thrown instanceof Error ? "RangeError: no" : "a text";
    assert.deepEqual([available, reason], [false, `The check failed: ${text}`]);
  }
});

Deno.test("VerdictCache.ask() tells in grace why the newest answer was no, and when the last yes was", async () => {
  const bench = new Bench();
  await bench.ask();
  await bench.clock.advance(31_000);
  assert.deepEqual(bench.cache.peek("a"), { available: true, checkedAt: EPOCH });
  bench.answer = no;
  await bench.ask();
  const grace: Availability = { available: true, reason: "It is down", checkedAt: EPOCH };
  assert.deepEqual(bench.cache.peek("a"), grace);
  assert.deepEqual(bench.cache.ask(bench.check()), grace);
  await settle();
  // A success in between has taken the reason away.
  bench.answer = yes;
  await bench.ask();
  await bench.clock.advance(30_000);
  assert.deepEqual(bench.cache.peek("a"), { available: true, checkedAt: EPOCH + 31_000 });
});

Deno.test("VerdictCache.ask() begins a new grace with a real success in grace", async () => {
  const bench = new Bench();
  await bench.ask();
  await bench.clock.advance(40_000);
  await bench.ask();
  bench.answer = no;
  await bench.clock.advance(59_999);
  assert.deepEqual(await bench.ask(), [true, false]);
  await bench.clock.advance(1);
  assert.deepEqual(await bench.ask(), [false, true]);
});

Deno.test("VerdictCache.peek() asks nothing, and knows nothing when the check would have to be asked", async () => {
  const bench = new Bench();
  assert.equal(bench.cache.peek("a"), undefined);
  bench.answer = no;
  await bench.ask();
  await bench.clock.advance(29_999);
  assert.equal(bench.cache.peek("a")?.reason, "It is down");
  await bench.clock.advance(1);
  assert.equal(bench.cache.peek("a"), undefined);
  assert.equal(bench.runs, 1);
});

Deno.test("VerdictCache.invalidate() loses the grace as well, and an answer that was on its way", async () => {
  const bench = new Bench();
  await bench.ask();
  bench.cache.invalidate();
  bench.answer = no;
  assert.deepEqual(await bench.ask(), [false, true]);
  const { promise, resolve } = Promise.withResolvers<CheckAnswer>();
  bench.answer = () => promise;
  bench.cache.invalidate();
  const late = bench.cache.ask(bench.check());
  await settle();
  bench.cache.invalidate();
  const { epoch } = bench.cache, events = bench.events.length;
  resolve(yes());
  assert.equal((await late).available, true);
  assert.deepEqual([bench.cache.epoch, bench.events.length], [epoch, events]);
  assert.equal(bench.cache.peek("a"), undefined);
});

Deno.test("VerdictCache.epoch grows when readers get something else than before, and not in grace", async () => {
  const bench = new Bench();
  await bench.ask();
  const first = bench.cache.epoch;
  bench.answer = no;
  await bench.clock.advance(31_000);
  await bench.ask();
  await bench.ask();
  assert.equal(bench.cache.epoch, first);
  await bench.clock.advance(30_000);
  await bench.ask();
  assert.equal(bench.cache.epoch, first + 1);
  bench.answer = yes;
  await bench.clock.advance(30_000);
  await bench.ask();
  assert.equal(bench.cache.epoch, first + 2);
  assert.deepEqual(bench.events.map(({ change }) => change), [
    "first",
    "failing",
    "lost",
    "regained",
  ]);
  bench.cache.invalidate();
  assert.equal(bench.cache.epoch, first + 3);
});

Deno.test("VerdictCache keeps as many checks as it is told: first it forgets what no longer counts, then the oldest", async () => {
  const bench = new Bench({ capacity: 512 });
  for (let index = 0; index < 512; index++) await bench.cache.ask(bench.check(`old ${index}`));
  assert.equal(bench.cache.size, 512);
  await bench.cache.ask(bench.check("one more"));
  assert.equal(bench.cache.size, 512);
  assert.equal(bench.cache.peek("old 0"), undefined);
  assert.equal(bench.cache.peek("old 1")?.available, true);
  await bench.clock.advance(60_000);
  await bench.cache.ask(bench.check("much later"));
  assert.equal(bench.cache.size, 1);
});

Deno.test("VerdictCache never forgets a check that is being asked", async () => {
  const bench = new Bench({ capacity: 2 });
  bench.answer = never;
  const asked = ["a", "b", "c"].map((key) => bench.cache.ask(bench.check(key)));
  await settle();
  assert.deepEqual([bench.cache.size, bench.runs], [3, 3]);
  assert.equal(bench.cache.ask(bench.check("a")), asked[0]);
});

Deno.test("VerdictCache.ask() keeps answers for longer the more checks are asked in workers: 0.8 seconds for each", async () => {
  const bench = new Bench();
  const ask = (key: string) => bench.cache.ask({ ...bench.check(key), inWorker: true });
  const askAll = async () => {
    for (let index = 0; index < 80; index++) await ask(`check ${index}`);
    await settle();
  };
  await askAll();
  assert.equal(bench.runs, 80);
  assert.equal(bench.cache.holdsMs("check 79"), 64_000);
  await bench.clock.advance(63_999);
  await askAll();
  assert.equal(bench.runs, 80);
  // After that, and for as long again, readers get yes at once while the check is asked.
  await bench.clock.advance(1);
  assert.ok(!(ask("check 0") instanceof Promise));
  await settle();
  assert.equal(bench.runs, 81);
  bench.answer = no;
  await bench.clock.advance(63_999);
  assert.equal((await ask("check 1")).available, true);
  await bench.clock.advance(1);
  assert.equal((await ask("check 2")).available, false);
});

Deno.test("VerdictCache.ask() leaves the end of a check in a worker to whoever runs it", async () => {
  const bench = new Bench();
  bench.answer = never;
  void bench.cache.ask({ ...bench.check(), inWorker: true });
  await settle();
  assert.deepEqual([bench.runs, bench.clock.waiting], [1, []]);
});
