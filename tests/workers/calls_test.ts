import assert from "node:assert/strict";
import type { ExecutionFailure, ExecutionOutcome } from "../../workers/execution.ts";
import { startPool } from "./_pool.ts";

function valueOf(outcome: ExecutionOutcome): unknown {
  assert.ok(outcome.ok, JSON.stringify(outcome));
  assert.equal(outcome.end, "completed");
  return outcome.value;
}

function failureOf(outcome: ExecutionOutcome): Omit<ExecutionFailure, "timing"> {
  assert.ok(!outcome.ok, JSON.stringify(outcome));
  const { timing: _, ...rest } = outcome;
  return JSON.parse(JSON.stringify(rest));
}

Deno.test("WorkerPool.run() gives what a handler returned, by kind", async () => {
  await using test = await startPool();
  const run = (tool: string, args = {}) => test.pool.run(test.request("basics.ts", tool, { args }));
  assert.deepEqual(valueOf(await run("echo", { a: [1, "é"] })), {
    kind: "text",
    text: '{"a":[1,"é"]}',
  });
  assert.deepEqual(valueOf(await run("value", { value: [1, null] })), {
    kind: "json",
    value: [1, null],
  });
  assert.deepEqual(valueOf(await run("fails")), {
    kind: "error",
    text: '{"error":"It did not work"}',
  });
  assert.deepEqual(valueOf(await run("looks_failed")), {
    kind: "text",
    text: '{"error":"not ours"}',
  });
});

Deno.test("WorkerPool.run() gives what a handler threw, and how its time was spent", async () => {
  await using test = await startPool();
  const outcome = await test.pool.run(test.request("basics.ts", "throws"));
  assert.deepEqual(failureOf(outcome), {
    ok: false,
    code: "tool_error",
    message: "Try again",
    errorName: "ToolError",
    retryable: true,
    details: { wait: 1 },
    end: "completed",
  });
  assert.ok(outcome.timing.queuedMs > 0 && outcome.timing.runMs >= 0);
});

Deno.test("WorkerPool.run() gives an answer when a block's getter would throw the second time", async () => {
  await using test = await startPool();
  const outcome = await test.pool.run(test.request("more.ts", "turns_bad", { timeoutMs: 3_000 }));
  assert.equal(outcome.end, "completed", JSON.stringify(outcome));
});

Deno.test("WorkerPool.run() tells a denied access, with what was asked for", async () => {
  await using test = await startPool();
  const args = { path: "/etc/hostname" };
  const denied = failureOf(await test.pool.run(test.request("basics.ts", "reads", { args })));
  assert.equal(denied.code, "permission_denied");
  assert.deepEqual(denied.denied, { kind: "read", what: "/etc/hostname" });
  const grants = { read: ["/etc/hostname"] };
  const allowed = await test.pool.run(test.request("basics.ts", "reads", { args, grants }));
  assert.deepEqual(valueOf(allowed), {
    kind: "text",
    text: await Deno.readTextFile("/etc/hostname"),
  });
});

Deno.test("WorkerPool.run() hands progress and log records to the call they belong to", async () => {
  await using test = await startPool();
  const heard: unknown[] = [];
  const outcome = await test.pool.run(test.request("basics.ts", "progresses", {
    onProgress: ({ value, total, message }) => heard.push([value, total, message]),
    onLog: ({ level, message, data }) => heard.push([level, message, data]),
  }));
  assert.deepEqual(valueOf(outcome), { kind: "text", text: "done" });
  assert.deepEqual(heard, [
    [1, 2, "half"],
    ["info", "working", { step: 1 }],
    [2, 2, undefined],
  ]);
});

Deno.test("WorkerPool.run() bounds the records of a tool that floods its log, and loses no answer", async () => {
  await using test = await startPool();
  let records = 0;
  const outcome = await test.pool.run(
    test.request("more.ts", "floods", { onLog: () => records++ }),
  );
  assert.deepEqual(valueOf(outcome), { kind: "text", text: "flooded" });
  assert.ok(records >= 400 && records < 1000, `${records} records`);
  assert.ok(test.logs.some(({ message }) => /messages of a worker were dropped/.test(message)));
});

Deno.test("WorkerPool.run() makes log text of what a tool prints", async () => {
  await using test = await startPool();
  valueOf(await test.pool.run(test.request("more.ts", "prints")));
  await test.pool.close();
  const printed = test.logs.find(({ message }) => message.includes("printed by a tool"));
  assert.deepEqual(printed && { ...printed, cell: printed.cell.replace(/\d+/, "N") }, {
    level: "info",
    message: "stdout: printed by a tool",
    cell: "cell-N",
  });
});

Deno.test("WorkerPool.run() checks arguments with the module's own Standard Schema", async () => {
  await using test = await startPool();
  const run = (count: number) =>
    test.pool.run(test.request("validated.ts", "halves", { args: { count } }));
  assert.deepEqual(valueOf(await run(8)), { kind: "json", value: 4 });
  const failure = failureOf(await run(7));
  assert.equal(failure.code, "invalid_arguments");
  assert.equal(failure.message, "count: Expected an even number");
});

Deno.test("WorkerPool.run() says why a module could not be loaded, and none of its code ran for the call", async () => {
  await using test = await startPool();
  const run = async (module: string) =>
    failureOf(await test.pool.run(test.request(module, "any", { timeoutMs: 5_000 })));
  const thrown = await run("throws_at_load.ts");
  assert.deepEqual([thrown.code, thrown.end], ["tool_crashed", "never_started"]);
  assert.match(thrown.message, /Broken at the top level$/);
  const denied = await run("reads_at_load.ts");
  assert.deepEqual([denied.code, denied.end], ["permission_denied", "never_started"]);
  assert.deepEqual(denied.denied, { kind: "read", what: "/etc/hostname" });
  const exited = await run("exits_at_load.ts");
  assert.equal(exited.code, "tool_exited");
});

Deno.test("WorkerPool.run() says so when the module does not register the tool", async () => {
  await using test = await startPool();
  const failure = failureOf(await test.pool.run(test.request("basics.ts", "toString")));
  assert.equal(failure.code, "tool_error");
  assert.equal(failure.message, 'Cannot call "toString": its module no longer registers it');
});

Deno.test("WorkerPool.run() puts a stray rejection and a stray error down to the only open call", async () => {
  await using test = await startPool();
  for (
    const [tool, message] of [["rejects_late", "stray rejection"], ["throws_late", "stray error"]]
  ) {
    const failure = failureOf(await test.pool.run(test.request("endings.ts", tool!)));
    assert.deepEqual([failure.code, failure.message], ["tool_error", message]);
  }
});

Deno.test("WorkerPool.run() tells that there are no cells where no process may be started", async () => {
  await using test = await startPool({});
  const { WorkerPool } = await import("../../workers/worker_pool.ts");
  await using pool = new WorkerPool();
  const failure = failureOf(await pool.run(test.request("basics.ts", "echo")));
  assert.equal(failure.code, "internal");
  assert.match(failure.message, /no process may be started here/);
});
