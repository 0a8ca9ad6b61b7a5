import assert from "node:assert/strict";
import type { ServerState } from "../../../mcp/client/connection_types.ts";
import { LifeCycle } from "../../../mcp/client/life_cycle.ts";
import type { Fault, LifeCycleOptions } from "../../../mcp/client/life_cycle_options.ts";
import { backoffMs } from "../../../mcp/client/life_cycle_limits.ts";
import { FakeClock, settle } from "../../registry/availability/_fake_clock.ts";

class Link {
  isOpen = true;
}

class FaultyError extends Error {
  constructor(readonly fault: Fault) {
    super(`it is ${fault}`);
  }
}

interface Stage extends AsyncDisposable {
  readonly life: LifeCycle<Link>;
  readonly clock: FakeClock;
  readonly states: ServerState[];
  /** At what time each try was made. */
  readonly dials: number[];
  readonly probes: () => number;
  /** What the next tries end with; the last one stays. */
  answers: (Link | Error)[];
  probe: () => Promise<void>;
  isBusy: boolean;
  link: () => Link;
}

function stage(more: Partial<LifeCycleOptions<Link>> = {}): Stage {
  const clock = new FakeClock();
  const states: ServerState[] = [];
  const dials: number[] = [];
  let last = new Link();
  let probes = 0;
  const life = new LifeCycle<Link>({
    name: "x",
    clock,
    random: () => 0.5,
    isProcess: true,
    lazy: false,
    keepaliveMs: 180_000,
    dial: () => {
      dials.push(clock.now());
      const answer = self.answers.length > 1 ? self.answers.shift() : self.answers[0];
      if (answer instanceof Error) return Promise.reject(answer);
      last = new Link();
      return Promise.resolve(last);
    },
    hangUp: (link) => {
      link.isOpen = false;
      return Promise.resolve();
    },
    probe: () => {
      probes++;
      return self.probe();
    },
    isBusy: () => self.isBusy,
    faultOf: (error) => error instanceof FaultyError ? error.fault : "transient",
    describe: (error) => (error as Error).message,
    onState: (state) => void states.push(state),
    ...more,
  });
  const self: Stage = {
    life,
    clock,
    states,
    dials,
    probes: () => probes,
    answers: [new Link()],
    probe: () => Promise.resolve(),
    isBusy: false,
    link: () => last,
    [Symbol.asyncDispose]: () => life[Symbol.asyncDispose](),
  };
  return self;
}

// Without the first turn of the loop a timer that is about to be set would be missed.
async function advance(at: Stage, ms: number): Promise<void> {
  await settle();
  await at.clock.advance(ms);
}

const down = new Error("it is down");
const never = new AbortController().signal;

Deno.test("backoffMs() doubles from 1 s to 60 s and strays by a fifth at most", () => {
  assert.deepEqual([0, 1, 2, 5, 6, 7, 99].map((tries) => backoffMs(tries, 0.5)), [
    1_000,
    2_000,
    4_000,
    32_000,
    60_000,
    60_000,
    60_000,
  ]);
  assert.equal(backoffMs(0, 0), 800);
  assert.equal(backoffMs(6, 1), 72_000);
});

Deno.test("LifeCycle [case 102] is configured, then connecting, then connected", async () => {
  await using at = stage();
  assert.equal(at.life.state, "configured");
  await at.life.connect();
  assert.deepEqual(at.states, ["connecting", "connected"]);
  assert.equal(at.life.error, undefined);
});

Deno.test("LifeCycle [case 102] fails with the reason after the first contact was tried four times", async () => {
  await using at = stage();
  at.answers = [down];
  const contact = assert.rejects(at.life.connect(), down);
  await advance(at, 60_000);
  await contact;
  assert.deepEqual(at.dials, [0, 1_000, 3_000, 7_000]);
  assert.equal(at.life.state, "failed");
  assert.equal(at.life.error, "it is down");
});

for (const fault of ["permanent", "auth"] as const) {
  Deno.test(`LifeCycle fails at once when the first contact meets what is ${fault}`, async () => {
    await using at = stage();
    at.answers = [new FaultyError(fault)];
    await assert.rejects(at.life.connect(), { message: `it is ${fault}` });
    assert.deepEqual(at.dials, [0]);
    assert.deepEqual(at.states, ["connecting", "failed"]);
  });
}

Deno.test("LifeCycle tries a failed server again every 300 s until it is there", async () => {
  await using at = stage();
  at.answers = [new FaultyError("permanent"), down, new Link()];
  await assert.rejects(at.life.connect());
  await advance(at, 299_999);
  assert.deepEqual(at.dials, [0]);
  await advance(at, 1);
  assert.deepEqual(at.dials, [0, 300_000]);
  assert.equal(at.life.error, "it is down");
  await advance(at, 300_000);
  assert.deepEqual(at.dials, [0, 300_000, 600_000]);
  assert.equal(at.life.state, "connected");
  assert.deepEqual(at.states, ["connecting", "failed", "connected"]);
});

