import assert from "node:assert/strict";
import { MANIFEST_FILE } from "../../registry/manifest.ts";
import { loadManifestKey, sealText } from "../../registry/manifest_key.ts";
import { hashText } from "../../registry/hash.ts";
import {
  IMPORT_MAP,
  moduleAt,
  PACKAGE,
  Playground,
  toolNames,
  toolText,
} from "./discovery_support.ts";

/** Runs a discovery in a process of its own and gives what it prints. */
async function discoverInProcess(
  place: Playground,
  banned: readonly string[],
  permissions: readonly string[] = ["-A"],
): Promise<{ code: number; out: string; error: string }> {
  const config = JSON.parse(Deno.readTextFileSync(`${PACKAGE}/deno.json`));
  const imports = { ...config.imports };
  for (const name of banned) imports[name] = `file://${place.base}/banned.ts`;
  Deno.writeTextFileSync(
    `${place.base}/banned.ts`,
    'throw new Error("a banned module was loaded");',
  );
  Deno.writeTextFileSync(
    `${place.base}/deno.json`,
    JSON.stringify({ imports, nodeModulesDir: "none" }),
  );
  Deno.writeTextFileSync(
    `${place.base}/main.ts`,
    `import { Discovery } from "file://${PACKAGE}/registry/discovery.ts";
const discovery = new Discovery(${
      JSON.stringify({
        cacheDir: place.cacheDir,
        keyFile: place.keyFile,
        importMap: IMPORT_MAP,
      })
    });
const outcome = await discovery.discover([${JSON.stringify(place.root)}]);
console.log(JSON.stringify({ cache: outcome.cache, statuses: outcome.modules.map((m) => m.status) }));
`,
  );
  const args = ["run", "--no-lock", "--no-prompt", "--cached-only", "--no-check", ...permissions];
  const output = await new Deno.Command("deno", {
    args: [...args, "--config", `${place.base}/deno.json`, `${place.base}/main.ts`],
  }).output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code: output.code, out: decode(output.stdout), error: decode(output.stderr) };
}

const HEAVY = ["@babel/parser", "zod", "es-module-lexer"];

Deno.test("case 56: a second run with unchanged files loads no parser and starts no process", async () => {
  using place = new Playground("basic");
  const first = await discoverInProcess(place, []);
  assert.equal(
    first.out,
    '{"cache":{"hits":0,"misses":4},"statuses":["registered","no_tools","registered","registered"]}\n',
    first.error,
  );
  const second = await discoverInProcess(place, HEAVY);
  assert.equal(
    second.out,
    '{"cache":{"hits":4,"misses":0},"statuses":["registered","no_tools","registered","registered"]}\n',
    second.error,
  );
  // The twin: with one file changed the banned parser is asked for, and the file fails.
  place.write("alpha.ts", toolText("changed"));
  const third = await discoverInProcess(place, HEAVY);
  assert.equal(
    third.out,
    '{"cache":{"hits":3,"misses":1},"statuses":["failed","no_tools","registered","registered"]}\n',
    third.error,
  );
});

Deno.test("case 56: a verdict holds only while every file of the closure is unchanged", async () => {
  using place = new Playground("basic");
  await place.discover();
  place.write("weather/_unit.ts", 'export const unit = "F";');
  const second = await place.discover();
  assert.deepEqual(second.cache, { hits: 3, misses: 1 });
  assert.deepEqual(toolNames(moduleAt(second, "weather/tool.ts")), ["weather"]);
});

Deno.test("a missing import that appears is noticed although the module is unchanged", async () => {
  using place = new Playground();
  place.write("one.ts", toolText("one", 'import "./_helper.ts";'));
  assert.equal((await place.discover()).modules[0]?.status, "failed");
  assert.deepEqual((await place.discover()).cache, { hits: 1, misses: 0 });
  place.write("_helper.ts", "export {};");
  const third = await place.discover();
  assert.deepEqual([third.cache.misses, third.modules[0]?.status], [1, "registered"]);
});

Deno.test("failed modules come out of the manifest with the same diagnostics", async () => {
  using place = new Playground("imports");
  const first = await place.discover();
  const second = await place.discover();
  assert.equal(second.cache.misses, 0);
  assert.deepEqual(second.modules, first.modules);
});

