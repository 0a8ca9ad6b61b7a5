import assert from "node:assert/strict";
import fc from "fast-check";
import type { ArgumentCheck, ArgumentIssue } from "../../../core/entry.ts";
import type { JsonObject, JsonSchema } from "../../../core/json.ts";
import { checkArguments, describeIssues, parseArguments } from "../../../runtime/arguments.ts";
import { readCorpus } from "../../_corpus.ts";

async function issuesOf(schema: JsonSchema, value: JsonObject): Promise<readonly ArgumentIssue[]> {
  const check = await checkArguments({ schema }, value);
  return check.ok ? [] : check.issues;
}

const READ_FILE: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    offset: { type: "integer", minimum: 1 },
    mode: { type: "string", enum: ["text", "hex"] },
    lines: { type: "array", items: { type: "integer" } },
  },
  required: ["path"],
  additionalProperties: false,
};

Deno.test("parseArguments() reads an object and the text of one", () => {
  const value = { a: [1, { b: null }] };
  assert.deepEqual(parseArguments(value), { ok: true, value });
  assert.deepEqual(parseArguments(' {"a":[1,{"b":null}]}\n'), { ok: true, value });
});

Deno.test("parseArguments() gives back what JSON can hold", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (value) => {
    const text = JSON.stringify(value);
    const parsed = parseArguments(text);
    // Integers beyond 2^53 are written with an exponent or as their exact value only by chance.
    if (parsed.ok) assert.equal(JSON.stringify(parsed.value), text);
    else assert.match(parsed.issues[0]!.message, /cannot be held exactly/);
  }));
});

Deno.test("parseArguments() refuses what is no object", () => {
  const bad = ["", "null", "[]", "42", '"x"', '{"a":', "{'a':1}", "undefined"];
  for (const text of bad) assert.equal(parseArguments(text).ok, false, text);
  for (const value of [null, [], 1, undefined]) {
    assert.equal(parseArguments(value as unknown as JsonObject).ok, false);
  }
});

Deno.test("parseArguments() refuses numbers that would lose a value, with their place", () => {
  const lost = parseArguments('{"a":[{"id/x":12345678901234567891}]}');
  assert.ok(!lost.ok);
  assert.equal(lost.issues[0]!.path, "/a/0/id~1x");
  assert.match(lost.issues[0]!.message, /12345678901234567891/);
  assert.equal(parseArguments('{"a":1e999}').ok, false);
  assert.equal(parseArguments('{"a":9007199254740993}').ok, false);
  for (const text of ['{"a":9007199254740991}', '{"a":1152921504606846976}', '{"a":1e21}']) {
    assert.equal(parseArguments(text).ok, true, text);
  }
  assert.equal(parseArguments('{"a":"12345678901234567891"}').ok, true);
});

Deno.test("parseArguments() refuses 100,000 levels, as text and as object", () => {
  const deep = '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000);
  assert.equal(parseArguments(deep).ok, false);
  let value: JsonObject = {};
  for (let level = 0; level < 100_000; level++) value = { a: value };
  assert.equal(parseArguments(value).ok, false);
});

Deno.test("checkArguments() passes valid arguments unchanged, and answers at once after the first", async () => {
  const entry = { schema: READ_FILE };
  const value = { path: "a", offset: 2 };
  const first = await checkArguments(entry, value);
  assert.ok(first.ok);
  assert.equal(first.value, value);
  const second = checkArguments(entry, value);
  assert.ok(!(second instanceof Promise));
});

Deno.test("checkArguments() names field, given value and expected type", async () => {
  assert.deepEqual(await issuesOf(READ_FILE, { offset: "ten", mode: "bin", lines: [1, "x"] }), [
    { path: "/path", message: "is missing, expected string" },
    { path: "/offset", message: 'expected integer, got string "ten"' },
    { path: "/mode", message: 'expected one of ["text","hex"], got string "bin"' },
    { path: "/lines/1", message: 'expected integer, got string "x"' },
  ]);
});

Deno.test("checkArguments() suggests the name of an unknown field", async () => {
  assert.deepEqual(await issuesOf(READ_FILE, { path: "a", ofset: 1 }), [
    { path: "/ofset", message: 'is not a known parameter; did you mean "offset"?' },
  ]);
});

Deno.test("checkArguments() sums up alternatives", async () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { id: { anyOf: [{ type: "string" }, { type: "integer" }] } },
  };
  assert.deepEqual(await issuesOf(schema, { id: true }), [
    { path: "/id", message: "expected string or integer, got boolean true" },
  ]);
});

Deno.test("checkArguments() follows the draft that $schema names", async () => {
  const base = { type: "object", properties: { n: { minimum: 1, exclusiveMinimum: true } } };
  const draft4 = { ...base, $schema: "http://json-schema.org/draft-04/schema#" };
  assert.equal((await issuesOf(draft4, { n: 1 })).length, 1);
  assert.equal((await issuesOf(draft4, { n: 2 })).length, 0);
  const tuple = { type: "object", properties: { t: { prefixItems: [{ type: "string" }] } } };
  assert.equal((await issuesOf(tuple, { t: [1] })).length, 1);
});

Deno.test("checkArguments() works with a frozen schema and does not change it", async () => {
  const schema = Object.freeze({
    type: "object",
    properties: Object.freeze({ a: Object.freeze({ $ref: "#/$defs/x" }) }),
    $defs: Object.freeze({ x: Object.freeze({ type: "string" }) }),
  });
  assert.equal((await issuesOf(schema, { a: 1 }))[0]!.path, "/a");
});

