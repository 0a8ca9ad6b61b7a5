import assert from "node:assert/strict";
import { shareArena, succeeded } from "./_arena.ts";

const arena = shareArena("a13");

/** What each way says, or nothing where any text will do. */
const WAYS: Readonly<Record<string, RegExp | undefined>> = {
  "an error": /^Tool execution failed: Error: plain$/,
  "a rejected promise": /plain/,
  "undefined": undefined,
  "null": undefined,
  "a text": /only text/,
  "a number": /42/,
  "a symbol": /thrown/,
  "a function": undefined,
  "a bigint": /10/,
  "an object without a prototype": /cannot be shown as text/,
  "a frozen error": /frozen/,
  "getters that throw": /cannot be shown as text/,
  "a proxy whose traps throw": undefined,
  "a megabyte of text": /x{1000}/,
  "a hundred megabytes of text": /x{1000}/,
  "a chain of causes": /next/,
  "an aggregate": /many/,
  "an error with control characters": /red/,
  "a DOMException": /aborted/,
  "a late rejection": /late rejection/,
  "a late throw": /late throw/,
  "a late throw of nothing": undefined,
  "a late throw of a proxy": undefined,
  "a late rejection with a proxy": undefined,
  "a rejection in a microtask": /microtask/,
  "reportError": /reported/,
  "an error event by hand": /by hand/,
  "process.emit": /emit/,
  "a thenable that throws": /in then/,
  "a thenable that rejects": /rejected in then/,
  "a getter of then that throws": /getter of then/,
  "a patched prototype": undefined,
};

for (const [way, says] of Object.entries(WAYS)) {
  Deno.test(`attack [A13] ${way}: contained`, async () => {
    const end = { code: ["tool_error", "tool_crashed"] as const, timeoutMs: 3_000, says };
    const { result } = await arena().contain("fail", { way }, end);
    // These break the tool's own worker, and nothing else.
    const breaks = ["a patched prototype", "a late throw of a proxy"].includes(way);
    if (!breaks) assert.equal(result.error.code, "tool_error");
    assert.ok(result.error.message.length <= 2_048 + 13, `${result.error.message.length}`);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(result.content, /[\x00-\x1f]|\u202e/);
  });
}

Deno.test("attack [A13] a thenable that never settles: contained", async () => {
  await arena().contain("never_settles", {}, { code: "timeout", timeoutMs: 300 });
});

Deno.test("attack [A13] twin an error that is caught, a thenable that settles", async () => {
  assert.equal(succeeded(await arena().call("catches")).content, "recovered");
  const { structured } = succeeded(await arena().call("good_thenable"));
  assert.deepEqual(structured, { value: "settled" });
});
