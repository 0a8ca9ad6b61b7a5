import assert from "node:assert/strict";
import { type Arena, openArena, SECRET, succeeded } from "./_arena.ts";

const FILES = ["changes.ts", "_part.ts"] as const;

let arena: Arena;
let original: Readonly<Record<string, string>>;

Deno.test.beforeAll(async () => {
  arena = await openArena("a17");
  original = Object.fromEntries(
    FILES.map((file) => [file, Deno.readTextFileSync(`${arena.root}/${file}`)]),
  );
});
Deno.test.afterAll(async () => await arena[Symbol.asyncDispose]());

// Each test starts from the admitted files, called once, so that their worker is warm.
Deno.test.beforeEach(async () => {
  for (const file of FILES) await restore(file);
  await arena.runtime.discover();
  assert.equal(succeeded(await arena.call("changes")).content, "admitted");
});

async function restore(file: string): Promise<void> {
  await Deno.remove(`${arena.root}/${file}`, { recursive: true }).catch(() => {});
  await Deno.writeTextFile(`${arena.root}/${file}`, original[file]!);
}

async function refuses(): Promise<void> {
  const { result } = await arena.contain("changes", {}, { code: "integrity_changed" });
  assert.equal(result.end, "never_started");
}

Deno.test("attack [A17] a file that now declares other grants: contained", async () => {
  const text = original["changes.ts"]!.replace(
    "handler:",
    'permissions: { read: ["/"] },\n  handler:',
  );
  await Deno.writeTextFile(`${arena.root}/changes.ts`, text);
  await refuses();
});

Deno.test("attack [A17] a file that now declares another schema: contained", async () => {
  const text = original["changes.ts"]!.replace('"object" }', '"object", properties: { a: {} } }');
  await Deno.writeTextFile(`${arena.root}/changes.ts`, text);
  await refuses();
});

Deno.test("attack [A17] a file that now imports what is refused: contained", async () => {
  const import_ = `import secret from "${arena.outside}/secret.ts";\n`;
  await Deno.writeTextFile(`${arena.root}/_part.ts`, `${import_}export const word = secret;\n`);
  await refuses();
});

Deno.test("attack [A17] a file that no longer parses: contained", async () => {
  await Deno.writeTextFile(`${arena.root}/changes.ts`, "registry.register({");
  await refuses();
});

for (const file of FILES) {
  Deno.test(`attack [A17] ${file} replaced by a link to the outside: contained`, async () => {
    await Deno.writeTextFile(`${arena.base}/foreign.ts`, `export const word = "${SECRET}";\n`);
    await Deno.remove(`${arena.root}/${file}`);
    await Deno.symlink(`${arena.base}/foreign.ts`, `${arena.root}/${file}`);
    await refuses();
  });

  Deno.test(`attack [A17] ${file} deleted: contained`, async () => {
    await Deno.remove(`${arena.root}/${file}`);
    await refuses();
  });

  Deno.test(`attack [A17] ${file} replaced by a folder: contained`, async () => {
    await Deno.remove(`${arena.root}/${file}`);
    await Deno.mkdir(`${arena.root}/${file}`);
    await refuses();
  });
}

// The worker must not be there yet: a warm one never reads the copy again.
async function tamper(change: (copy: string, cold: Arena) => Promise<void>): Promise<void> {
  await using cold = await openArena("a17");
  const { handler } = cold.runtime.registry.getEntry("changes")!;
  assert.ok(handler.kind === "module");
  const copy = `${handler.folder}/_part.ts`;
  await Deno.chmod(copy.slice(0, copy.lastIndexOf("/")), 0o700);
  await Deno.chmod(copy, 0o600);
  await change(copy, cold);
  const result = await cold.call("changes");
  assert.doesNotMatch(JSON.stringify(result), /tampered/);
  if (result.ok) assert.equal(result.content, "admitted");
  else assert.equal(result.error.code, "integrity_changed");
  await cold.goesOn();
}

Deno.test("attack [A17] the checked copy in the store changed: contained", () =>
  tamper((copy) => Deno.writeTextFile(copy, 'export const word = "tampered";\n')));

Deno.test("attack [A17] the checked copy in the store replaced by a link: contained", () =>
  tamper(async (copy, { base }) => {
    await Deno.writeTextFile(`${base}/foreign.ts`, 'export const word = "tampered";\n');
    await Deno.remove(copy);
    await Deno.symlink(`${base}/foreign.ts`, copy);
  }));

Deno.test("attack [A17] a file that keeps its size and its times: contained", async () => {
  const path = `${arena.root}/_part.ts`;
  const { mtime, atime } = await Deno.stat(path);
  await Deno.writeTextFile(path, original["_part.ts"]!.replace("admitted", "tampered"));
  await Deno.utime(path, atime!, mtime!);
  const { generation } = arena.runtime.registry;
  const result = succeeded(await arena.call("changes"));
  // Never old code under a new table or the other way round: it was seen, scanned and admitted anew.
  assert.equal(result.content, "tampered");
  assert.ok(result.generation > generation);
});

Deno.test("attack [A17] twin an edit that changes neither declaration nor grants runs anew", async () => {
  const { generation } = arena.runtime.registry;
  await Deno.writeTextFile(`${arena.root}/_part.ts`, 'export const word = "edited";\n');
  const result = succeeded(await arena.call("changes"));
  assert.equal(result.content, "edited");
  assert.ok(result.generation > generation);
});