Deno.test("LifeCycle reaches a proven server again at once, and then ever more slowly", async () => {
  await using at = stage();
  await at.life.connect();
  at.life.prove(at.link());
  at.answers = [down, down, down, new Link()];
  at.life.lost(at.link(), new Error("gone"));
  await advance(at, 60_000);
  assert.deepEqual(at.dials, [0, 0, 1_000, 3_000, 7_000]);
  assert.deepEqual(at.states, ["connecting", "connected", "degraded", "connected"]);
});

Deno.test("LifeCycle [case 113] parks a server after five tries and then tries it every 300 s", async () => {
  await using at = stage();
  await at.life.connect();
  at.life.prove(at.link());
  at.answers = [down];
  at.life.lost(at.link(), new Error("gone"));
  await advance(at, 15_000);
  assert.deepEqual(at.dials.slice(1), [0, 1_000, 3_000, 7_000, 15_000]);
  assert.deepEqual(at.states, ["connecting", "connected", "degraded", "parked"]);
  assert.equal(at.life.isUsable, false);
  await assert.rejects(at.life.wake(never), {
    code: "unavailable",
    message: 'Server "x" cannot be used now, it is parked: it is down',
  });
  await advance(at, 300_000);
  assert.deepEqual(at.dials.slice(6), [315_000]);
  at.answers = [new Link()];
  await advance(at, 300_000);
  assert.deepEqual(at.states.slice(3), ["parked", "connected"]);
});

Deno.test("LifeCycle parks a server that only shakes hands", async () => {
  await using at = stage();
  await at.life.connect();
  for (let tries = 0; tries < 5; tries++) {
    at.life.lost(at.link(), new Error("gone"));
    await advance(at, 60_000);
    assert.equal(at.life.state, "connected");
  }
  assert.deepEqual(at.dials, [0, 1_000, 62_000, 124_000, 188_000, 256_000]);
  at.life.lost(at.link(), new Error("gone"));
  assert.equal(at.life.state, "parked");
  // What it was given back by the self-probe it loses as soon as it drops again.
  await advance(at, 300_000);
  assert.equal(at.life.state, "connected");
  at.life.lost(at.link(), new Error("gone"));
  assert.equal(at.life.state, "parked");
});

Deno.test("LifeCycle gives a proven server a whole budget again", async () => {
  await using at = stage();
  await at.life.connect();
  for (let round = 0; round < 12; round++) {
    at.life.prove(at.link());
    at.life.lost(at.link(), new Error("gone"));
    await settle();
    assert.equal(at.life.state, "connected");
  }
  assert.equal(at.dials.length, 13);
});

Deno.test("LifeCycle tries once more after a proven server asked for a sign-in", async () => {
  await using at = stage();
  await at.life.connect();
  at.life.prove(at.link());
  at.answers = [new FaultyError("auth")];
  at.life.lost(at.link(), new FaultyError("auth"));
  await advance(at, 60_000);
  assert.equal(at.dials.length, 2);
  assert.deepEqual(at.states.slice(2), ["degraded", "parked"]);
});

Deno.test("LifeCycle parks a server at once that asks for a sign-in before it proved itself", async () => {
  await using at = stage();
  await at.life.connect();
  at.life.lost(at.link(), new FaultyError("auth"));
  assert.deepEqual(at.states, ["connecting", "connected", "parked"]);
});

Deno.test("LifeCycle ignores what it hears of a link that it let go of", async () => {
  await using at = stage();
  await at.life.connect();
  const old = at.link();
  at.life.prove(old);
  at.life.lost(old, new Error("gone"));
  await settle();
  assert.equal(old.isOpen, false);
  at.life.lost(old, new Error("gone again"));
  assert.equal(at.life.state, "connected");
});

Deno.test("LifeCycle.wake() waits 15 s for a process and 5 s for a server of the network", async () => {
  for (const [isProcess, waitMs] of [[true, 15_000], [false, 5_000]] as const) {
    await using at = stage({ isProcess });
    await at.life.connect();
    at.life.prove(at.link());
    at.answers = [down];
    at.life.lost(at.link(), new Error("gone"));
    const waits = Promise.withResolvers<number>();
    at.life.wake(never).catch(() => waits.resolve(at.clock.now()));
    await advance(at, waitMs - 1);
    let isOver = false;
    waits.promise.then(() => isOver = true);
    await settle();
    assert.equal(isOver, false);
    await advance(at, 1);
    assert.equal(await waits.promise, waitMs);
  }
});

Deno.test("LifeCycle.wake() gives the link as soon as the server is back", async () => {
  await using at = stage();
  await at.life.connect();
  at.life.prove(at.link());
  at.answers = [down, new Link()];
  at.life.lost(at.link(), new Error("gone"));
  const waiting = at.life.wake(never);
  await advance(at, 1_000);
  assert.equal(await waiting, at.link());
});

