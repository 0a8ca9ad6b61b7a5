import assert from "node:assert/strict";
import { packageImportMap } from "../../registry/package_imports.ts";
import { IMPORT_MAP, moduleAt, PACKAGE, Playground } from "./discovery_support.ts";

const IMPORTS = 'import { defineTool, registry, ToolError } from "@cloister/cloister/tool";\n';
const REGISTRATION = `registry.register({
  name: "own", toolset: "own", description: "d", schema: { type: "object" }, handler: () => "",
});\n`;

/** Each of these loads; that is shown by loading it. */
const CERTAIN: readonly string[] = [
  "",
  "const WORDS = ['a', `b`, 1, -2, 1n, null, true, undefined, /a+/u, Infinity, NaN];",
  "const table = { a: 1, 'b c': { d: [1, , 2] }, ['e']: () => {}, async f() { throw 1; }, 3: 4 };",
  "const day = 24 * 60 * 60 * 1_000, half = day / 2, text = `${day} ms` + 'x', not = !table; const table = 1;"
    .replace("const day", "const table0 = 1; const day").replace(
      "!table; const table = 1;",
      "!table0;",
    ),
  "const a = { x: 1 }; const b = { ...a, ...{ y: 2 } }; const c = [...[1], ...'text']; const d = [...c];",
  "const a = { x: { y: 1 } }; const b = a.x, c = a.z, d = a.x.y, e = `${a.x.y}`;",
  "const name = true ? 'a' : 'b', other = name || 'c', kind = typeof name, gone = void 0, same = name === kind;",
  "const seen = new Set(['a', 'b']), pairs = new Map([['a', 1]]), known = new WeakMap<object, string>();",
  "const words = 'a b c'.split(' '), all = new Set('a b'.split(' ')), more = [...words];",
  "const LIMITS = Object.freeze({ a: 1 }); const first = LIMITS.a;",
  "function late() { throw new Error('never called'); } const call = late, later = () => late();",
  "async function* stream() { yield await fetch('https://example.com'); }",
  "class A { #x = fail(); y = fail(); static z = 1; static #w = [2]; m() { fail(); } get v() { return fail(); } }\n" +
  "declare function fail(): never;",
  "class A extends ToolError {} class B extends A {} class C extends TypeError { static name2 = 'c'; }",
  "const A = class extends Error { constructor() { super('a'); } };",
  "enum Color { Red, Green = 4, Blue = 'b' } const c = Color.Red;",
  "interface T { a: number } type U = T | string; declare const x: U; export type { T }; export { U };",
  "let count = 0; var old; let next: number; export { count, count as also }; export default count;",
  "export const a = 1; export function b() {} export class C {} export enum D { E }",
  "export default function () {}",
  "const here = import.meta.url, dir = import.meta.dirname;",
  "const tool = defineTool({ name: 'x', toolset: 'y', description: 'z', schema: {}, handler: () => '' });",
  "const a = 1 as number, b = <string> 'x', c = { d: 1 } satisfies object, e = a!;",
  "import { basename, join } from 'node:path'; import * as url from 'node:url'; const f = basename, g = url.parse;",
  "import type { Missing } from '@cloister/cloister/tool'; let x: Missing;",
  "import { ToolContext } from '@cloister/cloister/tool'; let x: ToolContext;",
  "import { z } from 'zod'; const S = z.object({ a: z.string().min(1), b: z.array(z.number()) }); export { S };",
  "const f = (x: string) => { if (x) throw new Error(x); return JSON.parse(x); };",
];

