import assert from "node:assert/strict";
import { readOverrides } from "../../runtime/read_overrides.ts";

Deno.test("readOverrides() takes description and parameters, and nothing else", () => {
  const said = { description: "New.", parameters: { properties: {} }, name: "other", emoji: "x" };
  assert.deepEqual(readOverrides(said, "t"), {
    ok: true,
    overrides: { description: "New.", parameters: { type: "object", properties: {} } },
  });
  assert.deepEqual(readOverrides({}, "t"), { ok: true, overrides: {} });
});

Deno.test("readOverrides() refuses what is no object, no text, no schema of parameters", () => {
  const cases: [unknown, RegExp][] = [
    [null, /gave nothing, expected/],
    [[], /gave a list/],
    ["x", /gave a string/],
    [{ description: "" }, /no text of 1 to/],
    [{ description: 3 }, /no text of 1 to/],
    [{ description: "x".repeat(16_385) }, /no text of 1 to 16384/],
    [{ parameters: { type: "string" } }, /has type "string", expected "object"/],
    [{ parameters: true }, /expected a JSON Schema object/],
    [{ parameters: { name: "f", parameters: {} } }, /whole function definition/],
  ];
  for (const [said, reason] of cases) {
    const read = readOverrides(said, "t");
    assert.ok(!read.ok);
    assert.match(read.reason, reason);
  }
});
