import assert from "node:assert/strict";
import { LineReader } from "../../../mcp/server/line_reader.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("LineReader.push() puts lines together however they are cut", () => {
  const text = "one\ntwo ü\r\n\nthree";
  const whole = bytes(text);
  for (let cut = 0; cut <= whole.length; cut++) {
    const reader = new LineReader(100);
    const lines = [...reader.push(whole.subarray(0, cut)), ...reader.push(whole.subarray(cut))];
    assert.deepEqual(lines, [
      { kind: "line", text: "one" },
      { kind: "line", text: "two ü" },
      { kind: "line", text: "" },
    ], `cut at ${cut}`);
  }
});

Deno.test("LineReader.push() tells of a line that is too long once, and goes on behind it", () => {
  const reader = new LineReader(4);
  assert.deepEqual([...reader.push(bytes("abcd\nabc"))], [{ kind: "line", text: "abcd" }]);
  assert.deepEqual([...reader.push(bytes("de"))], [{ kind: "too-long" }]);
  assert.deepEqual([...reader.push(bytes("fghijkl"))], []);
  assert.deepEqual([...reader.push(bytes("m\nnext\n"))], [{ kind: "line", text: "next" }]);
});

Deno.test("LineReader.push() keeps its own copy of what the stream may overwrite", () => {
  const reader = new LineReader(100);
  const buffer = bytes("abc");
  assert.deepEqual([...reader.push(buffer)], []);
  buffer.fill(120);
  assert.deepEqual([...reader.push(bytes("d\n"))], [{ kind: "line", text: "abcd" }]);
});