Deno.test("LifeCycle.wake() gives up when its caller does, which is no failure of the server", async () => {
  await using at = stage();
  await at.life.connect();
  at.life.prove(at.link());
  at.answers = [down, new Link()];
  at.life.lost(at.link(), new Error("gone"));
  const caller = new AbortController();
  const waiting = at.life.wake(caller.signal);
  await settle();
  caller.abort(new Error("enough"));
  await assert.rejects(waiting, { message: "enough" });
  await advance(at, 1_000);
  assert.equal(at.life.state, "connected");
});

Deno.test("LifeCycle.wake() starts a server that nothing was tried with", async () => {
  await using at = stage({ lazy: true });
  assert.equal(at.life.isUsable, true);
  assert.equal(await at.life.wake(never), at.link());
  assert.deepEqual(at.states, ["connecting", "connected"]);
});

Deno.test("LifeCycle asks for a sign of life every 180 s, but never while a call is under way", async () => {
  await using at = stage();
  await at.life.connect();
  await advance(at, 179_999);
  assert.equal(at.probes(), 0);
  await advance(at, 1);
  assert.equal(at.probes(), 1);
  at.isBusy = true;
  await advance(at, 180_000);
  assert.equal(at.probes(), 1);
  at.isBusy = false;
  await advance(at, 180_000);
  assert.equal(at.probes(), 2);
});

Deno.test("LifeCycle asks for no sign of life more often than every 5 s", async () => {
  await using at = stage({ keepaliveMs: 10 });
  await at.life.connect();
  await advance(at, 4_999);
  assert.equal(at.probes(), 0);
  await advance(at, 1);
  assert.equal(at.probes(), 1);
});

Deno.test("LifeCycle takes a sign of life as proof, and the lack of one as a loss", async () => {
  await using at = stage();
  await at.life.connect();
  await advance(at, 180_000);
  at.probe = () => Promise.reject(new Error("silence"));
  await advance(at, 180_000);
  // Proven: it is reached again without a wait.
  assert.deepEqual(at.dials, [0, 360_000]);
  assert.deepEqual(at.states.slice(2), ["degraded", "connected"]);
});

Deno.test("LifeCycle stops an idle process, and the next call starts it", async () => {
  await using at = stage({ idleTimeoutMs: 10_000 });
  await at.life.connect();
  const first = at.link();
  await advance(at, 9_000);
  at.life.touch();
  await advance(at, 9_999);
  assert.equal(at.life.state, "connected");
  await advance(at, 1);
  assert.equal(at.life.state, "idle");
  assert.equal(first.isOpen, false);
  assert.equal(at.life.isUsable, true);
  assert.notEqual(await at.life.wake(never), first);
  assert.deepEqual(at.states.slice(2), ["idle", "degraded", "connected"]);
});

Deno.test("LifeCycle does not stop a process while a call is under way", async () => {
  await using at = stage({ idleTimeoutMs: 10_000, maxLifetimeMs: 15_000 });
  await at.life.connect();
  at.isBusy = true;
  await advance(at, 50_000);
  assert.equal(at.life.state, "connected");
  at.isBusy = false;
  at.life.touch();
  assert.equal(at.life.state, "idle");
});

Deno.test("LifeCycle replaces a process after its lifetime", async () => {
  await using at = stage({ maxLifetimeMs: 15_000 });
  await at.life.connect();
  await advance(at, 15_000);
  assert.equal(at.life.state, "idle");
});

Deno.test("LifeCycle stops no server of the network", async () => {
  await using at = stage({ isProcess: false, idleTimeoutMs: 1_000, maxLifetimeMs: 1_000 });
  await at.life.connect();
  await advance(at, 100_000);
  assert.equal(at.life.state, "connected");
});

Deno.test("LifeCycle starts no process before the one before is gone", async () => {
  const goodbye = Promise.withResolvers<void>();
  await using at = stage({ idleTimeoutMs: 1_000, hangUp: () => goodbye.promise });
  await at.life.connect();
  await advance(at, 1_000);
  const waking = at.life.wake(never);
  await settle();
  assert.equal(at.dials.length, 1);
  goodbye.resolve();
  await waking;
  assert.equal(at.dials.length, 2);
});

Deno.test("LifeCycle lets go of everything when it is closed", async () => {
  const at = stage();
  await at.life.connect();
  const link = at.link();
  at.life.prove(link);
  at.answers = [down];
  at.life.lost(link, new Error("gone"));
  const waiting = assert.rejects(at.life.wake(never), { code: "unavailable" });
  await settle();
  await at.life[Symbol.asyncDispose]();
  await waiting;
  assert.deepEqual(at.clock.waiting, []);
  assert.equal(at.life.state, "closed");
  await assert.rejects(at.life.connect(), { name: "AbortError" });
  await assert.rejects(at.life.wake(never), { message: /it is closed/ });
});

Deno.test("LifeCycle hangs up on a server that is reached after it was closed", async () => {
  const late = Promise.withResolvers<Link>();
  const at = stage({ dial: () => late.promise });
  const contact = assert.rejects(at.life.connect(), { name: "AbortError" });
  await settle();
  const over = at.life[Symbol.asyncDispose]();
  const link = new Link();
  late.resolve(link);
  await Promise.all([contact, over]);
  assert.equal(link.isOpen, false);
});
