import assert from "node:assert/strict";
import { stripControls, stripHidden } from "../../core/hidden_text.ts";

Deno.test("stripHidden() takes out and names what a person does not see", () => {
  const cases: [string, string, string[]][] = [
    ["plain\ttext\n", "plain\ttext\n", []],
    ["zero\u200B\u200C\uFEFFwidth", "zerowidth", ["zero-width characters"]],
    ["a\u202Eb\u2066c", "abc", ["bidirectional controls"]],
    ["a\u{E0061}\u{E007F}b", "ab", ["tag characters"]],
    ["\x1b[31mred\x1b[0m", "red", ["terminal sequences"]],
    ["\x1b]8;;http://x\x07link\x1b]8;;\x1b\\", "link", ["terminal sequences"]],
    ["\x9b2Jx\x9d0;t\x9cy", "xy", ["terminal sequences"]],
    ["a\x00b\x7f", "ab", ["control characters"]],
    ["v\uFE00\uFE01\u{E0100}", "v\uFE00", ["variation selectors"]],
    ["\u202E\u200Bx", "x", ["bidirectional controls", "zero-width characters"]],
  ];
  for (const [given, text, hidden] of cases) {
    assert.deepEqual(stripHidden(given), { text, hidden }, JSON.stringify(given));
  }
});

Deno.test("stripHidden() keeps what makes one picture of several, and letters of every script", () => {
  for (const text of ["👩‍🔬", "⚠️", "👩🏽‍🚀", "שלום", "नमस्ते", "日本語"]) {
    assert.deepEqual(stripHidden(text), { text, hidden: [] }, text);
  }
});

Deno.test("stripControls() [A12] takes terminal sequences and tags out of results, and leaves scripts alone", () => {
  assert.equal(stripControls("\x1b]0;owned\x07a\x1b[2Jb\u{E0041}c\x08d"), "abcd");
  assert.equal(stripControls("می\u200Cخواهم \u200Fשלום"), "می\u200Cخواهم \u200Fשלום");
});
