import assert from "node:assert/strict";
import { type AnsweredCall, judge, KINDS } from "../../../scripts/soak/kinds.ts";

const NONCE = "N0123456789abZ";
const OTHER = "Nba9876543210Z";

function call(name: string, code: string, text = "", to = 5_500): AnsweredCall {
  const kind = KINDS.find((one) => one.name === name) ?? assert.fail(name);
  return { kind, nonce: NONCE, code, text, from: 5_000, to };
}

Deno.test("judge() wants the call's own nonce back, and no other", () => {
  assert.equal(judge(call("fast", "ok", `{"nonce":"${NONCE}"}`), []), "expected");
  assert.equal(judge(call("fast", "ok", "{}"), []), "wrong");
  assert.equal(judge(call("fast", "ok", `${NONCE} ${OTHER}`), []), "crossed");
  assert.equal(judge(call("throw", "tool_error", NONCE), []), "expected");
  assert.equal(judge(call("throw", "tool_error", ""), []), "wrong");
});

Deno.test("judge() counts a crash as lost, unless the tool harms itself or a cell was killed meanwhile", () => {
  assert.equal(judge(call("fast", "tool_crashed"), []), "lost");
  assert.equal(judge(call("fast", "tool_out_of_memory"), []), "lost");
  assert.equal(judge(call("spin", "tool_crashed"), []), "expected");
  assert.equal(judge(call("fast", "tool_crashed"), [4_500]), "killed");
  assert.equal(judge(call("fast", "tool_crashed"), [3_900, 5_600]), "lost");
  assert.equal(judge(call("fast", "timeout"), [5_100]), "wrong");
});

Deno.test("judge() finds an answer late from a second after the tool's own deadline", () => {
  assert.equal(judge(call("spin", "timeout", "", 7_000), []), "expected");
  assert.equal(judge(call("spin", "timeout", "", 7_001), []), "late");
  assert.equal(judge(call("slow", "ok", NONCE, 36_001), []), "late");
});

Deno.test("KINDS say readOnlyHint for half of the tools", () => {
  const readOnly = KINDS.filter(({ fields }) => fields?.includes("readOnlyHint: true")).length;
  assert.ok(Math.abs(KINDS.length - 2 * readOnly) <= 1, `${readOnly} of ${KINDS.length}`);
});
