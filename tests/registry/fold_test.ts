import assert from "node:assert/strict";
import fc from "fast-check";
import { foldName } from "../../registry/fold.ts";

Deno.test("foldName() leaves a folded name as it is", () => {
  assert.equal(foldName("read_file2"), "read_file2");
});

Deno.test("foldName() makes case, hyphen and dot the same", () => {
  assert.equal(foldName("Read-File.v2"), "read_file_v2");
});

Deno.test("foldName() makes compatibility forms the same", () => {
  assert.equal(foldName("ｒｅａｄ＿ｆｉｌｅ"), "read_file");
  assert.equal(foldName("ﬁle"), "file");
});

Deno.test("foldName() makes look-alike letters of other scripts Latin", () => {
  assert.equal(foldName("r\u0435\u0430d"), "read"); // Cyrillic ie and a
  assert.equal(foldName("\u0420\u0410\u0422\u041d"), "path"); // Cyrillic capitals ER A TE EN
  assert.equal(foldName("\u03a1\u0391\u03a4\u0397"), "path"); // Greek capitals RHO ALPHA TAU ETA
  assert.equal(foldName("t\u03bf\u03bfl"), "tool"); // Greek omicron
  assert.equal(foldName("\u0570\u0585me"), "home"); // Armenian ho and oh
  assert.equal(foldName("wr\u0131te"), "write"); // dotless i
  assert.equal(foldName("a\u2011b"), "a_b"); // non-breaking hyphen
});

Deno.test("foldName() drops characters that cannot be seen", () => {
  assert.equal(foldName("re\u200bad\u00ad\ufeff"), "read");
});

Deno.test("foldName() keeps l and 1, O and 0 apart", () => {
  assert.notEqual(foldName("tool"), foldName("too1"));
  assert.notEqual(foldName("O1"), foldName("01"));
});

Deno.test("foldName() gives the same when it is done twice", () => {
  const letters = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(..."aАΑՕİŉẞ-._ﬁ\u200bᏒЇ") }),
  );
  fc.assert(fc.property(letters, (text) => {
    assert.equal(foldName(foldName(text)), foldName(text));
  }));
});
