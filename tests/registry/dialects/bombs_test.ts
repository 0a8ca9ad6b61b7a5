import assert from "node:assert/strict";
import type { JsonSchema } from "../../../core/json.ts";
import { projectSchema } from "../../../registry/dialects/project_schema.ts";

const DIALECTS = ["openai", "openai-strict", "anthropic", "gemini"] as const;

/** Projects a schema for every dialect and says how long the slowest took. */
function measure(schema: JsonSchema): { readonly reasons: readonly string[]; readonly ms: number } {
  let ms = 0;
  const reasons = DIALECTS.map((dialect) => {
    const began = performance.now();
    const projection = projectSchema(schema, dialect);
    ms = Math.max(ms, performance.now() - began);
    return projection.ok ? "" : projection.reason;
  });
  return { reasons, ms };
}

const BOMBS: { readonly [name: string]: () => JsonSchema } = {
  "ten thousand alternatives": () => ({
    type: "object",
    properties: { a: { anyOf: Array.from({ length: 10_000 }, (_, at) => ({ const: at })) } },
  }),
  "references that double thirty times": () => ({
    type: "object",
    properties: { a: { $ref: "#/$defs/d30" } },
    $defs: Object.fromEntries(Array.from({ length: 31 }, (_, at) => {
      const inner = { $ref: `#/$defs/d${at - 1}` };
      return [`d${at}`, at === 0 ? { type: "string" } : { properties: { l: inner, r: inner } }];
    })),
  }),
  "alternatives of alternatives": () => ({
    type: "object",
    properties: {
      a: {
        allOf: Array.from({ length: 12 }, (_, at) => ({
          anyOf: [{ minLength: at }, { maxLength: 99 - at }, { pattern: `${at}` }],
        })),
        anyOf: Array.from({ length: 9 }, () => ({ oneOf: [{ type: "string" }, { minimum: 1 }] })),
      },
    },
  }),
  "properties nested a thousand deep": () => {
    let schema: JsonSchema = { type: "string" };
    for (let depth = 0; depth < 1_000; depth++) {
      schema = { type: "object", properties: { a: schema } };
    }
    return schema;
  },
  "a root that lies within itself in eight places": () => ({
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`p${at}`, { $ref: "#" }]),
    ),
  }),
};

for (const [name, make] of Object.entries(BOMBS)) {
  Deno.test(`projectSchema() stays bounded with ${name}`, () => {
    const { reasons, ms } = measure(make());
    for (const reason of reasons) {
      assert.ok(reason === "" || reason.startsWith("Its schema cannot be written for "), reason);
    }
    assert.ok(ms < 2_000, `${Math.round(ms)} ms`);
  });
}

Deno.test("projectSchema() says of a bomb what is too much", () => {
  assert.match(measure(BOMBS["ten thousand alternatives"]!()).reasons[0]!, /over 10000 parts$/);
  assert.match(
    measure(BOMBS["references that double thirty times"]!()).reasons[0]!,
    /over 10000 parts once references and alternatives are written out$/,
  );
  assert.match(
    measure(BOMBS["properties nested a thousand deep"]!()).reasons[0]!,
    /over 100 deep$/,
  );
});

Deno.test("projectSchema() never runs a pattern", () => {
  const { reasons } = measure({
    type: "object",
    properties: { a: { type: "string", pattern: "^(a+)+$", default: "a".repeat(64) + "!" } },
  });
  assert.deepEqual(reasons, ["", "", "", ""]);
});