/** None of these is certain, whether it loads or not. */
const UNCERTAIN: readonly string[] = [
  "throw new Error('x');",
  "Deno.writeTextFileSync('/tmp/trace', '');",
  "globalThis.trace = 1;",
  "const x = JSON.parse('{');",
  "const x = Deno.env.get('X');",
  "const x = new Date();",
  "const x = new RegExp('(');",
  "const x = new URL('nowhere');",
  "await Promise.resolve();",
  "const x = await Promise.resolve(1);",
  "for (;;) {}",
  "for await (const x of []) {}",
  "while (true) {}",
  "do {} while (true);",
  "if (Deno.args.length > 0) throw 1;",
  "switch (1) {}",
  "try { throw 1; } catch {}",
  "{ const x = 1; }",
  "label: ;",
  "debugger;",
  "(() => { throw 1; })();",
  "const x = f(); function f() { throw 1; }",
  "const x = later; const later = 1;",
  "const x = { later }; const later = 1;",
  "const x = x1 + 1, x1 = 2;",
  "class A extends B {} class B {}",
  "const x = unknownName;",
  "const x = typeof unknownName;",
  "let x; const y = x.z;",
  "const a: any = {}; const b = a.b.c;",
  "const a: any = null; const b = a.b;",
  "const { a } = null as any;",
  "const [a] = 1 as any;",
  "const a = [...(null as any)];",
  "const a: any = 1; const b = [...a];",
  "const a = { get b() { throw 1; } }; const c = a.b;",
  "const a = { get b() { throw 1; } }; const c = { ...a };",
  "const a = { set b(x) {} };",
  "const a = { [Symbol.iterator]: 1 };",
  "const a = { [`${Deno.pid}`]: 1 };",
  "const a = `${{}}`;",
  "const a = {}; const b = `${a}`;",
  "const a = { b: {} }; const c = `${a.b}`;",
  "const a = { b: 1, ...{ b: {} } }; const c = `${a.b}`;",
  "const a = { c: 1 }; const b = `${(a as any).toString}`;",
  "const a = 1n + (1 as any);",
  "const a = -{};",
  "const a = {} < 1;",
  "const a = 'x' in ('y' as any);",
  "const a = ({}) instanceof (1 as any);",
  "const a = {}; delete a.b;",
  "const a = { b: 1 }; a.b = 2;",
  "let a = 0; a++;",
  "const a = { b: 1 }; const c = a?.b;",
  "const a = tag`x`; function tag() { throw 1; }",
  "const a = new Set(1 as any);",
  "const a = new Map([1 as any]);",
  "const a = new Map(['ab']);",
  "const a = new WeakSet([1] as any);",
  "const a = new WeakMap([['a', 1]] as any);",
  "class Set { constructor() { throw 1; } } const a = new Set();",
  "const Object = { freeze() { throw 1; } }; const a = Object.freeze({});",
  "const a = Object.freeze(Deno);",
  "import * as path from 'node:path'; const a = Object.freeze(path);",
  "import process from 'node:process'; const a = { ...process };",
  "const a = Object.keys(null as any);",
  "const a = 'a'.repeat(-1);",
  "class A { static x = fail(); } function fail() { throw 1; }",
  "class A { static { throw 1; } }",
  "class A { static [fail()]() {} } function fail() { throw 1; }",
  "class A { [fail()] = 1; } function fail() { throw 1; }",
  "class A { static ['prototype']() {} }",
  "class A extends (null as any) {}",
  "class A { accessor x = 1; }",
  "function d(x: any) { return x; } @d class A {}",
  "class A { @((x: any) => x) m() {} }",
  "function f() { return class { accessor x = 1; }; }",
  "function f() { return class { @((x: any) => x) m() {} }; }",
  "function f() { return /(/; }",
  "const f = () => /(?<a>x)(?<a>y)/;",
  "function f() { class A { constructor() {} constructor() {} } }",
  "export const a = 1; export { a };",
  "const a = 1, b = 2; export { a as x, b as x };",
  "export default 1; export default 2;",
  "export { late }; late(); function late() { throw 1; }",
  "enum A { B = f() } function f(): number { throw 1; }",
  "namespace N { export const a = f(); } function f() { throw 1; }",
  "using x = null;",
  "const r = registry; r.register({} as any);",
  "const x = defineTool(f() as any); function f() { throw 1; }",
  "const x = defineTool(...([] as any));",
  "export * from 'node:path';",
  "import { missing } from 'node:path'; const x = missing;",
  "import { missing } from '@cloister/cloister/tool'; const x = missing;",
  "import missing from '@cloister/cloister/tool'; const x = missing;",
  "export { missing } from 'node:path';",
  "import { z } from 'zod'; const S = z.string().transform(() => { throw 1; });",
  "import { z } from 'zod'; const S = z.string().parse(1);",
  "import { z } from 'zod'; const S = z.enum(null as any);",
  "import { nope } from 'zod'; const x = nope;",
  "import { z } from 'zod'; const S = z.nope();",
];

async function isSafe(files: Readonly<Record<string, string>>, entry = "own.ts"): Promise<unknown> {
  using place = new Playground();
  for (const [name, text] of Object.entries(files)) place.write(name, text);
  const outcome = await place.discover({ importMap: { ...IMPORT_MAP, diff: "npm:diff@9.0.0" } });
  return moduleAt(outcome, entry).safe;
}

Deno.test("isSafeToLoad() is certain of modules that do nothing but declare, and each of them loads", async () => {
  using place = new Playground();
  for (const [index, text] of CERTAIN.entries()) {
    const whole = IMPORTS + text + "\n" + REGISTRATION.replace('"own"', `"own_${index}"`);
    place.write(`own_${String(index).padStart(2, "0")}.ts`, whole);
  }
  const { modules } = await place.discover();
  const refused = modules.map(({ safe, diagnostics }, index) =>
    safe === true ? [] : [CERTAIN[index], ...diagnostics.map(({ message }) => message)]
  );
  assert.deepEqual(refused.flat(), []);
  assert.equal(modules.length, CERTAIN.length);
  for (const { path } of modules) {
    const text = Deno.readTextFileSync(path);
    const loadable = Object.entries(IMPORT_MAP).reduce(
      (changed, [name, target]) =>
        changed.replaceAll(`"${name}"`, `"${target}"`)
          .replaceAll(`'${name}'`, `'${target}'`),
      text,
    );
    Deno.writeTextFileSync(`${path}.load.ts`, loadable);
    await import(`file://${path}.load.ts`);
  }
});

