import assert from "node:assert/strict";
import { ToolError, toolError } from "../../core/tool.ts";
import type { JsonObject } from "../../core/json.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import type { ToolHooks } from "../../runtime/hooks.ts";
import { HookRunner } from "../../runtime/hook_runner.ts";
import { startRuntime, type TestRuntime } from "./_runtime.ts";

/** A runtime with tools of the program's own, and what their handlers got. */
async function startHooked(
  hooks: ToolHooks | readonly ToolHooks[],
): Promise<TestRuntime & { readonly ran: unknown[] }> {
  const registry = new ToolRegistry();
  const ran: unknown[] = [];
  registry.register({
    name: "echo",
    toolset: "own",
    description: "Give back a text.",
    schema: { type: "object", properties: { text: { type: "string" } } },
    handler: (args) => {
      ran.push(args);
      const { text = "" } = args as { readonly text?: string };
      if (text === "throw") throw new ToolError("No such thing");
      if (text === "fail") return toolError("It failed", { path: "a" });
      return text === "json" ? { secret: "s3", list: [1] } : text;
    },
  });
  return Object.assign(await startRuntime({ registry, hooks }), { ran });
}

Deno.test("ToolHooks [case 69] run in the order before, after, transform, with call, session and task id", async () => {
  const seen: unknown[] = [];
  await using test = await startHooked({
    beforeCall: ({ name, toolset, args, callId, sessionId, taskId }) => {
      seen.push(["before", name, toolset, args, callId, sessionId, taskId]);
    },
    afterCall: ({ callId, sessionId, taskId }, { status }) => {
      seen.push(["after", callId, sessionId, taskId, status]);
    },
    transformResult: ({ callId, sessionId, taskId }, { content }) => {
      seen.push(["transform", callId, sessionId, taskId, content]);
    },
  });
  using session = test.runtime.session({ id: "s1" });
  const result = await session.dispatch("echo", { text: "hi" }, { callId: "c1", taskId: "t1" });
  assert.equal(result.content, "hi");
  assert.deepEqual(seen, [
    ["before", "echo", "own", { text: "hi" }, "c1", "s1", "t1"],
    ["after", "c1", "s1", "t1", "ok"],
    ["transform", "c1", "s1", "t1", "hi"],
  ]);
  seen.length = 0;
  await test.call("echo", {}, { callId: "c2" });
  assert.deepEqual(seen[0], ["before", "echo", "own", {}, "c2", undefined, undefined]);
});

Deno.test("ToolHooks [case 70] get the same whole duration in after and transform, and none before", async () => {
  const durations: unknown[] = [];
  const note = (_call: unknown, { durationMs }: { readonly durationMs: number }) => {
    durations.push(durationMs);
  };
  await using test = await startHooked({
    beforeCall: (call) => {
      durations.push("durationMs" in call);
    },
    afterCall: note,
    transformResult: note,
  });
  await test.call("echo", { text: "hi" });
  const [before, after, transform] = durations;
  assert.equal(before, false);
  assert.ok(Number.isInteger(after) && after as number >= 0, String(after));
  assert.equal(transform, after);
});

Deno.test("ToolHooks.beforeCall() [case 71] blocks with its message, and nothing runs", async () => {
  const seen: unknown[] = [];
  await using test = await startHooked({
    beforeCall: () => ({ action: "block", message: "Not on Sundays" }),
    afterCall: (_call, { status, content, error }) => {
      seen.push([status, content, error?.code]);
    },
    transformResult: () => {
      seen.push("transform");
    },
  });
  const result = await test.call("echo", { text: "hi" });
  assert.deepEqual([result.ok, result.error?.code, result.end], [
    false,
    "approval_denied",
    "never_started",
  ]);
  assert.equal(JSON.parse(result.content).error, "Not on Sundays");
  assert.deepEqual(test.ran, []);
  assert.deepEqual(seen, [["blocked", result.content, "approval_denied"]]);
});

