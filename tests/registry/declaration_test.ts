import assert from "node:assert/strict";
import type { ToolRegistration } from "../../core/registration.ts";
import { parseDeclaration, readRegistration } from "../../registry/declaration.ts";
import { tool } from "./table_support.ts";

const GOOD = {
  name: "alpha",
  toolset: "text",
  description: "Does it.",
  schema: { type: "object", properties: { path: { type: "string" }, count: { type: "integer" } } },
};

function parse(more: Record<string, unknown>): ReturnType<typeof parseDeclaration> {
  return parseDeclaration({ ...GOOD, ...more }, "/tools/a.ts");
}

/** Asserts that the fields are refused with a TypeError that names the tool and holds every word. */
function refuses(more: Record<string, unknown>, ...words: string[]): void {
  assert.throws(() => parse(more), (error: unknown) => {
    assert.ok(error instanceof TypeError);
    for (const word of ['"alpha"', ...words]) {
      assert.ok(error.message.includes(word), `"${error.message}" lacks "${word}"`);
    }
    return true;
  });
}

Deno.test("parseDeclaration() gives a frozen copy", () => {
  const value = structuredClone(GOOD);
  const declaration = parseDeclaration(value, "/tools/a.ts");
  assert.deepEqual(declaration, { ...GOOD, permissions: {} });
  value.schema.properties.path.type = "number";
  assert.deepEqual(declaration.schema, GOOD.schema);
  assert.ok(Object.isFrozen(declaration.schema.properties!.path));
  assert.equal(Object.isFrozen(value.schema), false);
});

Deno.test("parseDeclaration() refuses what is no object, and says where it comes from", () => {
  for (const value of [undefined, null, 3, "x", [GOOD], () => GOOD]) {
    assert.throws(() => parseDeclaration(value, "/tools/a.ts"), /TypeError|\/tools\/a\.ts/);
  }
});

Deno.test("parseDeclaration() asks for what is missing", () => {
  for (const field of ["toolset", "description"]) {
    refuses({ [field]: undefined }, `"${field}"`, "missing");
  }
  assert.throws(() => parse({ name: undefined }), /field "name" is missing/);
  refuses({ schema: undefined }, '"schema"', "missing");
});

Deno.test("parseDeclaration() refuses unknown fields and says what was meant", () => {
  refuses({ inputSchema: {} }, '"inputSchema"', 'did you mean "schema"?');
  refuses({ parameters: {} }, 'did you mean "schema"?');
  refuses({ execute: 1 }, '"execute"', '"handler"');
  refuses({ titel: "x" }, '"titel"', 'did you mean "title"?');
  refuses({ requires_env: [] }, 'did you mean "requiresEnv"?');
  refuses({ zzzzzzzzz: 1 }, '"zzzzzzzzz"', "expected one of");
});

Deno.test("readRegistration() [case 48] refuses a list as schema, and lists inside it, naming the tool", () => {
  refuses({ schema: [] }, '"schema"', "an empty list");
  refuses({ schema: { name: "x", parameters: [] } }, '"schema"');
  refuses({ schema: { type: "object", properties: [] } }, '"schema.properties"');
  refuses({ schema: { type: "object", properties: { a: [] } } }, '"schema.properties.a"');
  refuses({ schema: { type: "object", required: "path" } }, '"schema.required"');
});

Deno.test("parseDeclaration() refuses a whole function definition with the fix", () => {
  refuses(
    { schema: { name: "alpha", description: "x", parameters: { type: "object" } } },
    "whole function definition",
    '"schema.parameters"',
  );
  refuses(
    { schema: { type: "function", function: { name: "alpha", parameters: {} } } },
    '"schema.function.parameters"',
  );
});

Deno.test("parseDeclaration() takes a parameter that is called parameters", () => {
  const schema = { type: "object", properties: { parameters: { type: "string" } } };
  assert.deepEqual(parse({ schema }).schema, schema);
});

Deno.test("parseDeclaration() wants an object schema, and adds a missing type", () => {
  for (const schema of [{ type: "array" }, { type: "string" }, {}, { oneOf: [] }]) {
    refuses({ schema }, '"object"');
  }
  assert.deepEqual(parse({ schema: { properties: {} } }).schema, {
    properties: {},
    type: "object",
  });
});

Deno.test("parseDeclaration() refuses what is not JSON inside a schema, with the place", () => {
  const cycle: Record<string, unknown> = { type: "object" };
  cycle.self = cycle;
  refuses({ schema: cycle }, '/self"', "contains itself");
  refuses({ schema: { type: "object", "x/y": () => 1 } }, '"/x~1y"', "function");
  refuses({ schema: { type: "object", a: new Map() } }, '"/a"', "class");
  refuses({ schema: { type: "object", a: [1, NaN] } }, '"/a/1"', "NaN");
  let deep: unknown = 1;
  for (let index = 0; index < 10_000; index++) deep = { deep };
  refuses({ schema: { type: "object", deep } }, "nested more than");
});