Deno.test("removed files vanish from the outcome and from the manifest", async () => {
  using place = new Playground("basic");
  await place.discover();
  Deno.removeSync(`${place.dir}/alpha.ts`);
  const outcome = await place.discover();
  assert.equal(outcome.modules.some(({ path }) => path.endsWith("alpha.ts")), false);
  assert.equal(
    Deno.readTextFileSync(`${place.cacheDir}/${MANIFEST_FILE}`).includes("alpha.ts"),
    false,
  );
});

Deno.test("the manifest is written only when something changed", async () => {
  using place = new Playground("basic");
  await place.discover();
  const before = Deno.statSync(`${place.cacheDir}/${MANIFEST_FILE}`);
  await place.discover();
  assert.equal(Deno.statSync(`${place.cacheDir}/${MANIFEST_FILE}`).ino, before.ino);
  place.write("delta.ts", toolText("delta"));
  await place.discover();
  assert.notEqual(Deno.statSync(`${place.cacheDir}/${MANIFEST_FILE}`).ino, before.ino);
});

Deno.test("another import map makes the manifest worthless", async () => {
  using place = new Playground("basic");
  await place.discover();
  const importMap = { ...IMPORT_MAP, extra: "npm:zod@4.6.7" };
  assert.deepEqual((await place.discover({ importMap })).cache, { hits: 0, misses: 4 });
});

/** Puts a changed body under a seal that fits, as only who has the secret can. */
async function forge(
  text: string,
  { keyFile }: Playground,
  change: (verdicts: Record<string, unknown>[]) => void,
): Promise<string> {
  const { key, verdicts } = JSON.parse(text);
  change(verdicts);
  const body = JSON.stringify(verdicts);
  const secret = await loadManifestKey(keyFile);
  const seal = await sealText(secret!, `${key} - ${body}`);
  return `{"version":2,"key":"${key}","seal":"${seal}","verdicts":${body}}`;
}

const DAMAGES: Readonly<
  Record<string, (text: string, place: Playground) => string | Promise<string>>