Deno.test("ToolHooks.beforeCall() [case 72] answers that are malformed are ignored with a warning", async () => {
  const answers: unknown[] = [
    "block",
    { action: "block" },
    { action: "block", message: "" },
    { action: "block", message: 7 },
    { action: "deny" },
    { action: "ask", message: 7 },
    true,
    [],
    7,
  ];
  let answer: unknown;
  await using test = await startHooked({ beforeCall: () => answer as undefined });
  for (answer of answers) {
    assert.equal((await test.call("echo", { text: "ran" })).content, "ran", JSON.stringify(answer));
  }
  assert.equal(test.ran.length, answers.length);
  const warned = test.logs.filter(({ message }) => message.startsWith("Ignored what beforeCall"));
  assert.equal(warned.length, answers.length);
  assert.ok(warned.every(({ level }) => level === "warning"));
});

Deno.test("DispatchOptions.skipBeforeCall [case 73] leaves out beforeCall; after and transform still run", async () => {
  const seen: string[] = [];
  await using test = await startHooked({
    beforeCall: () => {
      seen.push("before");
      return { action: "block", message: "never" };
    },
    afterCall: () => void seen.push("after"),
    transformResult: () => {
      seen.push("transform");
      return "changed";
    },
  });
  const result = await test.call("echo", { text: "hi" }, { skipBeforeCall: true });
  assert.deepEqual([seen, result.content], [["after", "transform"], "changed"]);
});

Deno.test("DispatchOptions.skipBeforeCall [case 74] with the caller's own check is once in all", async () => {
  let times = 0;
  const hooks: ToolHooks = { beforeCall: () => void times++ };
  await using test = await startHooked(hooks);
  const runner = new HookRunner({ hooks: [hooks], warn: assert.fail });
  const call = { name: "echo", toolset: "own", args: {}, callId: "c", generation: 1 };
  assert.deepEqual(await runner.before(call), { ask: [] });
  await test.call("echo", {}, { callId: "c", skipBeforeCall: true });
  assert.equal(times, 1);
});

Deno.test("ToolHooks run exactly once for each call, whatever becomes of it", async () => {
  const counts = new Map<string, number[]>();
  const count = (callId: string, index: number) => {
    const all = counts.get(callId) ?? [0, 0, 0];
    all[index]!++;
    counts.set(callId, all);
  };
  await using test = await startHooked({
    beforeCall: ({ callId }) => count(callId, 0),
    afterCall: ({ callId }) => count(callId, 1),
    transformResult: ({ callId }) => count(callId, 2),
  });
  for (const text of ["hi", "throw", "fail"]) await test.call("echo", { text }, { callId: text });
  await test.call("echo", '{"text":"from text"}', { callId: "text" });
  // What no call came of is none: the events tell of these.
  await test.call("nope", {}, { callId: "unknown" });
  await test.call("echo", "{", { callId: "wrong" });
  assert.deepEqual([...counts], [
    ["hi", [1, 1, 1]],
    ["throw", [1, 1, 1]],
    ["fail", [1, 1, 1]],
    ["text", [1, 1, 1]],
  ]);
});

Deno.test("ToolHooks.afterCall() sees failures with their code, and text before a transform", async () => {
  const seen: unknown[] = [];
  await using test = await startHooked([
    { transformResult: () => "changed" },
    { afterCall: (_call, { status, content, error }) => void seen.push([status, content, error]) },
  ]);
  await test.call("echo", { text: "fail" });
  const failed = await test.call("echo", { text: "throw" });
  assert.deepEqual(seen, [
    ["error", '{"error":"It failed","path":"a"}', {
      code: "tool_error",
      message: "It failed",
      retryable: false,
    }],
    ["error", '{"error":"No such thing","code":"tool_error"}', {
      code: "tool_error",
      message: "No such thing",
      retryable: false,
    }],
  ]);
  assert.deepEqual([failed.ok, failed.content, failed.error?.code], [
    false,
    "changed",
    "tool_error",
  ]);
});

