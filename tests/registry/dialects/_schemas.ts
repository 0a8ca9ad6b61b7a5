/** Arbitrary schemas of parameters. */
import fc from "fast-check";
import type { JsonSchema } from "../../../core/json.ts";

type Part = JsonSchema | boolean;

const name = fc.constantFrom("a", "b", "c", "x", "a.b", "a/b~c", "__proto__", "constructor");
const scalar = fc.constantFrom(null, true, false, 0, 1, 2, 1.5, "", "a", "ab");
const small = fc.integer({ min: 0, max: 3 });

function some<T>(key: string, value: fc.Arbitrary<T>): fc.Arbitrary<JsonSchema> {
  return value.map((one) => ({ [key]: one }));
}

const rule: fc.Arbitrary<JsonSchema> = fc.oneof(
  some("minLength", small),
  some("maxLength", small),
  some("pattern", fc.constantFrom("^a", "b$", "^$")),
  some("format", fc.constantFrom("date", "date-time", "email", "uri", "hostname")),
  some("minimum", small),
  some("maximum", small),
  some("exclusiveMinimum", fc.constantFrom(-1, 0, 0.5, 2)),
  some("exclusiveMaximum", small),
  some("multipleOf", fc.constantFrom(1, 2, 0.5)),
  some("minItems", small),
  some("maxItems", small),
  some("uniqueItems", fc.boolean()),
  some("minProperties", small),
  some("maxProperties", small),
  some("enum", fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 })),
  some("const", scalar),
  some("required", fc.uniqueArray(name, { maxLength: 2 })),
  some("default", scalar),
  some("description", fc.constant("What it is.")),
  some("dependentRequired", fc.constant({ a: ["b"] })),
);

const typeWord = fc.constantFrom(
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "array",
  "object",
);
const type: fc.Arbitrary<JsonSchema> = fc.oneof(
  { weight: 4, arbitrary: some("type", typeWord) },
  some("type", fc.uniqueArray(typeWord, { minLength: 1, maxLength: 3 })),
  fc.constant({}),
);

const { part } = fc.letrec<{ part: Part; group: JsonSchema; named: JsonSchema }>((tie) => ({
  named: fc.dictionary(name, tie("part"), { maxKeys: 3 }) as fc.Arbitrary<JsonSchema>,
  group: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    some("properties", tie("named")),
    some("additionalProperties", tie("part")),
    some("items", tie("part")),
    some("anyOf", fc.array(tie("part"), { minLength: 1, maxLength: 3 })),
    some("oneOf", fc.array(tie("part"), { minLength: 1, maxLength: 3 })),
    some("allOf", fc.array(tie("part"), { minLength: 1, maxLength: 3 })),
    some("prefixItems", fc.array(tie("part"), { minLength: 1, maxLength: 2 })),
    some("not", tie("part")),
    some("if", tie("part")),
    some("then", tie("part")),
    some("contains", tie("part")),
    some("propertyNames", fc.constant({ maxLength: 1 })),
    some("patternProperties", tie("part").map((one) => ({ "^a": one }))),
    some("unevaluatedProperties", fc.constant(false)),
    // Words of older drafts.
    fc.record({
      items: fc.array(tie("part"), { minLength: 1, maxLength: 2 }),
      additionalItems: tie("part"),
    }, { requiredKeys: ["items"] }),
    some("dependencies", tie("part").map((one) => ({ a: ["b"], b: one }))),
    fc.record({ minimum: small, exclusiveMinimum: fc.boolean() }),
  ) as fc.Arbitrary<JsonSchema>,
  part: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    type,
    fc.boolean(),
    fc.constantFrom("#/$defs/one", "#/$defs/two", "#").map(($ref) => ({ $ref })),
    fc.tuple(type, rule, rule).map((all) => Object.assign({}, ...all)),
    fc.tuple(type, tie("group"), rule).map((all) => Object.assign({}, ...all)),
    fc.tuple(type, tie("group"), tie("group")).map((all) => Object.assign({}, ...all)),
  ) as fc.Arbitrary<Part>,
}));

function merged(words: readonly JsonSchema[]): JsonSchema {
  return Object.assign({}, ...words);
}

const objectWord: fc.Arbitrary<JsonSchema> = fc.oneof(
  some("properties", fc.dictionary(name, part, { maxKeys: 2 })),
  some("required", fc.uniqueArray(name, { maxLength: 2 })),
  some("additionalProperties", fc.oneof(fc.boolean(), type, part)),
  some("patternProperties", part.map((one) => ({ "^a": one }))),
  some("propertyNames", fc.constant({ maxLength: 1 })),
  some("unevaluatedProperties", fc.constant(false)),
  some("minProperties", small),
  some("maxProperties", small),
  some("dependentRequired", fc.constant({ a: ["b"] })),
);
/** What an object says of itself, at the root or in one of its alternatives. */
const objectWords = fc.array(objectWord, { maxLength: 3 }).map(merged);

const branch: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: objectWords },
  { weight: 1, arbitrary: part },
  {
    weight: 1,
    arbitrary: fc.constantFrom("#/$defs/one", "#/$defs/three").map(($ref) => ({ $ref })),
  },
);
const branches = fc.array(branch, { minLength: 1, maxLength: 3 });
const combination = fc.oneof(
  some("anyOf", branches),
  some("oneOf", branches),
  some("allOf", branches),
  some("not", part),
  fc.constant({ $ref: "#/$defs/three" }),
);

/** Schemas of parameters, with references into themselves, and combinations beside what the root says itself. */
export const parameterSchema: fc.Arbitrary<JsonSchema> = fc.record({
  properties: fc.dictionary(name, part, { minKeys: 1, maxKeys: 3 }),
  required: fc.uniqueArray(name, { maxLength: 1 }),
  one: part,
  two: part,
  three: objectWords,
  words: objectWords,
  combinations: fc.array(combination, { maxLength: 2 }),
  draft: fc.option(fc.constantFrom("draft-04", "draft-07"), { freq: 5, nil: undefined }),
}).map(({ properties, required, one, two, three, words, combinations, draft }) => ({
  ...(draft && { $schema: `http://json-schema.org/${draft}/schema#` }),
  type: "object",
  ...words,
  properties,
  required,
  $defs: { one, two, three },
  ...merged(combinations),
} as JsonSchema));
