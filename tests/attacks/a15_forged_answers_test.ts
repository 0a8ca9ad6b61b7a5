import assert from "node:assert/strict";
import { openArena, shareArena, succeeded, until } from "./_arena.ts";

const arena = shareArena("a15");

const WAYS = [
  "self.postMessage",
  "postMessage kept from the top level",
  "postMessage of the prototype",
  "postMessage redefined",
  "dispatchEvent of a message",
  "a forged ready",
  "a forged lock",
  "BroadcastChannel",
  "Deno.internal",
];

for (const way of WAYS) {
  Deno.test(`attack [A15] answers by ${way}: contained`, async () => {
    const { call, goesOn } = arena();
    // The victim is open in the very worker that forges: the worst place to be.
    const victim = call("victim", { n: 5 });
    const forger = await call("forge", { way });
    await goesOn();
    assert.equal(succeeded(forger).content, "genuine");
    assert.deepEqual(succeeded(await victim).structured, { n: 5 });
  });
}

Deno.test("attack [A15] listening to the questions of others: contained", async () => {
  const { structured } = succeeded(await arena().call("overhears"));
  assert.deepEqual(structured, { heard: 0 });
});

Deno.test("attack [A15] an answer after the deadline: contained", async () => {
  succeeded(await arena().call("speaks"));
  const { result } = await arena().contain("answers_late", {}, { code: "timeout", timeoutMs: 300 });
  assert.equal(result.end, "finished_late");
  assert.doesNotMatch(result.content, /too late/);
});

Deno.test("attack [A15] a call whose id is used twice: contained", async () => {
  const twice = [1, 2].map((n) => arena().call("victim", { n }, { callId: "the-same" }));
  const results = await Promise.all(twice);
  assert.deepEqual(results.map((result) => succeeded(result).structured), [{ n: 1 }, { n: 2 }]);
});

Deno.test("attack [A15] a flood of log records: contained", async () => {
  const { call, goesOn, logs } = arena();
  const before = logs.length;
  const flood = call("floods", { what: "log", count: 50_000 }, { timeoutMs: 20_000 });
  await goesOn();
  assert.equal(succeeded(await flood).content, "flooded");
  // At most 400 at once and 200 a second after that pass; the rest is counted.
  const passed = logs.slice(before).filter(({ name }) => name === "floods").length;
  assert.ok(passed > 0 && passed < 5_000, `${passed} passed`);
  const isTold = (): boolean =>
    logs.some(({ message }) => /messages of a worker were dropped/.test(message));
  await until(async () => {
    await call("floods", { what: "log", count: 1 });
    return isTold();
  }, "the dropped ones to be counted");
});

Deno.test("attack [A15] a flood of progress: contained", async () => {
  const values: number[] = [];
  const result = await arena().call("floods", { what: "progress", count: 200_000 }, {
    timeoutMs: 20_000,
    onProgress: ({ value }) => values.push(value),
  });
  assert.equal(succeeded(result).content, "flooded");
  assert.ok(values.length >= 1 && values.length < 1_000, `${values.length} passed`);
});

Deno.test("attack [A15] a flood of lines: contained", async () => {
  const before = arena().logs.length;
  const flood = arena().call("floods", { what: "print", count: 20_000 }, { timeoutMs: 20_000 });
  await arena().goesOn();
  assert.equal(succeeded(await flood).content, "flooded");
  const lines = arena().logs.slice(before).filter(({ message }) => /^stderr: line/.test(message));
  assert.ok(lines.length > 0 && lines.length < 5_000, `${lines.length} passed`);
});

Deno.test("attack [A15] encoders and promises patched by a tool: contained", async () => {
  const result = await arena().call("forge", { way: "patched encoders" }, { timeoutMs: 2_000 });
  assert.doesNotMatch(JSON.stringify(result), /counterfeit/);
  await arena().goesOn();
});

Deno.test("attack [A15] twin progress and log records as they are meant", async () => {
  await using fresh = await openArena("a15");
  const messages: (string | undefined)[] = [];
  const result = await fresh.call("speaks", {}, {
    onProgress: ({ value, total, message }) => messages.push(`${value}/${total} ${message}`),
  });
  assert.equal(succeeded(result).content, "spoken");
  assert.deepEqual(messages, ["1/2 half"]);
  assert.ok(fresh.logs.some(({ message, name }) => message === "one record" && name === "speaks"));
});
