import assert from "node:assert/strict";
import { CallDesk, type Question } from "../../../mcp/client/call_desk.ts";
import { LifeCycle } from "../../../mcp/client/life_cycle.ts";
import { NotSentError } from "../../../mcp/client/link_errors.ts";
import { describeError, faultOf } from "../../../mcp/client/rpc_verdict.ts";
import type { ServerLink } from "../../../mcp/client/server_link.ts";
import { FakeClock } from "../../registry/availability/_fake_clock.ts";
import { callOptions, failureOf } from "./_arena.ts";

interface Stage extends AsyncDisposable {
  readonly desk: CallDesk;
  readonly clock: FakeClock;
  /** How many links were made. */
  readonly links: () => number;
}

// A link is only handed through: what is asked over it is up to each question.
function stage(parallel = false): Stage {
  const clock = new FakeClock();
  let links = 0;
  const life = new LifeCycle<ServerLink>({
    name: "x",
    clock,
    random: () => 0.5,
    isProcess: true,
    lazy: true,
    keepaliveMs: 180_000,
    dial: () => {
      links++;
      return Promise.resolve({ reason: undefined } as ServerLink);
    },
    hangUp: () => Promise.resolve(),
    probe: () => Promise.resolve(),
    isBusy: () => desk.isBusy,
    faultOf,
    describe: describeError,
    onState: () => {},
  });
  const desk: CallDesk = new CallDesk({ server: "x", parallel, clock, life });
  return {
    desk,
    clock,
    links: () => links,
    [Symbol.asyncDispose]: () => life[Symbol.asyncDispose](),
  };
}

function question<T>(
  run: Question<T>["run"],
  options: Parameters<typeof callOptions>[0] = {},
): Question<T> & { readonly options: ReturnType<typeof callOptions> } {
  return { what: 'calling tool "t"', isCall: true, options: callOptions(options), run };
}

Deno.test("CallDesk.askInTurn() asks again, once, when the process was gone before it read the call", async () => {
  await using at = stage();
  // A session that proved itself is reached again without a wait.
  assert.equal(await at.desk.askInTurn(question(() => Promise.resolve("first"))), "first");
  let calls = 0;
  const second = at.desk.askInTurn(question(() => {
    calls++;
    return calls === 1 ? Promise.reject(new NotSentError()) : Promise.resolve("second");
  }));
  assert.equal(await second, "second");
  assert.deepEqual([calls, at.links()], [2, 2]);
});

Deno.test("CallDesk.askInTurn() says that nothing ran when the process was gone twice", async () => {
  await using at = stage();
  await at.desk.askInTurn(question(() => Promise.resolve("first")));
  let calls = 0;
  const failing = failureOf(at.desk.askInTurn(question(() => {
    calls++;
    return Promise.reject(new NotSentError());
  })));
  await at.clock.advance(1_000);
  const { code, retryable, end } = await failing;
  assert.deepEqual([code, retryable, end], ["unavailable", true, "never_started"]);
  assert.equal(calls, 2);
});

Deno.test("CallDesk lets the deadline of a call wait while the person is asked", async () => {
  await using at = stage();
  const answer = Promise.withResolvers<void>();
  const asked = question(async (_link, request) => {
    const { action } = await request.elicit({ message: "?", requestedSchema: {} });
    return [action, request.signal.aborted];
  }, {
    timeoutMs: 1_000,
    answer: async () => {
      await answer.promise;
      return { action: "accept", content: {} };
    },
  });
  const result = at.desk.askInTurn(asked);
  await at.clock.advance(500_000);
  answer.resolve();
  assert.deepEqual(await result, ["accept", false]);
});

Deno.test("CallDesk.elicit() asks for the one call under way, and for none of several", async () => {
  await using at = stage(true);
  const params = { message: "?", requestedSchema: {} };
  assert.deepEqual(await at.desk.elicit(params), { action: "decline" });
  const over = Promise.withResolvers<string>();
  const accept = () => Promise.resolve({ action: "accept" as const, content: {} });
  const waiting = () => question(() => over.promise, { answer: accept });
  const [first, list] = [waiting(), waiting()];
  const running = [at.desk.askInTurn(first), at.desk.ask(list)];
  await at.clock.advance(0);
  // A list is under way as well, but no server asks a person on its account.
  assert.deepEqual(await at.desk.elicit(params), { action: "accept", content: {} });
  assert.equal(first.options.heard.asked.length, 1);
  running.push(at.desk.askInTurn(waiting()));
  await at.clock.advance(0);
  assert.deepEqual(await at.desk.elicit(params), { action: "decline" });
  over.resolve("done");
  await Promise.all(running);
  assert.equal(at.desk.isBusy, false);
});