Deno.test("checkArguments() never fetches a remote reference (A21)", async () => {
  let requests = 0;
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    requests++;
    return Response.json({ type: "string" });
  });
  const url = `http://127.0.0.1:${server.addr.port}/schema.json`;
  const issues = await issuesOf({ type: "object", properties: { a: { $ref: url } } }, { a: 1 });
  assert.match(issues[0]!.message, /^the tool's schema cannot be used: Unresolved \$ref/);
  assert.equal(requests, 0);
});

Deno.test("checkArguments() is bounded for patterns, reference bombs and cycles (A21)", async () => {
  const pattern = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
  const defs: Record<string, JsonSchema> = { d40: { type: "string" } };
  for (let i = 0; i < 40; i++) {
    defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
  }
  const bomb = { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs: defs };
  const cycle = {
    type: "object",
    properties: { a: { $ref: "#/$defs/c" } },
    $defs: { c: { $ref: "#/$defs/c" } },
  };
  const unique = { type: "object", properties: { a: { uniqueItems: true } } };
  const many = Array.from({ length: 200_000 }, (_, index) => index);
  const started = performance.now();
  assert.match((await issuesOf(pattern, { a: "a".repeat(40) + "!" }))[0]!.message, /too long/);
  assert.match((await issuesOf(bomb, { a: "x" }))[0]!.message, /too long/);
  assert.match((await issuesOf(cycle, { a: "x" }))[0]!.message, /nested too deeply|too long/);
  assert.match((await issuesOf(unique, { a: many }))[0]!.message, /too long/);
  assert.equal((await issuesOf(pattern, { a: "aaa" })).length, 0);
  assert.ok(performance.now() - started < 10_000);
});

Deno.test("checkArguments() says so when the schema cannot be used", async () => {
  const issues = await issuesOf({ type: "object", properties: { a: { pattern: "(" } } }, {
    a: "x",
  });
  assert.match(issues[0]!.message, /^the tool's schema cannot be used/);
});

Deno.test("checkArguments() uses the original schema's own check where there is one", async () => {
  const schema: JsonSchema = { type: "object", properties: { a: { type: "number" } } };
  const validate = (value: unknown): ArgumentCheck =>
    typeof (value as { a?: unknown }).a === "string"
      ? { ok: true, value: { a: 7 } }
      : { ok: false, issues: [{ path: "/a", message: "expected a string" }] };
  assert.deepEqual(await checkArguments({ schema, validate }, { a: "7" }), {
    ok: true,
    value: { a: 7 },
  });
  assert.equal((await checkArguments({ schema, validate }, { a: 7 })).ok, false);
  const throws = {
    schema,
    validate: () => {
      throw new Error("boom");
    },
  };
  const rejects = { schema, validate: () => Promise.reject(new Error("boom")) };
  for (const entry of [throws, rejects]) {
    const check = await checkArguments(entry, {});
    assert.ok(!check.ok);
    assert.match(check.issues[0]!.message, /own check failed: boom/);
  }
});

Deno.test("checkArguments() never throws, whatever schema and value", async () => {
  const keyword = fc.constantFrom(
    "type",
    "properties",
    "items",
    "anyOf",
    "$ref",
    "enum",
    "required",
    "not",
  );
  await fc.assert(fc.asyncProperty(
    fc.dictionary(keyword, fc.jsonValue({ maxDepth: 3 })),
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
    async (schema, value) => {
      const check = await checkArguments({ schema: schema as JsonSchema }, value as JsonObject);
      if (!check.ok) assert.ok(check.issues.length > 0);
    },
  ));
});

Deno.test("describeIssues() tells the model field, given, expected, and the parameters", () => {
  const text = describeIssues("read_file", READ_FILE, [
    { path: "/offset", message: 'expected integer, got string "ten"' },
    { path: "", message: "expected a JSON object, got null" },
  ]);
  assert.equal(
    text,
    [
      'Cannot call "read_file": the arguments are not valid',
      '- /offset: expected integer, got string "ten"',
      "- arguments: expected a JSON object, got null",
      'Parameters: path (string, required); offset (integer); mode (string, one of "text", "hex"); ' +
      "lines (array)",
      'Example: {"path":"…","offset":1}',
      "Call it again with corrected arguments.",
    ].join("\n"),
  );
  assert.ok(
    describeIssues("x", { type: "object" }, [{ path: "", message: "y".repeat(9_000) }]).length <
      2_100,
  );
});

interface RecordedCall {
  readonly function: { readonly parameters: JsonSchema };
  readonly arguments: JsonObject;
}

const { records, ignore } = await readCorpus<RecordedCall>("calls.jsonl");

Deno.test({
  name: "checkArguments() accepts recorded calls and refuses them without a required field",
  ignore,
  async fn() {
    const calls = records.slice(0, 1_500);
    let accepted = 0;
    for (const { function: { parameters: schema }, arguments: args } of calls) {
      const entry = { schema };
      const check = await checkArguments(entry, args);
      if (!check.ok) continue;
      accepted++;
      const required = schema.required?.[0];
      if (required === undefined) continue;
      const { [required]: _, ...rest } = args;
      const refused = await checkArguments(entry, rest);
      assert.ok(!refused.ok, JSON.stringify(args));
      assert.ok(
        refused.issues.some(({ path }) => path === `/${required}`),
        JSON.stringify(refused.issues),
      );
    }
    console.error(`accepted ${accepted} of ${calls.length} recorded calls`);
    assert.ok(accepted / calls.length > 0.9, `only ${accepted} of ${calls.length} accepted`);
  },
});
