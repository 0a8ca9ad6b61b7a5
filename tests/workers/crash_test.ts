import assert from "node:assert/strict";
import type { ExecutionOutcome } from "../../workers/execution.ts";
import { startPool } from "./_pool.ts";
import { soon, until } from "./_wait.ts";

function codeOf(outcome: ExecutionOutcome): unknown {
  return outcome.ok ? outcome.value : [outcome.code, outcome.retryable, outcome.end];
}

Deno.test("WorkerPool.run() ends as tool_crashed when a tool kills its own process", async () => {
  await using test = await startPool();
  const outcome = await soon("the end", test.pool.run(test.request("endings.ts", "kills_itself")));
  assert.deepEqual(codeOf(outcome), ["tool_crashed", false, "stopped"]);
  assert.ok(
    test.logs.some(({ level, message }) =>
      level === "warning" && message.startsWith("A cell ended: ")
    ),
  );
  const next = await test.pool.run(test.request("basics.ts", "echo"));
  assert.ok(next.ok);
});

/** Starts a call that is in flight when `crash` is called, and gives how it ended. */
async function loseTo(
  crash: string,
  repeatable: boolean,
): Promise<{ outcome: ExecutionOutcome; runs: number }> {
  await using test = await startPool();
  const path = `${test.folder}/runs`;
  const grants = { read: [path], write: [path] };
  await Deno.writeTextFile(path, "");
  const victim = test.pool.run(test.request("more.ts", "starts", {
    args: { path },
    grants,
    repeatable,
    timeoutMs: 20_000,
  }));
  await until("the victim has begun", async () => (await Deno.readTextFile(path)) === "x");
  // The same cell, because a cell is known by its group and its grants.
  const [module, tool] = crash.split(":");
  const request = test.request(module!, tool!, { grants, timeoutMs: 1_000 });
  const culprit = await test.pool.run(request);
  assert.ok(!culprit.ok);
  const outcome = await soon("the victim's end", victim);
  return { outcome, runs: (await Deno.readTextFile(path)).length };
}

Deno.test("WorkerPool.run() tells a call that its cellmate took along, and does not repeat it", async () => {
  const { outcome, runs } = await loseTo("endings.ts:kills_itself", false);
  assert.deepEqual(codeOf(outcome), ["tool_crashed", false, "stopped"]);
  assert.equal(runs, 1);
});

Deno.test("WorkerPool.run() repeats once what may be repeated, and it succeeds", async () => {
  for (const crash of ["endings.ts:kills_itself", "basics.ts:spins"]) {
    const { outcome, runs } = await loseTo(crash, true);
    assert.deepEqual(codeOf(outcome), { kind: "text", text: "second time" });
    assert.equal(runs, 2);
  }
});

Deno.test("WorkerPool.run() repeats once only: a repeatable call that ends its own process ends as retryable", async () => {
  await using test = await startPool();
  const outcome = await soon(
    "the end",
    test.pool.run(test.request("endings.ts", "kills_itself", { repeatable: true })),
  );
  assert.deepEqual(codeOf(outcome), ["tool_crashed", true, "stopped"]);
  const ends = test.logs.filter(({ message }) => message.startsWith("A cell ended: "));
  assert.equal(ends.length, 2);
});