> = {
  "is empty": () => "",
  "is not JSON": () => "{ not json",
  "is cut off": (text) => text.slice(0, -200),
  "has a flipped byte": (text) => text.replace("A tool of", "B tool of"),
  "has another version": (text) => text.replace('"version":2', '"version":3'),
  "has another hash of everything": (text) => text.replace(/"bytes":"./, '"bytes":"z'),
  "is sealed by a hash that anybody can make": async (text) => {
    const { key, verdicts } = JSON.parse(text);
    const body = JSON.stringify(verdicts);
    return `{"version":2,"key":"${key}","seal":"${await hashText(
      `${key} - ${body}`,
    )}","verdicts":${body}}`;
  },
  "has another key": (text) => text.replace(/"key":"./, '"key":"z'),
  "has a verdict of the wrong type": (text, place) =>
    forge(text, place, (all) => all.splice(0, 1, 7 as never)),
  "has an unknown status": (text, place) =>
    forge(text, place, ([first]) => first!.status = "trusted"),
  "has a path that climbs": (text, place) =>
    forge(text, place, (all) => {
      const verdict = all.find((item) => item.closure !== undefined)!;
      (verdict.inputs as Record<string, unknown>[]).push({
        relative: "../../x.ts",
        state: "0".repeat(64),
      });
    }),
  "has a tool without a name": (text, place) =>
    forge(text, place, (all) => {
      const verdict = all.find((item) => item.closure !== undefined)!;
      verdict.tools = [{ declaration: { toolset: "x" }, line: 1, column: 1 }];
    }),
  "has tools without a closure": (text, place) =>
    forge(text, place, (all) => all.forEach((item) => delete item.closure)),
};

for (const [what, damage] of Object.entries(DAMAGES)) {
  Deno.test(`A27: a manifest that ${what} means a full scan and is replaced`, async () => {
    using place = new Playground("basic");
    const first = await place.discover();
    const file = `${place.cacheDir}/${MANIFEST_FILE}`;
    const good = Deno.readTextFileSync(file);
    Deno.writeTextFileSync(file, await damage(good, place));
    const second = await place.discover();
    assert.deepEqual(second.cache, { hits: 0, misses: 4 });
    assert.deepEqual(second.modules, first.modules);
    assert.equal(Deno.readTextFileSync(file), good);
  });
}

Deno.test("A27: the forging of the tests above is not what makes them pass", async () => {
  using place = new Playground("basic");
  await place.discover();
  const file = `${place.cacheDir}/${MANIFEST_FILE}`;
  Deno.writeTextFileSync(file, await forge(Deno.readTextFileSync(file), place, () => {}));
  assert.deepEqual((await place.discover()).cache, { hits: 4, misses: 0 });
});

Deno.test("A30: a manifest is worth nothing without its secret, and without a place for one there is none", async () => {
  using place = new Playground("basic");
  const none = { hits: 0, misses: 4 };
  await place.discover();
  assert.equal((Deno.statSync(place.keyFile).mode ?? 0) & 0o777, 0o600);
  assert.deepEqual((await place.discover()).cache, { hits: 4, misses: 0 });
  Deno.removeSync(place.keyFile);
  assert.deepEqual((await place.discover()).cache, none);
  assert.deepEqual((await place.discover()).cache, { hits: 4, misses: 0 });
  Deno.writeTextFileSync(place.keyFile, "short");
  assert.deepEqual((await place.discover()).cache, none);
  assert.deepEqual((await place.discover()).cache, { hits: 4, misses: 0 });
  assert.deepEqual(
    (await place.discover({ keyFile: `${place.keyFile}/under/a/file` })).cache,
    none,
  );
  assert.deepEqual((await place.discover({ keyFile: undefined })).cache, none);
  assert.deepEqual((await place.discover()).cache, { hits: 4, misses: 0 });
});

Deno.test("A27: a cache folder that cannot be written works, from a temporary folder", async () => {
  using place = new Playground("basic");
  // A file where the folder should be: nobody can write into it, not even root.
  Deno.writeTextFileSync(place.cacheDir, "");
  using discovery = place.discovery();
  const outcome = await discovery.discover([place.root]);
  const alpha = moduleAt(outcome, "alpha.ts");
  assert.deepEqual(toolNames(alpha), ["alpha"]);
  assert.deepEqual(alpha.diagnostics.map(({ severity, code }) => [severity, code]), [[
    "info",
    "cache_not_writable",
  ]]);
  const stored = alpha.admitted?.files[0]?.stored ?? "";
  assert.equal(Deno.readTextFileSync(stored), Deno.readTextFileSync(alpha.path));
  const folder = stored.slice(0, stored.indexOf(`/${alpha.admitted?.integrity}`));
  assert.equal((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
  assert.equal((await discovery.discover([place.root])).modules.length, 4);
  discovery[Symbol.dispose]();
  assert.throws(() => Deno.statSync(folder), Deno.errors.NotFound);
});

Deno.test("A27: two discoveries at the same time leave a good manifest", async () => {
  using place = new Playground("basic");
  const outcomes = await Promise.all([place.discover(), place.discover(), place.discover()]);
  for (const outcome of outcomes) assert.deepEqual(outcome.modules, outcomes[0]?.modules);
  assert.deepEqual((await place.discover()).cache, { hits: 4, misses: 0 });
  const left = [...Deno.readDirSync(place.cacheDir)].map(({ name }) => name).toSorted();
  assert.deepEqual(left, [MANIFEST_FILE, "store"]);
});

Deno.test("a manifest that was written after a look at one file is completed by the next start", async () => {
  using place = new Playground("basic");
  using discovery = place.discovery();
  const before = moduleAt(await discovery.discover([place.root]), "alpha.ts");
  const file = `${place.cacheDir}/${MANIFEST_FILE}`;
  const isWhole = () => Deno.readTextFileSync(file).includes('"bytes":"');
  assert.equal(isWhole(), true);
  place.write("alpha.ts", toolText("changed"));
  await discovery.rescan(before);
  assert.equal(isWhole(), false);
  assert.deepEqual((await place.discover()).cache, { hits: 4, misses: 0 });
  assert.equal(isWhole(), true);
  assert.deepEqual((await place.discover()).cache, { hits: 4, misses: 0 });
});

Deno.test("bytes that move from one file to the next are a change", async () => {
  using place = new Playground();
  place.write("a.ts", "// 1\n// 2\n");
  place.write("b.ts", "// 3\n");
  assert.deepEqual((await place.discover()).cache, { hits: 0, misses: 2 });
  place.write("a.ts", "// 1\n");
  place.write("b.ts", "// 2\n// 3\n");
  assert.deepEqual((await place.discover()).cache, { hits: 0, misses: 2 });
});
