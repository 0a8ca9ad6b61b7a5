import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { findings, IMPORT, scanText } from "./scan_support.ts";

const REST = 'name: "a", handler: () => "ok"';

/** The declaration of a tool with these fields, read after the lines that come before it. */
async function declared(fields: string, before = ""): Promise<JsonObject | undefined> {
  const scan = await scanText(`${IMPORT}${before}\nregistry.register({ ${REST}, ${fields} });`);
  assert.deepEqual(findings(scan), []);
  return scan.tools[0]?.declaration;
}

/** The value of the field `schema`. */
async function read(expression: string, before?: string): Promise<JsonValue | undefined> {
  return (await declared(`schema: ${expression}`, before))?.["schema"];
}

Deno.test("scanModule() reads literals as the values that they stand for", async () => {
  for (
    const [text, value] of [
      [`{ a: 1, "b-c": [true, false, null], 3: -0.5, ["d"]: +2, [\`e\`]: 1e3 }`, {
        3: -0.5,
        a: 1,
        "b-c": [true, false, null],
        d: 2,
        e: 1000,
      }],
      ["`two\nlines \\u00e9`", "two\nlines é"],
      [`"a" + "b" + 'c'`, "abc"],
      ["{ a: 1 } as const satisfies object", { a: 1 }],
      ["((<object> { a: [1 as number]! }))", { a: [1] }],
      ["{ a: undefined, b: 1 }", { b: 1 }],
      ["{ a: 1, b: 2, a: 3 }", { a: 3, b: 2 }],
      ["{ ...{ a: 1, b: 2 }, b: 3 }", { a: 1, b: 3 }],
      ["[1, ...[2, 3]]", [1, 2, 3]],
      ["0x10", 16],
      ["1_000", 1000],
    ] as const
  ) assert.deepEqual(await read(text), value, text);
});

Deno.test("scanModule() reads constants of the module", async () => {
  const before = `const N = 3; const S = { p: { type: "string" } } as const; const L = ["x"];
    export const T = \`n is \${N}\`;`;
  for (
    const [text, value] of [
      ["N", 3],
      ["T", "n is 3"],
      ["{ ...S, q: L }", { p: { type: "string" }, q: ["x"] }],
      ["S.p", { type: "string" }],
      ["{ N }", { N: 3 }],
      ["[...L, T]", ["x", "n is 3"]],
    ] as const
  ) assert.deepEqual(await read(text, before), value, text);
});

Deno.test("scanModule() leaves everything else to the evaluation", async () => {
  for (
    const text of [
      "make()",
      "[make()]",
      "{ a: other }",
      "{ get a() { return 1; } }",
      "{ a() {} }",
      "{ [key]: 1 }",
      "{ ...other }",
      "{ ...[1] }",
      "[, 1]",
      "[undefined]",
      "10n",
      "/x/",
      "tag`x`",
      "`${make()}`",
      "1 + 2",
      "!0",
      "a ? 1 : 2",
      "{ maximum: Infinity }",
      "[-Infinity]",
      "NaN",
      "S.missing",
      "S.toString",
      '"a".length',
      "variable",
      "later",
    ]
  ) {
    const before = "const S = {}; let variable = 1;";
    const scan = await scanText(
      `${IMPORT}${before}\nregistry.register({ ${REST}, schema: ${text} });\nconst later = 1;`,
    );
    assert.deepEqual(scan.tools, [{ line: 3, column: 1, name: "a" }], text);
  }
});

Deno.test("scanModule() does not read constants that may be changed", async () => {
  for (
    const change of [
      "S.a = 2;",
      "S.b.push(1);",
      "delete S.a;",
      "S.a++;",
      "change(S);",
      "new Change(S);",
      "const other = S;",
      "[S.a] = [2];",
      "({ x: S.a } = { x: 2 });",
      "for (S.a of []) {}",
      "function change() { S.a = 2; }",
    ]
  ) assert.equal(await read("S", `const S = { a: 1, b: [] }; ${change}`), undefined, change);
});

Deno.test("scanModule() reads constants that are only looked at", async () => {
  const before = `const S = { a: 1, b: [] }; JSON.stringify(S); S.b.map(String); console.log(S.a);
    function handler() { use(S); }`;
  assert.deepEqual(await read("S", before), { a: 1, b: [] });
});

Deno.test("scanModule() refuses __proto__ where it sets a prototype, and never pollutes", async () => {
  for (
    const text of [
      `{ __proto__: { polluted: true } }`,
      `{ "__proto__": { polluted: true } }`,
      `{ ["__proto__"]: { polluted: true } }`,
      `{ a: { __proto__: { polluted: true } } }`,
    ]
  ) assert.equal(await read(text), undefined, text);
  assert.equal(
    (await scanText(`${IMPORT}registry.register({ __proto__: x, ${REST} });`)).tools.length,
    1,
  );
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  const read_ = await read(`{ constructor: 1, toString: 2, hasOwnProperty: 3 }`) as JsonObject;
  assert.deepEqual(Object.keys(read_), ["constructor", "toString", "hasOwnProperty"]);
});

