import assert from "node:assert/strict";
import { checkInputSchema, checkOutputSchema } from "../../../mcp/catalogue/check_schema.ts";

/** The properties of an object schema with these, normalised. */
function properties(given: Record<string, unknown>, more: Record<string, unknown> = {}): unknown {
  const checked = checkInputSchema({ type: "object", properties: given, ...more });
  assert.ok(checked.ok);
  return checked.schema.properties;
}

Deno.test("checkInputSchema() makes an object schema of what leaves the type or the properties out", () => {
  for (const given of [{}, { type: "object" }, { properties: {} }, { type: ["object", "null"] }]) {
    const checked = checkInputSchema(given);
    assert.ok(checked.ok);
    assert.deepEqual(checked.schema, { type: "object", properties: {} });
  }
});

Deno.test("checkInputSchema() moves definitions to $defs and points references there, but not properties of that name", () => {
  const checked = checkInputSchema({
    type: "object",
    properties: {
      definitions: { type: "string", default: "#/definitions/a" },
      one: { $ref: "#/definitions/a" },
      list: { type: "array", items: { $ref: "#/definitions/a" } },
    },
    definitions: { a: { type: "string" }, b: { $ref: "#/definitions/a" } },
    $defs: { c: { type: "number" } },
  });
  assert.ok(checked.ok);
  assert.deepEqual(checked.schema, {
    type: "object",
    properties: {
      definitions: { type: "string", default: "#/definitions/a" },
      one: { $ref: "#/$defs/a" },
      list: { type: "array", items: { $ref: "#/$defs/a" } },
    },
    $defs: { c: { type: "number" }, a: { type: "string" }, b: { $ref: "#/$defs/a" } },
  });
});

Deno.test("checkInputSchema() leaves definitions alone where moving them would lose one", () => {
  const given = {
    type: "object",
    properties: { one: { $ref: "#/definitions/a" } },
    definitions: { a: { type: "string" } },
    $defs: { a: { type: "number" } },
  };
  const checked = checkInputSchema(given);
  assert.ok(checked.ok);
  assert.deepEqual(checked.schema, given);
});

Deno.test("checkInputSchema() writes a union with null as a list of types, where that says the same", () => {
  assert.deepEqual(
    properties({
      text: { anyOf: [{ type: "string", minLength: 1 }, { type: "null" }], description: "A text." },
      enumerated: { anyOf: [{ enum: ["a"], type: "string" }, { type: "null" }] },
      told: { anyOf: [{ type: "string", title: "Inner" }, { type: "null" }], title: "Outer" },
      referred: { oneOf: [{ $ref: "#/$defs/a" }, { type: "null" }] },
    }),
    {
      text: { type: ["string", "null"], minLength: 1, description: "A text." },
      enumerated: { anyOf: [{ enum: ["a"], type: "string" }, { type: "null" }] },
      told: { anyOf: [{ type: "string", title: "Inner" }, { type: "null" }], title: "Outer" },
      referred: { oneOf: [{ $ref: "#/$defs/a" }, { type: "null" }] },
    },
  );
});

Deno.test("checkInputSchema() writes a union of constants as an enum, unless a branch says more", () => {
  assert.deepEqual(
    properties({
      plain: { oneOf: [{ const: "a" }, { const: 2 }, { const: null }] },
      typed: { anyOf: [{ const: "a", type: "string" }, { const: "b", type: "string" }] },
      titled: { oneOf: [{ const: "a", title: "A" }, { const: "b", title: "B" }] },
      twice: { oneOf: [{ const: "a" }, { const: "a" }] },
      mistyped: { anyOf: [{ const: "a", type: "number" }] },
    }),
    {
      plain: { enum: ["a", 2, null] },
      typed: { enum: ["a", "b"] },
      titled: { oneOf: [{ const: "a", title: "A" }, { const: "b", title: "B" }] },
      twice: { oneOf: [{ const: "a" }, { const: "a" }] },
      mistyped: { anyOf: [{ const: "a", type: "number" }] },
    },
  );
});

Deno.test("checkInputSchema() drops required names that nothing describes, and keeps those of branches", () => {
  const branches = { anyOf: [{ required: ["a"] }, { required: ["b"] }] };
  const checked = checkInputSchema({
    type: "object",
    required: ["a", "ghost"],
    properties: {
      a: { properties: { x: {} }, required: ["x", "y"] },
      list: { type: "array" },
      open: { type: "object", properties: {}, required: ["z"], additionalProperties: true },
      either: { type: "object", properties: { a: {}, b: {} }, ...branches },
    },
  });
  assert.ok(checked.ok);
  assert.deepEqual(checked.schema, {
    type: "object",
    required: ["a"],
    properties: {
      a: { type: "object", properties: { x: {} }, required: ["x"] },
      list: { type: "array", items: {} },
      open: { type: "object", properties: {}, required: ["z"], additionalProperties: true },
      either: { type: "object", properties: { a: {}, b: {} }, ...branches },
    },
  });
});

Deno.test("checkInputSchema() takes references to other documents out, says so, and keeps those to own addresses", () => {
  const checked = checkInputSchema({
    type: "object",
    properties: {
      far: { $ref: "https://example.com/far.json", description: "Far." },
      near: { $ref: "https://example.com/near" },
      here: { $ref: "#/$defs/n" },
    },
    $defs: { n: { $id: "https://example.com/near", type: "string" } },
  });
  assert.ok(checked.ok);
  assert.deepEqual(checked.schema.properties, {
    far: { description: "Far." },
    near: { $ref: "https://example.com/near" },
    here: { $ref: "#/$defs/n" },
  });
  assert.deepEqual(checked.notes, [
    '"/properties/far" refers to "https://example.com/far.json", which is never fetched: any value passes there',
  ]);
});

Deno.test("checkInputSchema() refuses what is nested too deeply", () => {
  let deep: Record<string, unknown> = { type: "string" };
  for (let level = 0; level < 5_000; level++) deep = { items: deep };
  const checked = checkInputSchema({ type: "object", properties: { deep } });
  assert.deepEqual(checked, { ok: false, reason: "is nested more than 64 deep" });
});

Deno.test("checkOutputSchema() takes schemas of any type", () => {
  const checked = checkOutputSchema({ type: "array" });
  assert.deepEqual(checked, { ok: true, schema: { type: "array", items: {} }, notes: [] });
  assert.equal(checkOutputSchema([]).ok, false);
});

Deno.test("checkInputSchema() takes the drafts that can be checked, and no other dialect", () => {
  for (
    const dialect of [
      "https://json-schema.org/draft/2020-12/schema",
      "https://json-schema.org/draft/2019-09/schema#",
      "http://json-schema.org/draft-07/schema#",
      "http://json-schema.org/draft-04/schema",
    ]
  ) assert.equal(checkInputSchema({ $schema: dialect, type: "object" }).ok, true, dialect);
  for (const dialect of ["http://json-schema.org/draft-03/schema#", "draft-07", 7]) {
    assert.equal(checkInputSchema({ $schema: dialect, type: "object" }).ok, false, String(dialect));
  }
});
