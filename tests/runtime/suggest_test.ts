import assert from "node:assert/strict";
import fc from "fast-check";
import { editDistance, suggestNames } from "../../runtime/suggest.ts";

const NAMES = ["read_file", "write_file", "search_files", "terminal", "web_extract", "patch"];

Deno.test("suggestNames() finds near names, nearest first", () => {
  assert.deepEqual(suggestNames("Read-File", NAMES), ["read_file"]);
  assert.deepEqual(suggestNames("raed_file", NAMES)[0], "read_file");
  assert.deepEqual(suggestNames("file", NAMES), ["read_file", "search_files", "write_file"]);
  assert.deepEqual(suggestNames("extract", NAMES), ["web_extract"]);
  assert.deepEqual(suggestNames("xyz", NAMES), []);
  assert.deepEqual(suggestNames("", NAMES), []);
  assert.deepEqual(suggestNames("x".repeat(1_000_000), NAMES), []);
});

Deno.test("editDistance() counts as by hand, up to its bound", () => {
  assert.equal(editDistance("abc", "abc", 3), 0);
  assert.equal(editDistance("abc", "acb", 3), 1);
  assert.equal(editDistance("kitten", "sitting", 3), 3);
  assert.equal(editDistance("kitten", "sitting", 2), 3);
  assert.equal(editDistance("", "abcd", 2), 3);
  fc.assert(fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
    assert.equal(editDistance(a, b, 20), editDistance(b, a, 20));
    assert.equal(editDistance(a, b, 20) === 0, a === b);
  }));
});
