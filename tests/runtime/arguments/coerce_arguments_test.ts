import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject, JsonSchema } from "../../../core/json.ts";
import { coerceArguments } from "../../../runtime/arguments/coerce_arguments.ts";
import { issueOf, one, prepared, refused, valueOf } from "./_prepare.ts";

Deno.test("coerceArguments() [case 83] reads a whole number", async () => {
  assert.equal(await valueOf({ type: "integer" }, "42"), 42);
  assert.equal(await valueOf({ type: "integer" }, "-7"), -7);
  assert.equal(await valueOf({ type: "number" }, " 2.50 "), 2.5);
  assert.equal(await valueOf({ type: "integer" }, "1e3"), 1_000);
});

Deno.test("coerceArguments() [case 84] keeps a fraction where a whole number is expected", async () => {
  await refused({ type: "integer" }, "3.14");
  assert.match(
    await issueOf(one({ type: "integer" }), { value: "3.14" }),
    /expected integer, got string "3\.14"/,
  );
});

Deno.test("coerceArguments() [case 85] reads true and false in any case, and nothing else", async () => {
  assert.equal(await valueOf({ type: "boolean" }, "true"), true);
  assert.equal(await valueOf({ type: "boolean" }, "False"), false);
  for (const value of ["1", "0", "yes", "", 1, 0]) await refused({ type: "boolean" }, value);
});

Deno.test("coerceArguments() [case 86] reads a list", async () => {
  const list = { type: "array", items: { type: "string" } };
  assert.deepEqual(await valueOf(list, '["a","b"]'), ["a", "b"]);
});

Deno.test("coerceArguments() [case 87] makes one value a list of one, and leaves null", async () => {
  const list = { type: "array", items: { type: "string" } };
  assert.deepEqual(await valueOf(list, "a"), ["a"]);
  assert.deepEqual(await valueOf(list, "[a link](b)"), ["[a link](b)"]);
  assert.deepEqual(await valueOf({ type: "array", items: { type: "integer" } }, "5"), [5]);
  assert.deepEqual(await valueOf({ type: "array" }, { a: 1 }), [{ a: 1 }]);
  await refused(list, null);
  // The reference makes it a list of one text; it is a list that was cut off.
  await refused(list, '["a","b');
  await refused(list, "null");
});

Deno.test("coerceArguments() [case 88] [case 89] gives the same object when all is well", async () => {
  const schema = one({ type: "array", items: { type: "integer" } });
  const args = { value: [1, 2], other: "7" };
  assert.equal(await prepared(schema, args), args);
  assert.equal(coerceArguments(schema, args), args);
  const empty = {};
  assert.equal(await prepared(schema, empty), empty);
});

Deno.test("coerceArguments() [case 90] reads offset and limit of read_file", async () => {
  const number = { type: "integer", minimum: 1 };
  const schema = {
    type: "object",
    properties: { path: { type: "string" }, offset: number, limit: number },
    required: ["path"],
    additionalProperties: false,
  };
  assert.deepEqual(await prepared(schema, { path: "1", offset: "10", limit: "100" }), {
    path: "1",
    offset: 10,
    limit: 100,
  });
  assert.match(await issueOf(schema, { path: "a", offset: "0" }), /^\/offset: .*0.*got number 0/);
});

Deno.test("coerceArguments() [case 91] reads objects in a list", async () => {
  const text = { type: "array", items: { type: "object" } };
  assert.deepEqual(await valueOf(text, ['{"id":"1"}']), [{ id: "1" }]);
  const whole = {
    type: "array",
    items: { type: "object", properties: { id: { type: "integer" } } },
  };
  assert.deepEqual(await valueOf(whole, ['{"id":"1"}']), [{ id: 1 }]);
  assert.deepEqual(await valueOf(whole, '{"id":2}'), [{ id: 2 }]);
  await refused(text, ['{"id":"1"']);
  await refused(text, ['{"id":1,"id":2}']);
});

Deno.test("coerceArguments() [case 92] leaves JSON in a text alone", async () => {
  const text = '{"a": [1, 2]}';
  assert.equal(await valueOf({ type: "string" }, text), text);
  assert.equal(await valueOf({ type: ["object", "string"] }, text), text);
  const nested = {
    type: "object",
    properties: { body: { type: "string" }, count: { type: "integer" } },
  };
  assert.deepEqual(await valueOf(nested, { body: text, count: "1" }), { body: text, count: 1 });
});

