import assert from "node:assert/strict";
import fc from "fast-check";
import { scanModule } from "../../registry/scan.ts";
import { UNCERTAIN } from "../../registry/top_level.ts";
import { findings, fixture, IMPORT, scanText, source } from "./scan_support.ts";

const TOOL = '{ name: "a", toolset: "t", description: "d", schema: {}, handler: () => "ok" }';
const DECLARATION = { name: "a", toolset: "t", description: "d", schema: {} };

Deno.test("scanModule() answers the reference's table of the rule", async () => {
  const { tools } = await scanModule(await fixture("reference_table.ts"));
  const found = tools.map(({ name, line, column }) => [line, column, name]);
  assert.deepEqual(found, [
    [4, 1, "statement"],
    [12, 30, undefined],
    [13, 33, undefined],
    [30, 2, "parenthesised"],
  ]);
});

Deno.test("scanModule() says something of each line of the table that looks like a registration", async () => {
  assert.deepEqual(findings(await scanModule(await fixture("reference_table.ts"))), [
    "5:11 assigned",
    "6:20 assigned",
    "7:21 in_function",
    "8:25 in_class",
    "9:7 in_try",
    "10:17 in_loop",
    "11:12 conditional",
    "15:1 foreign_registry",
    "16:1 foreign_registry",
    "18:1 not_called",
    "20:7 awaited",
    "21:8 logical",
    "22:1 chained",
    "23:1 chained",
    "24:2 decorator",
  ]);
});

Deno.test("scanModule() follows aliases, namespaces, versions and defineTool", async () => {
  const scan = await scanModule(await fixture("names_of_registry.ts"));
  assert.deepEqual(findings(scan), []);
  assert.deepEqual(
    scan.tools.map(({ name, line, declaration }) => [line, name, declaration?.["override"]]),
    [
      [5, "aliased", undefined],
      [6, "spaced", undefined],
      [10, "constant", true],
      [11, "typed", undefined],
      [14, "escaped", undefined],
    ],
  );
});

Deno.test("scanModule() [case 50] reads mcp_tool.ts like any file: skipping by name is the list's work", async () => {
  const { tools } = await scanText(`${IMPORT}registry.register(${TOOL});`, "/root/mcp_tool.ts");
  assert.equal(tools.length, 1);
});

Deno.test("scanModule() [case 53] gives the place of a syntax error", async () => {
  const scan = await scanText(`${IMPORT}registry.register({\n  name: "a"\n  toolset: "t" });`);
  assert.deepEqual(findings(scan), ["4:3 syntax_error"]);
  assert.deepEqual(scan.tools, []);
  assert.equal(scan.diagnostics[0]?.severity, "error");
  assert.match(scan.diagnostics[0]?.message ?? "", /^Cannot parse the module: /);
});

Deno.test("scanModule() [case 54] finds no tool that is registered only in a function, if or try", async () => {
  for (
    const [text, code] of [
      [`function f() { registry.register(${TOOL}); }`, "2:16 in_function"],
      [`if (true) { registry.register(${TOOL}); }`, "2:13 conditional"],
      [`try { registry.register(${TOOL}); } catch {}`, "2:7 in_try"],
    ] as const
  ) {
    const scan = await scanText(IMPORT + text);
    assert.deepEqual([scan.tools, findings(scan)], [[], [code]]);
    assert.equal(scan.diagnostics[0]?.severity, "warning");
    assert.ok(scan.diagnostics[0]?.hint);
  }
});

Deno.test("scanModule() [case 55] accepts a direct child of a for...of at module level, to be evaluated", async () => {
  const loop = `for (const row of rows) registry.register({ name: row, permissions: row.grants });`;
  const scan = await scanText(IMPORT + loop);
  assert.deepEqual(scan.tools, [{ line: 2, column: 25 }]);
  assert.deepEqual(scan.diagnostics, []);
});

Deno.test("scanModule() says nothing of a file that registers nothing", async () => {
  const text = `import "node:module"; const x = require("x"); // register with the registry`;
  assert.deepEqual((await scanText(text)).diagnostics, []);
  assert.deepEqual(await scanText("this is ] not code"), {
    tools: [],
    imports: [],
    diagnostics: [],
    topLevel: UNCERTAIN,
  });
});

Deno.test("scanModule() reports faults of imports only when the file registers a tool", async () => {
  const scan = await scanText(`${IMPORT}import "node:module";\nregistry.register(${TOOL});`);
  assert.deepEqual(findings(scan), ["2:8 create_require"]);
  assert.deepEqual(scan.imports.map(({ specifier }) => specifier), [
    "@cloister/cloister/tool",
    "node:module",
  ]);
});

