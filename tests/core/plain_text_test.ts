import assert from "node:assert/strict";
import { plainLine, plainText } from "../../core/plain_text.ts";

Deno.test("plainText() [A12] takes out whole escape sequences, not only their first character", () => {
  assert.equal(plainText("a\u001b[31;1mred\u001b[0m b", 100), "ared b");
  assert.equal(
    plainText("\u001b]8;;https://evil.example\u0007link\u001b]8;;\u001b\\", 100),
    "link",
  );
  assert.equal(plainText("\u001b]0;title\u0007x\u009b2Jy", 100), "xy");
  assert.equal(plainText("\u001bcreset", 100), "reset");
});

Deno.test("plainText() [A12] takes out what cannot be seen or turns the text around", () => {
  const hidden = "\u200b\u200d\u202e\u2066\ufeff\u00ad\u2028\u{e0041}\u{e0100}\ud800\u0000\u0008";
  assert.equal(plainText(`a${hidden}b`, 100), "ab");
});

Deno.test("plainText() keeps line breaks, tabs, letters of every script and pictures", () => {
  const text = "é\tд\nمرحبا 漢字 🎉";
  assert.equal(plainText(text, 100), text);
  assert.equal(plainText("a\r\nb\rc", 100), "a\nbc");
});

Deno.test("plainText() says that it cut, and never cuts a character in two", () => {
  assert.equal(plainText("abcdef", 6), "abcdef");
  assert.equal(plainText("abcdefg", 6), "abcde…");
  assert.equal(plainText("abcd🎉g", 6), "abcd\ufffd…");
  assert.equal(plainText("x".repeat(1_000_000), 10), `${"x".repeat(9)}…`);
});

Deno.test("plainText() takes no longer for a text made of escapes", () => {
  const start = performance.now();
  plainText("\u001b]".repeat(500_000), 100_000);
  assert.ok(performance.now() - start < 2_000);
});

Deno.test("plainLine() makes one line", () => {
  assert.equal(plainLine("  a\n\tb\n", 100), "a b");
});