Deno.test("coerceArguments() [case 93] keeps the identity of what does not change", async () => {
  const list = ["1", "2"];
  const schema = {
    type: "object",
    properties: { list: { type: "array", items: { type: "string" } }, n: { type: "integer" } },
  };
  const result = await prepared(schema, { list, n: "3" });
  assert.equal(result.list, list);
  assert.equal(result.n, 3);
});

Deno.test("coerceArguments() [case 94] follows local references, and no others", async () => {
  const schema = {
    type: "object",
    properties: { value: { $ref: "#/$defs/count" } },
    $defs: { count: { type: "integer" } },
  };
  assert.deepEqual(await prepared(schema, { value: "5" }), { value: 5 });
  for (const $ref of ["https://example.com/x.json", "#/$defs/none", "#/properties/value"]) {
    const args = { value: "5" };
    assert.equal(coerceArguments(one({ $ref }), args), args);
  }
});

Deno.test("coerceArguments() [case 95] takes the first form that says exactly the same", async () => {
  for (const schema of [{ type: ["integer", "null"] }, { type: "integer", nullable: true }]) {
    assert.equal(await valueOf(schema, "null"), null);
    assert.equal(await valueOf(schema, " NULL "), null);
  }
  assert.equal(await valueOf({ type: ["string", "null"] }, "null"), null);
  assert.equal(await valueOf({ anyOf: [{ type: "string" }, { type: "null" }] }, "Null"), "Null");
  assert.equal(await valueOf({ type: ["integer", "string"] }, "42"), 42);
  // The text is named first, and it is one.
  assert.equal(await valueOf({ type: ["string", "integer"] }, "42"), "42");
  const beside = {
    type: "object",
    properties: { id: { type: ["string", "integer"] }, n: { type: "integer" } },
  };
  assert.deepEqual(await prepared(beside, { id: "42", n: "1" }), { id: "42", n: 1 });
  for (const text of ["007", "4.20", "inf", "9007199254740993", "+1"]) {
    assert.equal(await valueOf({ type: ["integer", "string"] }, text), text);
    assert.equal(await valueOf({ anyOf: [{ type: "number" }, { type: "string" }] }, text), text);
  }
  assert.equal(await valueOf({ anyOf: [{ type: "integer" }, { type: "null" }] }, "8"), 8);
  await refused({ type: "number" }, "inf");
  await refused({ type: "number" }, "NaN");
});

Deno.test("coerceArguments() keeps a number whose digits would not all survive", async () => {
  for (const value of ["9007199254740993", "9007199254740992", "007", "-0", "0x10", "1_000", ""]) {
    await refused({ type: "integer" }, value);
  }
  for (const value of ["0.1000000000000000055", "1e400", "1e-400", "123456789012345678901"]) {
    await refused({ type: "number" }, value);
  }
  assert.equal(await valueOf({ type: "number" }, "0.1"), 0.1);
});

Deno.test("coerceArguments() keeps the first form when the other one is not allowed after all", async () => {
  const schema = { type: ["integer", "string"], enum: ["1", 2] };
  assert.equal(await valueOf(schema, "1"), "1");
  assert.equal(await valueOf(schema, "2"), 2);
});

Deno.test("coerceArguments() chooses among objects by their fields", async () => {
  const count = { type: "integer" };
  const schema = {
    oneOf: [
      { type: "object", properties: { kind: { const: "a" }, n: { type: "string" } } },
      { type: "object", properties: { kind: { const: "b" }, n: count }, required: ["n"] },
    ],
  };
  assert.deepEqual(await valueOf(schema, { kind: "b", n: "4" }), { kind: "b", n: 4 });
  assert.deepEqual(await valueOf(schema, { kind: "a", n: "4" }), { kind: "a", n: "4" });
});

Deno.test("coerceArguments() reads values of maps, tuples and allOf", async () => {
  const count = { type: "integer" };
  assert.deepEqual(
    await valueOf({ type: "object", additionalProperties: count }, { a: "1", __proto__x: "2" }),
    { a: 1, __proto__x: 2 },
  );
  const tuple = { type: "array", prefixItems: [{ type: "string" }, count] };
  assert.deepEqual(await valueOf(tuple, ["1", "2"]), ["1", 2]);
  const all = { allOf: [{ type: "object", properties: { n: count } }] };
  assert.deepEqual(await valueOf(all, { n: "1" }), { n: 1 });
});