Deno.test("ToolHooks.transformResult() the first text counts, and what belonged to the old one is gone", async () => {
  const asked: string[] = [];
  await using test = await startHooked([
    {
      transformResult: () => {
        asked.push("a");
      },
    },
    {
      transformResult: () => {
        asked.push("b");
        return 7 as never;
      },
    },
    {
      transformResult: (_call, { content }) => {
        asked.push("c");
        return content.replace("s3", "[removed]");
      },
    },
    {
      transformResult: () => {
        asked.push("d");
        return "too late";
      },
    },
  ]);
  const result = await test.call("echo", { text: "json" });
  assert.equal(result.content, '{"secret":"[removed]","list":[1]}');
  assert.deepEqual([result.structured, result.blocks, result.ok], [undefined, undefined, true]);
  assert.deepEqual(asked, ["a", "b", "c"]);
  assert.match(test.logs.find(({ level }) => level === "warning")!.message, /transformResult/);
});

Deno.test("ToolHooks.transformResult() changes a text before it goes to a file", async () => {
  await using test = await startHooked({
    transformResult: (_call, { content }) => content.replaceAll("s", "-").repeat(1_000),
  });
  const result = await test.call("echo", { text: "secrets".repeat(30) });
  assert.ok(result.spilled);
  const kept = await Deno.readTextFile(result.spilled.path);
  assert.ok(kept.includes("-ecret-") && !kept.includes("secret"));
});

Deno.test("ToolHooks that observe or transform change nothing when they throw", async () => {
  await using test = await startHooked({
    afterCall: () => Promise.reject(new Error("observer")),
    transformResult: () => {
      throw new Error("transformer");
    },
  });
  assert.equal((await test.call("echo", { text: "hi" })).content, "hi");
  const warned = test.logs.filter(({ level }) => level === "warning").map(({ message }) => message);
  assert.deepEqual(warned, [
    'The hook afterCall failed on "echo": Error: observer',
    'The hook transformResult failed on "echo": Error: transformer',
  ]);
});

Deno.test("ToolHooks.beforeCall() blocks when it throws, and every hook still learns of the call", async () => {
  const told: string[] = [];
  await using test = await startHooked([
    { beforeCall: () => Promise.reject(new Error("broken")) },
    { beforeCall: ({ name }) => void told.push(name) },
    { beforeCall: () => ({ action: "block", message: "second" }) },
  ]);
  const result = await test.call("echo", {});
  assert.equal(result.error?.code, "approval_denied");
  assert.equal(result.error?.message, 'A hook of the program failed on "echo"');
  assert.deepEqual([told, test.ran], [["echo"], []]);
});

Deno.test("HookRunner waits for no hook for ever", async () => {
  const warned: string[] = [];
  const never = () => new Promise<never>(() => {});
  const call = { name: "x", toolset: "t", args: {}, callId: "c", generation: 1 };
  const hooks: ToolHooks[] = [{ beforeCall: never, afterCall: never, transformResult: never }];
  const runner = new HookRunner({ hooks, warn: (text) => warned.push(text), timeoutMs: 5 });
  assert.match((await runner.before(call)).block!, /failed on "x"/);
  const outcome = { status: "ok", content: "c", durationMs: 1 } as const;
  assert.equal(await runner.after(call, outcome), undefined);
  assert.equal(warned.length, 3);
  assert.ok(warned.every((text) => text.includes("no answer within 5 ms")));
  const long = new HookRunner({ hooks, warn: () => {} });
  assert.match((await long.before(call, AbortSignal.abort())).block!, /failed on "x"/);
});

Deno.test("ToolHooks cannot change the arguments, nor can the caller while a hook thinks", async () => {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await using test = await startHooked({
    beforeCall: async ({ args }) => {
      assert.throws(() => {
        (args as { text?: string }).text = "by the hook";
      }, TypeError);
      asked.resolve();
      await gate.promise;
    },
  });
  const args: JsonObject = { text: "as it was" };
  const running = test.call("echo", args);
  await asked.promise;
  Object.assign(args, { text: "by the caller" });
  gate.resolve();
  assert.equal((await running).content, "as it was");
});
