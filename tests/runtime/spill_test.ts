import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { previewOf, type ShapedResult, shapeResult } from "../../runtime/budget.ts";
import { safeFileStem } from "../../runtime/file_stem.ts";
import { isUntrustedSpill, SpillStore } from "../../runtime/spill.ts";

const CALL = { name: "fetch", callId: "call-1" };

async function inFolder(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "cloister_spill_" });
  try {
    await work(dir);
  } finally {
    await Deno.chmod(dir, 0o700);
    await Deno.remove(dir, { recursive: true });
  }
}

async function bounded(
  content: string,
  limit: number,
  store?: SpillStore,
): Promise<ShapedResult> {
  return await shapeResult({ content }, { ...CALL, limit, store });
}

Deno.test("shapeResult() [case 114] spills 100,001 characters and passes 100,000", () =>
  inFolder(async (dir) => {
    const store = new SpillStore(join(dir, "spill"));
    const fits = "x".repeat(100_000);
    assert.deepEqual(await bounded(fits, 100_000, store), { content: fits });
    const long = "y".repeat(100_001);
    const { content, spilled } = await bounded(long, 100_000, store);
    assert.ok(spilled);
    assert.deepEqual([spilled.chars, spilled.previewChars], [100_001, 1_500]);
    assert.equal(await Deno.readTextFile(spilled.path), long);
    assert.match(content, /100,001 characters/);
    assert.ok(content.includes(spilled.path) && content.includes("read_file"));
    assert.ok(content.includes("y".repeat(1_500)) && !content.includes("y".repeat(1_501)));
    assert.deepEqual(await bounded(long, Infinity, store), { content: long });
  }));

Deno.test("previewOf() cuts at the last line feed past half, never in a character", () => {
  assert.equal(previewOf("a".repeat(900) + "\n" + "b".repeat(900), 1_500), "a".repeat(900) + "\n");
  assert.equal(previewOf("a".repeat(100) + "\n" + "b".repeat(1_900), 1_500).length, 1_500);
  assert.equal(previewOf("a".repeat(1_499) + "🔢" + "b", 1_500), "a".repeat(1_499));
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, chars) => {
    const preview = previewOf(text, chars);
    assert.ok(text.startsWith(preview) && preview.length <= chars);
    assert.equal(preview.isWellFormed(), true);
  }));
});

Deno.test("safeFileStem() [case 117] makes a safe name with a hash of any id", () => {
  assert.equal(safeFileStem("fetch-call_1"), "fetch-call_1");
  assert.match(safeFileStem("../../x"), /^______x-[0-9a-f]{12}$/);
  assert.notEqual(safeFileStem("../../x"), safeFileStem("..|..|x"));
  assert.match(safeFileStem(""), /^result-[0-9a-f]{12}$/);
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (id) => {
    assert.match(safeFileStem(id), /^[A-Za-z0-9_-]{1,133}$/);
  }));
});

Deno.test("SpillStore.spill() writes a private whole file below its folder", () =>
  inFolder(async (dir) => {
    const store = new SpillStore(join(dir, "spill"));
    const text = "ñ🔢\n".repeat(1_000);
    const file = await store.spill("../../t", text);
    assert.ok(file);
    assert.equal(file.chars, text.length);
    assert.ok(file.path.startsWith(join(dir, "spill") + "/"));
    assert.equal(await Deno.readTextFile(file.path), text);
    assert.equal((await Deno.stat(file.path)).mode! & 0o777, 0o600);
    assert.equal((await Deno.stat(store.dir)).mode! & 0o777, 0o700);
    const again = await store.spill("../../t", "other");
    assert.notEqual(again?.path, file.path);
    assert.equal(await Deno.readTextFile(file.path), text);
    const stranger = await store.spill("t", "a\nlonger\nb", { untrusted: true });
    assert.match(stranger!.id, /^t-[0-9a-f]{32}\.untrusted$/);
    assert.equal(stranger!.longestLine, 6);
    assert.ok(isUntrustedSpill(stranger!.path) && !isUntrustedSpill(file.path));
    // All in one folder, whatever the names.
    const names = [...Deno.readDirSync(store.dir)];
    assert.deepEqual([names.length, names.every(({ isFile }) => isFile)], [3, true]);
  }));

Deno.test("SpillStore.spill() fails softly, and the model is told (A27)", () =>
  inFolder(async (dir) => {
    await Deno.writeTextFile(join(dir, "file"), "");
    const store = new SpillStore(join(dir, "file", "spill"));
    assert.equal(await store.spill("t", "x"), undefined);
    const { content, spilled } = await bounded("z".repeat(3_000), 2_000, store);
    assert.equal(spilled, undefined);
    assert.match(content, /could not be saved/);
    const none = await bounded("z".repeat(3_000), 2_000);
    assert.equal(none.content, content);
  }));

Deno.test("SpillStore.prune() removes what is older than a day and nothing else", () =>
  inFolder(async (dir) => {
    const store = new SpillStore(dir);
    const old = (await store.spill("t", "x"))!.path;
    const fresh = (await store.spill("t", "x"))!.path;
    const other = join(dir, "notes.md");
    await Deno.writeTextFile(other, "x");
    const today = (await store.spill("t", "x"))!.path;
    const age = async (path: string, hours: number): Promise<void> => {
      const time = new Date(Date.now() - hours * 3_600_000);
      await Deno.utime(path, time, time);
    };
    await age(old, 24.1);
    await age(today, 23.9);
    await age(other, 25);
    assert.equal(await store.prune(), 1);
    await assert.rejects(Deno.stat(old));
    await Deno.stat(fresh);
    await Deno.stat(today);
    await Deno.stat(other);
    assert.equal(await new SpillStore(join(dir, "none")).prune(), 0);
  }));
