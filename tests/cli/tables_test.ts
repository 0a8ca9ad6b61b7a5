import assert from "node:assert/strict";
import { renderTable, textWidth } from "../../cli/tables.ts";

Deno.test("textWidth() counts columns, not code units", () => {
  assert.equal(textWidth("abc"), 3);
  assert.equal(textWidth("é"), 1);
  assert.equal(textWidth("e\u0301"), 1);
  assert.equal(textWidth("日本"), 4);
  assert.equal(textWidth("🔢"), 2);
  assert.equal(textWidth("👩\u200d💻"), 2);
});

Deno.test("renderTable() aligns columns and leaves no spaces at line ends", () => {
  assert.equal(
    renderTable(["NAME", "X", "LAST"], [["日本", "yes", ""], ["a", "", "z"]]),
    ["NAME  X    LAST", "日本  yes", "a          z"].join("\n"),
  );
});

Deno.test("renderTable() makes foreign cells harmless and keeps each on its line", () => {
  assert.equal(renderTable(["A"], [["x\n\x1b[2J"]]), "A\nx\\n\\u{1b}[2J");
});

Deno.test("renderTable() styles the first line only", () => {
  assert.equal(renderTable(["A"], [["b"]], (text) => `<${text}>`), "<A>\nb");
});