Deno.test("parseDeclaration() keeps keys that every object has as keys", () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}',
  );
  const { properties } = parse({ schema }).schema;
  assert.deepEqual(Object.keys(properties!), ["__proto__", "constructor"]);
  assert.equal(Object.getPrototypeOf(properties), Object.prototype);
});

Deno.test("parseDeclaration() knows which numbers make sense", () => {
  assert.equal(parse({ maxResultSizeChars: 0 }).maxResultSizeChars, 0);
  assert.equal(parse({ maxResultSizeChars: "unlimited" }).maxResultSizeChars, "unlimited");
  assert.equal(parse({ maxResultSizeChars: Infinity }).maxResultSizeChars, Infinity);
  for (const value of [-1, 1.5, NaN, "5", null]) {
    refuses({ maxResultSizeChars: value }, '"maxResultSizeChars"');
  }
  assert.equal(parse({ timeoutMs: 0.5 }).timeoutMs, 0.5);
  for (const value of [0, -1, Infinity, NaN, "30s"]) {
    refuses({ timeoutMs: value }, '"timeoutMs"', "positive");
    refuses({ memoryMb: value }, '"memoryMb"', "positive");
  }
});

Deno.test("parseDeclaration() knows the isolations that a file may ask for", () => {
  assert.equal(parse({ isolation: "process" }).isolation, "process");
  refuses({ isolation: "inline" }, '"isolation"', '"inline"', '"worker" or "process"');
});

Deno.test("parseDeclaration() checks lists and nested objects", () => {
  assert.deepEqual(parse({ requiresEnv: ["A", ["B", "C"]] }).requiresEnv, ["A", ["B", "C"]]);
  refuses({ requiresEnv: [[]] }, '"requiresEnv"');
  refuses({ requiresEnv: "A" }, '"requiresEnv"');
  refuses({ requires: { bin: ["git"] } }, '"bin"', 'did you mean "bins"?');
  refuses({ annotations: { readOnly: true } }, '"readOnly"');
  refuses({ annotations: { readOnlyHint: "yes" } }, '"readOnlyHint"');
});

Deno.test("parseDeclaration() knows the permissions, and no word for everything", () => {
  const permissions = {
    read: ["$WORKSPACE", "$DATA/x", "/etc/hosts", "$ARG.path"],
    net: ["api.example.com:443", "[::1]:80", "$ARG.path"],
    env: ["TOKEN"],
    run: false,
    import: false,
  };
  assert.deepEqual(parse({ permissions }).permissions, permissions);
  refuses({ permissions: true }, '"permissions"');
  refuses({ permissions: { network: [] } }, 'unknown permission "network"');
  refuses({ permissions: { reed: [] } }, 'did you mean "read"?');
  refuses({ permissions: { read: true } }, '"permissions.read"', "no spelling for everything");
  refuses({ permissions: { read: "all" } }, '"permissions.read"');
  for (const key of ["read", "net", "env", "run", "sys"]) {
    refuses({ permissions: { [key]: ["*"] } }, `"permissions.${key}"`, "*");
    refuses({ permissions: { [key]: [""] } }, `"permissions.${key}"`);
    refuses({ permissions: { [key]: [3] } }, `"permissions.${key}"`);
  }
  refuses({ permissions: { import: ["jsr.io"] } }, '"permissions.import"', "false");
  refuses({ permissions: { read: ["$WORKSPCE"] } }, "$WORKSPCE");
  refuses({ permissions: { read: ["$WORKSPACES/x"] } }, "$WORKSPACES");
  refuses({ permissions: { env: ["A,B"] } }, "A,B");
  refuses({ permissions: { net: ["https://x.example"] } }, '"permissions.net"');
});

Deno.test("parseDeclaration() knows which arguments can be granted", () => {
  refuses({ permissions: { read: ["$ARG.pth"] } }, '"pth"', '"$ARG.path"');
  refuses({ permissions: { read: ["$ARG.count"] } }, '"count" is no string');
  refuses({ permissions: { env: ["$ARG.path"] } }, '"permissions.env"');
  refuses({ permissions: { read: ["$ARG.constructor"] } }, '"constructor"');
});

Deno.test("readRegistration() refuses what is no function, and options in the wrong place", () => {
  const read = (more: object) => () =>
    readRegistration({ ...tool("alpha"), ...more } as unknown as ToolRegistration);
  assert.throws(
    read({ handler: undefined }),
    /"alpha": field "handler" is missing, expected a function/,
  );
  assert.throws(read({ checkFn: true }), /"checkFn" is true, expected a function/);
  assert.throws(read({ override: true }), /second argument/);
  assert.throws(read({ execute: () => 1 }), /did you mean "handler"\?/);
  assert.throws(read({ hasCheckFn: true }), /"hasCheckFn"/);
});

Deno.test("readRegistration() takes an instance of a class", () => {
  class Tool {
    name = "alpha";
    toolset = "text";
    description = "";
    schema = { type: "object" };
    handler(): string {
      return this.name;
    }
  }
  assert.equal(readRegistration(new Tool()).name, "alpha");
});
