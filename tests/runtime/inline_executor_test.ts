import assert from "node:assert/strict";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { ExecutionOutcome } from "../../workers/execution.ts";
import { type InlineCall, runInline } from "../../runtime/inline_executor.ts";
import { cancelAround, soon } from "../workers/_wait.ts";

function run(
  handler: (args: unknown, context: ToolContext) => unknown,
  more: Partial<InlineCall> = {},
): Promise<ExecutionOutcome> {
  return soon(
    "the end",
    runInline({
      tool: "inline",
      handler: { kind: "inline", call: handler as never },
      args: { a: 1 },
      context: { callId: "c", workspace: "/space", data: "/data", env: [], config: { b: 2 } },
      timeoutMs: 5_000,
      onMessage: () => {},
      ...more,
    }),
  );
}

function summary(outcome: ExecutionOutcome): unknown {
  return outcome.ok
    ? [JSON.parse(JSON.stringify(outcome.value)), outcome.end]
    : [outcome.code, outcome.message, outcome.end];
}

Deno.test("runInline() hands over arguments and context, and gives what was returned", async () => {
  const outcome = await run((args, context) => Promise.resolve({ args, config: context.config }));
  assert.ok(outcome.ok && outcome.end === "completed");
});

Deno.test("runInline() gives what was thrown, also at once", async () => {
  const thrown = await run(() => {
    throw new ToolError("Not now", { retryable: true });
  });
  assert.deepEqual(summary(thrown), ["tool_error", "Not now", "completed"]);
  assert.ok(!thrown.ok && thrown.retryable && thrown.errorName === "ToolError");
  const rejected = await run(() => Promise.reject(new TypeError("Wrong")));
  assert.ok(!rejected.ok && rejected.errorName === "TypeError");
});

Deno.test("runInline() carries progress and log records", async () => {
  const heard: unknown[] = [];
  await run((_args, context) => {
    context.progress(1, 2);
    context.log.info("a record");
  }, { onMessage: (message) => heard.push(message.type) });
  assert.deepEqual(heard, ["progress", "log"]);
});

Deno.test("runInline() aborts the signal at the deadline, and tells that the handler ended late", async () => {
  let reason: unknown;
  const outcome = await run(
    (_args, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          resolve("late");
        })
      ),
    { timeoutMs: 30 },
  );
  assert.deepEqual(summary(outcome), [
    "timeout",
    'Tool "inline" did not end before its deadline: it ended shortly after, and its result was dropped',
    "finished_late",
  ]);
  assert.equal((reason as Error).name, "AbortError");
});

Deno.test("runInline() tells the truth of a handler that does not end: it may still be running", async () => {
  const controller = new AbortController();
  const running = run(() => new Promise(() => {}), { signal: controller.signal });
  controller.abort();
  assert.deepEqual(summary(await running), [
    "cancelled",
    'Tool "inline" was cancelled: it runs in this process and may still be running',
    "unsettled",
  ]);
});

Deno.test("runInline() runs nothing of a call that was cancelled before", async () => {
  let ran = false;
  const outcome = await run(() => {
    ran = true;
  }, { signal: AbortSignal.abort() });
  assert.ok(!outcome.ok && outcome.code === "cancelled" && outcome.end === "never_started");
  assert.equal(ran, false);
});

Deno.test("runInline() ends a call at its deadline: not at 0.7 of it, and not at 1.3", async () => {
  const ends = await cancelAround(200, async (signal, begun) => {
    const running = run(
      (_args, context) =>
        new Promise((resolve) => context.signal.addEventListener("abort", () => resolve("late"))),
      { signal, timeoutMs: 200 },
    );
    begun();
    return await running;
  });
  assert.deepEqual(ends.map((outcome) => outcome.ok || outcome.code), ["cancelled", "timeout"]);
});