Deno.test("scanModule() keeps the good tools beside a near miss", async () => {
  const scan = await scanText(
    `${IMPORT}registry.register(${TOOL});\nif (x) registry.register(${TOOL});`,
  );
  assert.deepEqual(scan.tools, [{ line: 2, column: 1, name: "a", declaration: DECLARATION }]);
  assert.deepEqual(findings(scan), ["3:8 conditional"]);
});

Deno.test("scanModule() [A20] is not taken in by comments, strings, eval or look-alike code", async () => {
  for (
    const bait of [
      `// registry.register(${TOOL})`,
      `/* registry.register(${TOOL}) */`,
      `"registry.register()";`,
      "`registry.register()`;",
      `eval("registry.register(${TOOL.replaceAll('"', "'")})");`,
      `new Function("registry", "registry.register()")(0);`,
      `/registry.register()/;`,
    ]
  ) assert.deepEqual((await scanText(IMPORT + bait)).tools, [], bait);
});

Deno.test("scanModule() [A20] reads CRLF and a byte order mark with the right places", async () => {
  const text =
    `\uFEFF${IMPORT.trimEnd()}\r\n\r\nregistry.register(${TOOL});\r\nif (x) registry.register();`;
  const scan = await scanText(text);
  assert.deepEqual(scan.tools, [{ line: 3, column: 1, name: "a", declaration: DECLARATION }]);
  assert.deepEqual(findings(scan), ["4:8 conditional"]);
});

Deno.test("scanModule() [A20] refuses 10 MB without reading it", async () => {
  const bytes = new Uint8Array(10_000_000).fill(0x20);
  const started = performance.now();
  const scan = await scanModule({ path: "/root/big.ts", bytes });
  assert.deepEqual(findings(scan), ["1:1 too_large"]);
  assert.ok(performance.now() - started < 1_000);
});

Deno.test("scanModule() finds a word that is written with escapes only", async () => {
  const text = String.raw`import { "\x72egistry" as r } from "@cloister/cloister/tool";` +
    String.raw` r.regist\u0065r(${TOOL});`;
  assert.equal((await scanText(text)).tools[0]?.name, "a");
});

Deno.test("scanModule() reads .js and .mjs files, and takes no types there", async () => {
  for (const path of ["/root/a.js", "/root/a.mjs"]) {
    assert.equal((await scanText(`${IMPORT}registry.register(${TOOL});`, path)).tools.length, 1);
    const typed = await scanText(`${IMPORT}registry.register(${TOOL} as const);`, path);
    assert.deepEqual(findings(typed).map((text) => text.split(" ")[1]), ["syntax_error"]);
  }
});

Deno.test("scanModule() tells a local, a foreign and an unbound registry apart", async () => {
  const call = `registry.register(${TOOL});`;
  for (
    const [text, finding] of [
      [`const registry = new Map(); ${call}`, "1:29 local_registry"],
      [`import { registry } from "./_own.ts"; ${call}`, "1:39 foreign_registry"],
      [call, "1:1 unbound_registry"],
      [`import type { registry } from "@cloister/cloister/tool"; ${call}`, "1:58 unbound_registry"],
      [`for (const registry of []) ${call}`, "1:28 local_registry"],
    ] as const
  ) assert.deepEqual(findings(await scanText(text)), [finding]);
});

Deno.test("scanModule() never throws whatever the text is", async () => {
  const words = fc.constantFrom(
    ..."registry register . ( ) { } [ ] , : ; = => ? ! ` ${ } \" ' \\u0072 \\x72 import export from with for of const if try class static @ await async function < > <a>( ... name 1 \0 \uFEFF \uD800 \n //"
      .split(" "),
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(words, { maxLength: 60 }).map((list) => list.join(" ")),
    fc.array(words, { maxLength: 40 }).map((list) =>
      `${IMPORT}registry.register({${list.join("")}})`
    ),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const scan = await scanText(text);
      assert.ok(scan.diagnostics.every(({ line, column }) => line >= 1 && column >= 1));
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("scanModule() never throws whatever the bytes are", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      await scanModule({ path: "/root/a.ts", bytes });
    }),
    { numRuns: 500 },
  );
});

Deno.test("scanModule() gives the same answer twice", async () => {
  const text = `${IMPORT}registry.register(${TOOL});`;
  assert.deepEqual(await scanModule(source(text)), await scanModule(source(text)));
});
