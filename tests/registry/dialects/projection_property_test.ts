import assert from "node:assert/strict";
import { type Schema, Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import type { JsonSchema } from "../../../core/json.ts";
import type { SchemaLoss } from "../../../registry/dialects/projection.ts";
import { projectSchema } from "../../../registry/dialects/project_schema.ts";
import { partAt } from "./_places.ts";
import { sample, search, seeded } from "./_sampling.ts";
import { parameterSchema } from "./_schemas.ts";

const RUNS = 400;

/** Whether any of some values fits a schema. */
function isSatisfied(schema: JsonSchema, seed: number): boolean {
  const validator = new Validator(structuredClone(schema) as Schema, "2020-12");
  const random = seeded(seed);
  return Array.from({ length: 30 }, () => sample(schema, random)).some((value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) &&
    validator.validate(value).valid
  );
}

/** A schema that refers to itself without end cannot be checked against at all. */
function isEndless(error: unknown): boolean {
  return error instanceof RangeError;
}

for (const dialect of ["openai", "openai-strict", "anthropic", "gemini"] as const) {
  Deno.test(`projectSchema() accepts for ${dialect} only what any schema accepts, or reports it`, () => {
    let written = 0, accepted = 0, lossless = 0;
    fc.assert(
      fc.property(parameterSchema, fc.nat(), (schema, seed) => {
        const projection = projectSchema(schema, dialect);
        try {
          if (!projection.ok) {
            const isFinal = projection.reason.includes("no arguments can satisfy it");
            return assert.ok(!isFinal || !isSatisfied(schema, seed), projection.reason);
          }
          written++;
          if (projection.losses.length === 0) lossless++;
          const { schema: projected, losses } = projection;
          const found = search(schema, projected, losses, { random: seeded(seed), tries: 25 });
          accepted += found.accepted;
          assert.equal(found.unreported, undefined, JSON.stringify({ projected, losses }));
        } catch (error) {
          if (!isEndless(error)) throw error;
        }
      }),
      { numRuns: RUNS },
    );
    console.log(`${dialect}: ${written} schemas, ${lossless} without loss, ${accepted} samples`);
    assert.ok(accepted > RUNS, "too few samples were accepted to show anything");
  });
}

Deno.test("projectSchema() gives plain roots: an object without combinators or references", () => {
  const forbidden = ["anyOf", "oneOf", "allOf", "not", "enum", "const", "if"];
  fc.assert(
    fc.property(parameterSchema, (schema) => {
      for (const dialect of ["openai", "openai-strict", "anthropic", "gemini"] as const) {
        const projection = projectSchema(schema, dialect);
        if (!projection.ok) continue;
        assert.equal(projection.schema.type, "object");
        assert.deepEqual(
          Object.keys(projection.schema).filter((key) => forbidden.includes(key)),
          [],
        );
        assert.ok(!/"\$(ref|defs)":/.test(JSON.stringify(projection.schema)));
      }
    }),
    { numRuns: RUNS },
  );
});

Deno.test("projectSchema() keeps the rules of strict mode in every part", () => {
  const allowed = new Set(
    ("type properties required additionalProperties items enum anyOf title description pattern format " +
      "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems").split(" "),
  );
  const look = (schema: JsonSchema): void => {
    for (const key of Object.keys(schema)) assert.ok(allowed.has(key), key);
    const types = [schema.type ?? []].flat();
    assert.ok(types.length > 0 || schema.anyOf !== undefined, "a part has no type");
    if (types.includes("object")) {
      assert.equal(schema.additionalProperties, false);
      const names = Object.keys(schema.properties!);
      assert.deepEqual(schema.required!.toSorted(), names.toSorted());
      for (const name of names) look(schema.properties![name] as JsonSchema);
    }
    if (types.includes("array")) look(schema.items as JsonSchema);
    for (const one of (schema.anyOf ?? []) as JsonSchema[]) look(one);
  };
  fc.assert(
    fc.property(parameterSchema, (schema) => {
      const projection = projectSchema(schema, "openai-strict");
      if (projection.ok) look(projection.schema);
    }),
    { numRuns: RUNS },
  );
});

Deno.test("projectSchema() keeps to Gemini's words in every part", () => {
  const allowed = new Set(
    ("type format title description nullable enum items minItems maxItems properties required " +
      "minProperties maxProperties minimum maximum minLength maxLength pattern anyOf default")
      .split(" "),
  );
  const look = (schema: JsonSchema): void => {
    for (const key of Object.keys(schema)) assert.ok(allowed.has(key), key);
    if (schema.anyOf) {
      assert.deepEqual(Object.keys(schema), ["anyOf"]);
      return (schema.anyOf as JsonSchema[]).forEach(look);
    }
    assert.equal(typeof schema.type, "string");
    if (schema.enum) assert.ok(schema.enum.every((value) => typeof value === "string" && value));
    if (schema.type === "array") look(schema.items as JsonSchema);
    for (const inner of Object.values(schema.properties ?? {})) look(inner as JsonSchema);
    for (const name of schema.required ?? []) assert.ok(Object.hasOwn(schema.properties!, name));
  };
  fc.assert(
    fc.property(parameterSchema, (schema) => {
      const projection = projectSchema(schema, "gemini");
      if (projection.ok) look(projection.schema);
    }),
    { numRuns: RUNS },
  );
});

Deno.test("projectSchema() reports every loss at a place that the schema has", () => {
  fc.assert(
    fc.property(parameterSchema, (schema) => {
      for (const dialect of ["openai", "openai-strict", "anthropic", "gemini"] as const) {
        const projection = projectSchema(schema, dialect);
        if (!projection.ok) continue;
        const astray = projection.losses.filter(({ path }) => partAt(schema, path) === undefined);
        assert.deepEqual(astray, [], JSON.stringify(projection.losses));
      }
    }),
    { numRuns: RUNS },
  );
});

Deno.test("search() is able to fail: it finds a loss that nobody reported", () => {
  const original = { type: "object", properties: { a: { type: "integer", maximum: 3 } } };
  const projected = { type: "object", properties: { a: { type: "integer" } } };
  const options = { random: seeded(1), tries: 200 };
  assert.ok(search(original, projected, [], options).unreported);
  const elsewhere = [{ path: "/properties/b", message: "Something else" }];
  assert.ok(search(original, projected, elsewhere, options).unreported);
  const reported = [{ path: "/properties/a/maximum", message: "It is not told" }];
  assert.equal(search(original, projected, reported, options).unreported, undefined);
});

Deno.test("search() counts no value as accepted that only the validator's view of what is evaluated lets in", () => {
  const closed = { unevaluatedProperties: false };
  const parts: readonly JsonSchema[] = [
    { anyOf: [{ properties: { b: {} } }], dependentSchemas: { b: closed } },
    { if: { properties: { b: {} } }, then: closed },
  ];
  for (const part of parts) {
    // The very same schema: nothing can be lost.
    const schema = { type: "object", properties: { a: { ...part, type: "object" } } };
    const found = search(schema, schema, [], { random: seeded(1), tries: 2_000 });
    assert.equal(found.unreported, undefined, JSON.stringify(schema));
    assert.ok(found.accepted > 100);
  }
});

Deno.test("search() follows references into the whole schema to tell what is evaluated", () => {
  const part = { anyOf: [{ $ref: "#" }], unevaluatedProperties: false };
  const original = { type: "object", properties: { a: part } };
  const options = { random: seeded(1), tries: 2_000 };
  const open = { type: "object", properties: { a: { type: "object", properties: { b: {} } } } };
  assert.ok(search(original, open, [], options).unreported);
  const closed = {
    type: "object",
    properties: {
      a: { type: "object", properties: { a: { const: {} } }, additionalProperties: false },
    },
  };
  assert.equal(search(original, closed, [], options).unreported, undefined);
});

Deno.test("search() takes a loss for what it says, and for nothing beside it", () => {
  const found = (original: JsonSchema, losses: readonly SchemaLoss[]): boolean =>
    search(original, { type: "object", properties: { a: {} } }, losses, {
      random: seeded(1),
      tries: 200,
    }).unreported !== undefined;
  const not = (path: string): SchemaLoss => ({ path, message: "It is not told" });
  const text = { type: "string" };
  const cases: readonly [
    JsonSchema,
    enough: readonly SchemaLoss[],
    short: readonly SchemaLoss[],
  ][] = [
    [
      { additionalProperties: text, anyOf: [{ required: ["a"] }, {}] },
      [not("/additionalProperties")],
      [not("/anyOf"), not("/additionalProperties/minLength")],
    ],
    [
      { properties: { a: { $ref: "#/$defs/t" } }, $defs: { t: text, u: text } },
      [not("/$defs/t/type")],
      [not("/$defs/u"), not("/properties/a"), not("/$defs/t/minLength")],
    ],
    [
      { properties: { a: { anyOf: [text, { minimum: 3, type: "number" }] } } },
      [not("/properties/a/anyOf")],
      [not("/properties/a/anyOf/1/minimum"), not("/anyOf")],
    ],
    [
      {
        properties: { a: { anyOf: [{ $ref: "#/$defs/t" }], unevaluatedProperties: false } },
        $defs: { t: { allOf: [{ $ref: "#/$defs/u" }] }, u: { properties: { b: {} } } },
      },
      [not("/$defs/u/properties")],
      [not("/$defs/v"), not("/properties/b")],
    ],
    [
      { properties: { a: { not: text } } },
      [not("/properties/a/not")],
      [not("/properties/a"), not("/not")],
    ],
  ];
  for (const [original, enough, short] of cases) {
    assert.equal(found(original, enough), false, JSON.stringify(original));
    for (const loss of short) assert.equal(found(original, [loss]), true, loss.path);
  }
});
