import assert from "node:assert/strict";
import { cancelAround, soon } from "../workers/_wait.ts";
import { startRuntime } from "./_runtime.ts";

Deno.test("Dispatcher.dispatch() ends a call at the call's deadline, or the tool's, or the operator's", async () => {
  await using test = await startRuntime({
    fixtures: ["calls"],
    config: { limits: { timeoutMs: 900 } },
  });
  const run = async (name: string, timeoutMs?: number) => {
    // So that its worker is there, however busy the machine is.
    assert.ok((await test.call("call_echo", {}, { timeoutMs: 30_000 })).ok);
    const startedAt = performance.now();
    const result = await test.call(name, {}, { timeoutMs });
    const took = performance.now() - startedAt;
    assert.deepEqual([result.error?.code, result.error?.retryable], ["timeout", true]);
    return { took, result };
  };
  const own = await run("call_hangs");
  assert.ok(own.took >= 149 && own.took < 1_150, `${own.took} ms`);
  assert.equal(own.result.end, "stopped");
  assert.equal(
    own.result.content,
    '{"error":"Tool \\"call_hangs\\" did not end before its deadline: it was stopped. ' +
      'A retry may succeed","code":"timeout"}',
  );
  const operator = await run("call_waits");
  assert.ok(operator.took >= 899 && operator.took < 1_900, `${operator.took} ms`);
  assert.equal(operator.result.end, "finished_late");
  const call = await run("call_waits", 100);
  assert.ok(call.took >= 99 && call.took < 899, `${call.took} ms`);
});

Deno.test("Dispatcher.dispatch() takes a deadline as it is given: not 0.7 of it, and not 1.3", async () => {
  await using test = await startRuntime({
    fixtures: ["calls"],
    config: { limits: { timeoutMs: 700 } },
  });
  // So that its worker is there, however busy the machine is.
  assert.ok((await test.call("call_echo", {}, { timeoutMs: 30_000 })).ok);
  for (const timeoutMs of [400, undefined]) {
    const ends = await cancelAround(timeoutMs ?? 700, (signal, begun) =>
      // Its progress comes when the time has begun to run.
      test.call("call_waits", {}, { timeoutMs, signal, onProgress: begun }));
    assert.deepEqual(ends.map(({ error }) => error?.code), ["cancelled", "timeout"]);
  }
});

Deno.test("Dispatcher.dispatch() cancels a call when its signal aborts", async () => {
  await using test = await startRuntime({ fixtures: ["calls"] });
  const controller = new AbortController();
  const begun = Promise.withResolvers<unknown>();
  const running = test.call("call_waits", {}, {
    signal: controller.signal,
    onProgress: begun.resolve,
  });
  await soon("its progress", begun.promise);
  controller.abort();
  const result = await soon("its end", running);
  assert.deepEqual([result.error?.code, result.end, result.error?.retryable], [
    "cancelled",
    "finished_late",
    false,
  ]);
  const before = await test.call("call_echo", {}, { signal: AbortSignal.abort() });
  assert.deepEqual([before.error?.code, before.end], ["cancelled", "never_started"]);
});

Deno.test("Dispatcher.dispatch() reports start, progress, log records and end of a call", async () => {
  await using test = await startRuntime({ fixtures: ["calls"] });
  const events: unknown[] = [];
  test.runtime.on("tool-call-start", (event) => events.push(["start", event]));
  test.runtime.on("tool-call-progress", (event) => events.push(["progress", event]));
  test.runtime.on("tool-call-end", ({ callId, result }) => events.push(["end", callId, result.ok]));
  test.runtime.on("tool-log", (event) => events.push(["log", event]));
  const own: unknown[] = [];
  const controller = new AbortController();
  await test.call("call_context", {}, { callId: "c1" });
  await test.call("call_waits", {}, {
    callId: "c2",
    signal: controller.signal,
    onProgress: (progress) => {
      own.push(progress);
      controller.abort();
    },
  });
  const progress = { callId: "c2", value: 1, total: 4, message: "begun" };
  assert.deepEqual(events, [
    ["start", { callId: "c1", name: "call_context" }],
    ["log", { level: "warning", message: "a record", name: "call_context", callId: "c1" }],
    ["end", "c1", true],
    ["start", { callId: "c2", name: "call_waits" }],
    ["progress", progress],
    ["end", "c2", false],
  ]);
  assert.deepEqual(own, [progress]);
});

Deno.test("Dispatcher.dispatch() goes on when the caller's progress listener throws", async () => {
  await using test = await startRuntime({ fixtures: ["calls"] });
  const controller = new AbortController();
  const result = await test.call("call_waits", {}, {
    signal: controller.signal,
    onProgress: () => {
      controller.abort();
      throw new Error("A listener's fault");
    },
  });
  assert.deepEqual([result.error?.code, result.end], ["cancelled", "finished_late"]);
  assert.ok(test.logs.some(({ message }) => message.includes("A listener's fault")));
});

Deno.test("Dispatcher.dispatch() [case 46] keeps a result over its limit in a file, and nothing is lost", async () => {
  await using test = await startRuntime({ fixtures: ["calls"] });
  const whole = "123456789\n".repeat(10_001);
  const fits = await test.call("call_lines", { lines: 10_000 });
  assert.deepEqual([fits.content.length, fits.spilled], [100_000, undefined]);
  const result = await test.call("call_lines", { lines: 10_001 }, { callId: "long" });
  assert.ok(result.ok && result.spilled);
  assert.equal(await Deno.readTextFile(result.spilled.path), whole);
  assert.deepEqual([result.spilled.chars, result.spilled.previewChars], [100_010, 1_500]);
  const folder = `${test.base}/cache/spill/calls/`;
  assert.ok(result.spilled.path.startsWith(folder));
  assert.match(result.spilled.path.slice(folder.length), /^call_lines-[0-9a-f]{32}\.txt$/);
  assert.ok(result.content.includes(result.spilled.path));
  assert.ok(result.content.includes("100,010 characters"));
  assert.ok(result.content.length < 2_500);
  const mode = (await Deno.stat(result.spilled.path)).mode! & 0o777;
  if (Deno.build.os !== "windows") assert.equal(mode, 0o600);
});

Deno.test("Dispatcher.dispatch() [case 46] takes the tool's own limit first, then the operator's", async () => {
  await using test = await startRuntime({
    fixtures: ["calls"],
    config: { limits: { maxResultSizeChars: 50 } },
  });
  const short = await test.call("call_short", { text: "12345678901" });
  assert.deepEqual([short.spilled?.chars, short.spilled?.previewChars], [11, 10]);
  assert.equal((await test.call("call_short", { text: "1234567890" })).content, "1234567890");
  assert.equal((await test.call("call_lines", { lines: 6 })).spilled?.chars, 60);
  assert.equal((await test.call("call_lines", { lines: 5 })).spilled, undefined);
  const unlimited = await test.call("call_unlimited", { chars: 150_000 });
  assert.deepEqual([unlimited.content.length, unlimited.spilled], [150_000, undefined]);
});
