import assert from "node:assert/strict";
import { scanImports } from "../../registry/scan.ts";
import { expectedFindings, findings, fixture, source } from "./scan_support.ts";

Deno.test("scanImports() lists every import with its place, kind and attributes", async () => {
  const { imports, diagnostics } = await scanImports(await fixture("imports.ts"));
  assert.deepEqual(diagnostics, []);
  const rows = imports.map((item) => [item.line, item.column, item.kind, item.specifier]);
  assert.deepEqual(rows, [
    [1, 17, "static", "./default.ts"],
    [2, 22, "static", "../up/all.ts"],
    [3, 31, "static", "./named.ts"],
    [4, 28, "type", "./types.ts"],
    [5, 8, "static", "./effect.ts"],
    [6, 18, "static", "./data.json"],
    [7, 26, "static", "node:fs/promises"],
    [8, 22, "export", "./four.ts"],
    [9, 15, "export", "./star.ts"],
    [10, 23, "export", "./five.ts"],
    [11, 26, "type", "./six.ts"],
    [12, 30, "dynamic", "./dynamic.ts"],
    [13, 31, "dynamic", "./template.ts"],
    [14, 27, "dynamic", "./note.txt"],
    [15, 21, "type", "./seven.ts"],
    [16, 29, "type", "./eight.ts"],
  ]);
  const attributes = imports.flatMap((item) =>
    item.attributes ? [[item.line, item.attributes]] : []
  );
  assert.deepEqual(attributes, [[6, { type: "json" }], [14, { type: "text" }]]);
});

Deno.test("scanImports() gives each import that cannot be admitted its code, line and column", async () => {
  const file = await fixture("import_faults.ts");
  const scan = await scanImports(file);
  assert.deepEqual(findings(scan), expectedFindings(file));
  assert.ok(scan.diagnostics.every(({ severity, hint }) => severity === "error" && hint));
});

Deno.test("scanImports() sees the import() in JavaScript that is a type in TypeScript", async () => {
  const text = `f<import("./x.ts")>(y);`;
  const kinds = async (path: string) =>
    (await scanImports(source(text, path))).imports.map(({ kind }) => kind);
  assert.deepEqual(await kinds("/root/a.js"), ["dynamic"]);
  assert.deepEqual(await kinds("/root/a.ts"), ["type"]);
});

Deno.test("scanImports() reads declaration files", async () => {
  const text = `import type { A } from "./a.d.ts"; export const x: A;`;
  const { imports, diagnostics } = await scanImports(source(text, "/root/x.d.ts"));
  assert.deepEqual([imports.length, diagnostics], [1, []]);
});

Deno.test("scanImports() reports a module that it cannot read", async () => {
  assert.deepEqual(findings(await scanImports(source("import {"))), ["1:9 syntax_error"]);
  assert.deepEqual(findings(await scanImports(source("a\0b"))), ["1:2 nul_byte"]);
});

Deno.test("scanImports() takes a static import of a JavaScript file as one that takes place", async () => {
  const source = `import { Worker as W } from "node:worker_threads";\nimport "./x.js";\n`;
  for (const path of ["/tools/a.mjs", "/tools/a.js", "/tools/a.ts"]) {
    const scan = await scanImports({ path, bytes: new TextEncoder().encode(source) });
    assert.deepEqual(scan.imports.map(({ specifier, kind }) => [specifier, kind]), [
      ["node:worker_threads", "static"],
      ["./x.js", "static"],
    ], path);
    assert.deepEqual(scan.diagnostics.map(({ code, line }) => [code, line]), [[
      "worker_threads",
      1,
    ]]);
  }
});