Deno.test("coerceArguments() keeps a key __proto__ a key", async () => {
  const args = JSON.parse('{"value":"1","__proto__":{"polluted":true}}') as JsonObject;
  const result = await prepared(one({ type: "integer" }), args);
  assert.ok(Object.hasOwn(result, "__proto__"));
  assert.equal((result as { polluted?: unknown }).polluted, undefined);
});

Deno.test("coerceArguments() ends for references that multiply or go in circles", () => {
  const $defs: Record<string, JsonSchema> = { d40: { type: "integer" } };
  for (let i = 0; i < 40; i++) {
    $defs[`d${i}`] = { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
  }
  const started = performance.now();
  coerceArguments({ ...one({ $ref: "#/$defs/d0" }), $defs }, { value: "1" });
  const tree = { type: "object", properties: { next: { $ref: "#/$defs/tree" } } };
  coerceArguments({ ...one({ $ref: "#/$defs/tree" }), $defs: { tree } }, { value: { next: "1" } });
  assert.ok(performance.now() - started < 2_000);
});

const scalar = fc.constantFrom("string", "integer", "number", "boolean", "null");
const part: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    scalar.map((type) => ({ type })),
    fc.uniqueArray(scalar, { minLength: 2, maxLength: 3 }).map((type) => ({ type })),
    tie("schema").map((items) => ({ type: "array", items })),
    fc.dictionary(fc.constantFrom("a", "b"), tie("schema")).map((properties) => ({
      type: "object",
      properties,
    })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })),
  ),
})).schema;
const text = fc.oneof(
  fc.string(),
  fc.double().map(String),
  fc.bigInt().map(String),
  fc.constantFrom("true", "False", "null", "007", "1.0", "-0", "1e3", "[1,", '["a"]'),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(null, true, 7, 1.5),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value")),
  ),
})).value;

/** Fails unless `after` says all that `before` said. */
function assertNothingLost(before: unknown, after: unknown): void {
  if (Object.is(before, after)) return;
  if (typeof before === "string") return assertSameText(before, after);
  if (Array.isArray(after) && !Array.isArray(before)) {
    assert.equal(after.length, 1);
    return assertNothingLost(before, after[0]);
  }
  assert.equal(typeof before, "object", JSON.stringify([before, after]));
  const fields = Object.entries(before as object);
  assert.deepEqual(Object.keys(after as object), fields.map(([key]) => key));
  for (const [key, item] of fields) {
    assertNothingLost(item, (after as Record<string, unknown>)[key]);
  }
}

function assertSameText(before: string, after: unknown): void {
  if (typeof after === "number") {
    // Compared as fractions of whole numbers, so that no digit can hide.
    return assert.equal(fraction(before.trim()), fraction(String(after)), before);
  }
  if (after === null || typeof after === "boolean") {
    return assert.equal(before.trim().toLowerCase(), String(after));
  }
  assert.equal(typeof after, "object");
  if (Array.isArray(after) && after.length === 1) {
    const parsed = tryParse(before);
    if (!Array.isArray(parsed)) return assertNothingLost(before, after[0]);
  }
  assertNothingLost(JSON.parse(before), after);
}

function tryParse(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function fraction(source: string): string {
  const [, sign, whole, rest = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i
    .exec(source)!;
  const power = Number(exponent) - rest.length;
  const digits = BigInt(`${whole}${rest}`);
  const top = power > 0 ? digits * 10n ** BigInt(power) : digits;
  const bottom = power < 0 ? 10n ** BigInt(-power) : 1n;
  const shared = gcd(top, bottom);
  return `${sign}${top / shared}/${bottom / shared}`;
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

Deno.test("coerceArguments() never loses a value, whatever schema and arguments", () => {
  let changed = 0, runs = 0;
  fc.assert(
    fc.property(part, value, (schema, given) => {
      runs++;
      const args = { value: given } as JsonObject;
      const before = JSON.stringify(args);
      const after = coerceArguments(one(schema), args);
      assert.equal(JSON.stringify(args), before);
      assertNothingLost(args, after);
      if (after === args) return;
      changed++;
      // What is coerced stays as it is.
      assert.deepEqual(coerceArguments(one(schema), after), after);
    }),
    { numRuns: 5_000 },
  );
  console.error(`coercion changed ${changed} of ${runs} arguments`);
  assert.ok(changed > runs / 20, `only ${changed} of ${runs} runs changed anything`);
});
