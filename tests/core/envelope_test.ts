import assert from "node:assert/strict";
import {
  boundMessage,
  isToolErrorText,
  MAX_ERROR_CHARS,
  toolError,
  toolResult,
} from "../../core/envelope.ts";

Deno.test("toolError() [case 47] adds more members", () => {
  assert.equal(toolError("x", { code: 4 }), '{"error":"x","code":4}');
  assert.equal(toolError("x", { error: "y" }), '{"error":"y"}');
});

Deno.test("toolResult() [case 47] is the JSON text of a value", () => {
  assert.equal(toolResult({}), "{}");
  assert.equal(toolResult({ a: 1 }), '{"a":1}');
  assert.equal(toolResult(false), "false");
  assert.equal(toolResult("größer"), '"größer"');
});

Deno.test("toolResult() refuses what JSON cannot hold", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  for (const value of [undefined, () => 1, 1n, cycle]) {
    assert.throws(() => toolResult(value as never), TypeError);
  }
});

Deno.test("toolError() cuts a message over 2,048 characters, with a marker", () => {
  const { error } = JSON.parse(toolError("x".repeat(2049)));
  assert.equal(error, "x".repeat(2048) + "… [truncated]");
  assert.equal(JSON.parse(toolError("x".repeat(2048))).error, "x".repeat(2048));
});

Deno.test("boundMessage() does not split a surrogate pair", () => {
  const cut = boundMessage("x".repeat(MAX_ERROR_CHARS - 1) + "🔢🔢");
  assert.equal(cut, "x".repeat(MAX_ERROR_CHARS - 1) + "… [truncated]");
});

Deno.test("isToolErrorText() knows the texts that toolError made, and no look-alike", () => {
  assert.equal(isToolErrorText(toolError("made here")), true);
  assert.equal(isToolErrorText('{"error":"never made"}'), false);
});

Deno.test("isToolErrorText() remembers the newest thousand", () => {
  const first = toolError("the first of many");
  for (let index = 0; index < 1024; index++) toolError(`number ${index}`);
  assert.equal(isToolErrorText(first), false);
  assert.equal(isToolErrorText('{"error":"number 1023"}'), true);
});