Deno.test("scanModule() gives functions as flags and Infinity as a word", async () => {
  assert.deepEqual(
    await declared(
      "checkFn() { return true; }, dynamicSchemaOverrides: make, maxResultSizeChars: Infinity",
      "const make = () => ({});",
    ),
    { name: "a", hasCheckFn: true, hasDynamicSchema: true, maxResultSizeChars: "unlimited" },
  );
  assert.deepEqual(await declared("checkFn: undefined, title: undefined"), { name: "a" });
});

Deno.test("scanModule() [case 8] tells which tools of a module have the very same check", async () => {
  const shared = async (first: string, second: string, before: string) => {
    const tools = [`name: "a", ${first}`, `name: "b", ${second}`];
    const calls = tools.map((fields) => `registry.register({ ${fields}, handler() {} });`);
    const scanned = await scanText(`${IMPORT}${before}\n${calls.join("\n")}`);
    return scanned.tools.map((one) => one.declaration?.sharesCheckOf);
  };
  const same = [undefined, "a"], own = [undefined, undefined];
  const up = "checkFn: up";
  assert.deepEqual(await shared(up, up, "const up = () => true;"), same);
  assert.deepEqual(await shared(up, up, "function up() { return true; }"), same);
  assert.deepEqual(await shared(up, up, 'import { up } from "./_up.ts";'), same);
  assert.deepEqual(await shared("...base", "...base", "const base = { checkFn() {} };"), same);
  assert.deepEqual(await shared(up, "checkFn: down", "const up = () => 1, down = () => 0;"), own);
  assert.deepEqual(await shared("checkFn() {}", "checkFn() {}", ""), own);
  // It may have been set to another function in between.
  assert.deepEqual(await shared(up, up, "let up = () => true;"), own);
  assert.deepEqual(await shared("checkFn: o.up", "checkFn: o.up", "const o = { up() {} };"), own);
});

Deno.test("scanModule() keeps fields that a registration does not know, for the check", async () => {
  assert.deepEqual(await declared("inputSchema: {}, execute() {}"), {
    name: "a",
    inputSchema: {},
    execute: null,
  });
  // These exist in a declaration only: the evaluation's own check refuses them.
  for (const field of ["override: true", "hasCheckFn: true", "hasDynamicSchema: true"]) {
    assert.equal(await declared(field), undefined);
  }
});

Deno.test("scanModule() reads override from the second argument only where it is literal", async () => {
  const read = async (options: string) =>
    (await scanText(`${IMPORT}registry.register({ ${REST} }, ${options});`)).tools[0]?.declaration;
  assert.deepEqual(await read("{ override: true }"), { name: "a", override: true });
  assert.deepEqual(await read("{ override: false }"), { name: "a", override: false });
  assert.deepEqual(await read("{}"), { name: "a" });
  assert.equal(await read("{ override: make() }"), undefined);
  assert.equal(await read("{ overide: true }"), undefined);
});

Deno.test("scanModule() takes bounded time for constants that double each other", async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `const c${i + 1} = [c${i}, c${i}];`).join(
    "\n",
  );
  const spreads = Array.from({ length: 60 }, (_, i) => `const s${i + 1} = { ...s${i}, ...s${i} };`);
  const started = performance.now();
  assert.equal(await read("c60", `const c0 = 1;\n${lines}`), undefined);
  const scan = await scanText(
    `${IMPORT}const s0 = { a: 1 };\n${spreads.join("\n")}\nregistry.register({ ${REST}, ...s60 });`,
  );
  assert.equal(scan.tools.length, 0);
  assert.ok(performance.now() - started < 5_000);
});

Deno.test("scanModule() leaves a sum of 5,000 parts to the evaluation or reads it, but does not fail", async () => {
  const scan = await scanText(
    `${IMPORT}registry.register({ ${REST}, title: ${'"x" + '.repeat(5_000)}"" });`,
  );
  assert.ok(scan.diagnostics.every(({ code }) => code === "too_complex"));
});

Deno.test("scanModule() reads what JSON reads", async () => {
  const key = fc.string().filter((text) => text !== "__proto__");
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: "binary" }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value")),
      fc.dictionary(key, tie("value")),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, value), async (schema) => {
      const text = JSON.stringify({ name: "a", toolset: "t", description: "d", schema });
      const scan = await scanText(`${IMPORT}registry.register({ ...${text}, handler() {} });`);
      if (text.includes('"__proto__":') || text.includes("\\u0000")) return;
      assert.deepEqual(scan.diagnostics, []);
      assert.deepEqual(scan.tools[0]?.declaration, JSON.parse(text));
    }),
    { numRuns: 300 },
  );
});
