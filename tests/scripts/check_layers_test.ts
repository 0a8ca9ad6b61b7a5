import assert from "node:assert/strict";
import { checkLayers } from "../../scripts/check_layers.ts";
import { checkFile } from "../../scripts/layer_rules.ts";

function messages(path: string, text: string): readonly string[] {
  return checkFile(path, text).map((violation) => `${violation.line}: ${violation.message}`);
}

function refuses(path: string, text: string): void {
  assert.equal(messages(path, text).length, 1, `${path} may: ${text}`);
}

function allows(path: string, text: string): void {
  assert.deepEqual(messages(path, text), []);
}

Deno.test("checkFile() lets a file import its own folder and lower ranks", () => {
  allows("registry/a.ts", 'import { x } from "./b.ts"; import type { Y } from "../core/y.ts";');
  allows("runtime/grants/a.ts", 'import "../a.ts"; import "../../workers/b.ts";');
  allows("mod.ts", 'export { x } from "./runtime/x.ts";');
  allows("cli/main.ts", 'import "../mod.ts"; import "../edge/x.ts"; import "../deno.json";');
  allows("edge/a.ts", 'import "node:net"; import "zod"; import "@cloister/cloister/tool";');
});

Deno.test("checkFile() refuses the same rank elsewhere and higher ranks, with the line", () => {
  assert.match(
    messages("registry/a.ts", '\n\nimport "../workers/b.ts";')[0]!,
    /^3: Cannot import "\.\.\/workers\/b\.ts" from registry \(rank 1\): workers has rank 1/,
  );
  refuses("core/a.ts", 'import "../registry/b.ts";');
  refuses("edge/a.ts", 'import "../mcp/b.ts";');
  refuses("runtime/a.ts", 'import "../mod.ts";');
  refuses("runtime/a.ts", 'import "@cloister/cloister";');
  refuses("mod.ts", 'import "./cli/main.ts";');
  refuses("core/a.ts", 'import "../tests/x.ts";');
  refuses("elsewhere/a.ts", 'import "../core/b.ts";');
});

Deno.test("checkFile() sees type imports, re-exports, dynamic imports and import types", () => {
  refuses("core/a.ts", 'import type { X } from "../registry/b.ts";');
  refuses("core/a.ts", 'export * from "../registry/b.ts";');
  refuses("core/a.ts", 'export type { X } from "../registry/b.ts";');
  refuses("core/a.ts", 'const x = await import("../registry/b.ts");');
  refuses("core/a.ts", 'type X = import("../registry/b.ts").X;');
  allows("core/a.ts", '// import "../registry/b.ts"\nconst text = `import "../registry/b.ts"`;');
});

Deno.test("checkFile() keeps tool files to the tool module, packages and their helpers", () => {
  allows("tools/a.ts", 'import "@cloister/cloister/tool"; import "zod"; import "node:path";');
  allows("tools/a.ts", 'import { x } from "./_helper.ts";');
  refuses("tools/a.ts", 'import "@cloister/cloister";');
  refuses("tools/a.ts", 'import "../core/tool.ts";');
  refuses("tools/a.ts", 'import "./b.ts";');
  refuses("tools/a.ts", 'import "./_builtins.ts";');
});

Deno.test("checkFile() lets only the generated list import tools, and only by import()", () => {
  allows("tools/_builtins.ts", 'export const x = { a: () => import("./a.ts") };');
  allows(
    "tools/_builtins.ts",
    'import type { X } from "../core/entry.ts";'.replace("../core/entry.ts", "zod"),
  );
  refuses("tools/_builtins.ts", 'import "./a.ts";');
  refuses("registry/a.ts", 'import "../tools/a.ts";');
  refuses("registry/a.ts", 'await import("../tools/a.ts");');
  allows("registry/a.ts", 'await import("../tools/_builtins.ts");');
});

Deno.test("checkFile() lets only the command line print, exit and read the environment", () => {
  for (
    const text of [
      'console.log("x")',
      "console?.error(1)",
      "Deno.exit(1)",
      'Deno.env.get("HOME")',
      'globalThis.Deno.env.get("HOME")',
      'Deno["args"]',
      "process.argv",
    ]
  ) {
    refuses("runtime/a.ts", text);
    allows("cli/a.ts", text);
    allows("scripts/a.ts", text);
  }
  allows(
    "runtime/a.ts",
    "options.console; Deno.cwd(); const text = 'Deno.exit'; // console.log(1)",
  );
  allows("workers/cell_main.ts", "Deno.exit(0)");
});

Deno.test("checkLayers() walks a checkout", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${root}/core/deep`, { recursive: true });
    await Deno.mkdir(`${root}/tests/fixtures`, { recursive: true });
    await Deno.writeTextFile(`${root}/core/deep/a.ts`, '\nimport "../../registry/b.ts";\n');
    await Deno.writeTextFile(`${root}/core/b.ts`, 'import "./deep/a.ts";\n');
    await Deno.writeTextFile(`${root}/tests/fixtures/broken.ts`, "import {{{");
    const { files, violations } = await checkLayers(root);
    assert.equal(files, 2);
    assert.deepEqual(violations.map(({ path, line }) => [path, line]), [["core/deep/a.ts", 2]]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("this checkout keeps to its layers", async () => {
  const root = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
  const { files, violations } = await checkLayers(root);
  assert.ok(files > 50);
  assert.deepEqual(violations.map(({ path, line, message }) => `${path}:${line}: ${message}`), []);
});