Deno.test("isSafeToLoad() is certain of nothing that may throw, wait, or leave a trace", async () => {
  using place = new Playground();
  for (const [index, text] of UNCERTAIN.entries()) {
    const whole = IMPORTS + REGISTRATION.replace('"own"', `"own_${index}"`) + text + "\n";
    place.write(`own_${String(index).padStart(2, "0")}.ts`, whole);
  }
  const { modules } = await place.discover();
  assert.equal(modules.length, UNCERTAIN.length);
  // `false`: the module is taken, and what it does when it is loaded is open.
  const others = modules.flatMap(({ safe }, index) =>
    safe === false ? [] : [[UNCERTAIN[index], safe, modules[index]?.diagnostics[0]?.message]]
  );
  assert.deepEqual(others, []);
});

Deno.test("isSafeToLoad() looks at everything that a module imports, and at the names", async () => {
  const using = (names: string, from = "./_helper.ts", more = "") =>
    `${IMPORTS}import ${names} from "${from}"${more};\nconst used = [word];\n${REGISTRATION}`;
  const helper = (text: string, names = "{ word }") =>
    isSafe({ "own.ts": using(names), "_helper.ts": text });
  assert.equal(await helper("export const word = 'x';"), true);
  assert.equal(await helper("const x = 'x'; export { x as word };"), true);
  assert.equal(await helper("export default 'x';", "word"), true);
  assert.equal(await helper("export const other = 'x';", "* as word"), true);
  assert.equal(await helper("export const other = 'x';"), false);
  assert.equal(await helper("export interface word {}"), false);
  assert.equal(await helper("interface word {} export { word };"), false);
  assert.equal(await helper("export declare const word: string;"), false);
  assert.equal(await helper("export const word = 'x';", "word"), false);
  assert.equal(await helper("export const word = JSON.parse('{');"), false);
  const bare = `${IMPORTS}import "./_helper.ts";\n${REGISTRATION}`;
  assert.equal(await isSafe({ "own.ts": bare, "_helper.ts": "export {};" }), true);
  assert.equal(await isSafe({ "own.ts": bare, "_helper.ts": "throw 1;" }), false);
  assert.equal(await helper(`${IMPORTS}export const word = 1;\n${REGISTRATION}`), false);
  assert.equal(await helper("export { basename as word } from 'node:path';"), true);
  assert.equal(await helper("export { missing as word } from 'node:path';"), false);
  assert.equal(await helper("export { diffWords as word } from 'diff';"), false);
  const json = { "_data.json": '{"word":1}' };
  const ofJson = (names: string) =>
    isSafe({ "own.ts": using(names, "./_data.json", ' with { type: "json" }'), ...json });
  assert.equal(await ofJson("word"), true);
  assert.equal(await ofJson("{ word }"), false);
  const typed = {
    "own.ts": using("{ word }", "./_types.d.ts"),
    "_types.d.ts": "export const word: 1;",
  };
  assert.equal(await isSafe(typed), false);
});

Deno.test("isSafeToLoad() is not certain of a circle of imports, whose names may have no value yet", async () => {
  const own = `${IMPORTS}import { a } from "./_a.ts";\nconst used = a;\n${REGISTRATION}`;
  const a = 'import { b } from "./_b.ts";\nexport const a = [b];\n';
  const straight = { "own.ts": own, "_a.ts": a, "_b.ts": "export const b = 1;\n" };
  assert.equal(await isSafe(straight), true);
  const circle = 'import { a } from "./_a.ts";\nexport const b = [a];\n';
  assert.equal(await isSafe({ ...straight, "_b.ts": circle }), false);
});

Deno.test("isSafeToLoad() takes every import of plain JavaScript as one that takes place", async () => {
  const text = `import { registry, ToolContext } from "@cloister/cloister/tool";\n${REGISTRATION}`;
  assert.equal(await isSafe({ "own.ts": text }), true);
  assert.equal(await isSafe({ "own.mjs": text }, "own.mjs"), false);
});

Deno.test("isSafeToLoad() is certain of the package's own tools, so that no list of them waits for a load", async () => {
  using place = new Playground();
  using discovery = place.discovery({ importMap: packageImportMap() });
  const { modules } = await discovery.discover([{ dir: `${PACKAGE}/tools`, owner: "builtin" }]);
  assert.ok(modules.length >= 6);
  assert.deepEqual(modules.filter(({ safe }) => safe !== true).map(({ path }) => path), []);
});

Deno.test("Discovery keeps in its manifest which modules are certain to load", async () => {
  using place = new Playground();
  place.write("certain.ts", IMPORTS + REGISTRATION);
  place.write("open.ts", IMPORTS + REGISTRATION.replace('"own"', '"open"') + "await 1;\n");
  for (const hits of [0, 2]) {
    const outcome = await place.discover();
    assert.deepEqual(outcome.cache, { hits, misses: 2 - hits });
    assert.equal(moduleAt(outcome, "certain.ts").safe, true);
    assert.equal(moduleAt(outcome, "open.ts").safe, false);
  }
});
