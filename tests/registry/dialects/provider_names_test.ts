import assert from "node:assert/strict";
import fc from "fast-check";
import { longestName, nameTools } from "../../../registry/dialects/provider_names.ts";
import { foldName } from "../../../registry/fold.ts";

const LEGAL = /^[A-Za-z_][A-Za-z0-9_-]*$/;

function name(names: readonly string[], longest = 64): Record<string, string> {
  return Object.fromEntries(nameTools(names, longest));
}

Deno.test("nameTools() keeps names that every provider takes", () => {
  const names = ["read_file", "Read-Other", "_x", "a".repeat(64), "constructor"];
  assert.deepEqual([...nameTools(names, 64)].every(([from, to]) => from === to), true);
});

Deno.test("nameTools() writes dots as _ and marks only what has no other way", () => {
  assert.deepEqual(name(["math.factorial", "2nd", "-x"]), {
    "math.factorial": "math_factorial",
    "2nd": "_2nd",
    "-x": "_-x",
  });
  const long = `${"a".repeat(70)}.b`;
  const short = name([long])[long]!;
  assert.equal(short.length, 64);
  assert.match(short, /^a{55}_[0-9a-f]{8}$/);
});

Deno.test("nameTools() never gives a tool the name of another", () => {
  const named = name(["a.b", "a_b", "A-B", "a-b"]);
  // The first in sorted order that is spelled so keeps its name.
  assert.equal(named["A-B"], "A-B");
  assert.equal(new Set(Object.values(named).map(foldName)).size, 4);
  for (const wanted of Object.values(named)) assert.match(wanted, LEGAL);
});

Deno.test("nameTools() keeps names for clients of the Model Context Protocol within 45 characters", () => {
  assert.equal(longestName("mcp"), 45);
  for (const dialect of ["openai", "openai-strict", "anthropic", "gemini"] as const) {
    assert.equal(longestName(dialect), 64);
  }
  const long = "permission_api.PermissionApi.add_permission_to_user";
  assert.equal(name([long], 45)[long], "permission_api_PermissionApi_add_per_918ea0c0");
  assert.equal(name([long], 64)[long], "permission_api_PermissionApi_add_permission_to_user");
});

Deno.test("nameTools() [D14] is reversible, legal and independent of order, for any names", () => {
  const letter = fc.constantFrom(..."aAbB019_-.");
  const one = fc.string({ unit: letter, minLength: 1, maxLength: 100 });
  fc.assert(fc.property(fc.uniqueArray(one, { maxLength: 30 }), (names) => {
    for (const longest of [45, 64]) {
      const given = nameTools(names, longest);
      assert.deepEqual(new Map(nameTools(names.toReversed(), longest)), new Map(given));
      assert.equal(new Set([...given.values()].map(foldName)).size, given.size);
      for (const wanted of given.values()) {
        assert.ok(wanted.length <= longest && LEGAL.test(wanted), wanted);
      }
    }
  }));
});

Deno.test("nameTools() [D14] gives every name of the table its place, whatever else is in it", () => {
  const letter = fc.constantFrom(..."ab01_.");
  const one = fc.string({ unit: letter, minLength: 1, maxLength: 90 });
  const distinct = { selector: foldName, maxLength: 30 };
  fc.assert(fc.property(fc.uniqueArray(one, distinct), (names) => {
    assert.equal(nameTools(names, 64).size, names.length);
  }));
});
