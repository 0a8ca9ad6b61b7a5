import assert from "node:assert/strict";
import { hashBytes, hashClosure } from "../../registry/hash.ts";
import { MANIFEST_FILE } from "../../registry/manifest.ts";
import { ModuleStore, type StoreRequest } from "../../registry/store.ts";
import { stampCopies } from "../../registry/store_stamp.ts";
import { moduleAt, Playground, toolText } from "./discovery_support.ts";

/** The stored copy of the weather tool's helper. */
async function storedHelper(place: Playground): Promise<string> {
  const { admitted } = moduleAt(await place.discover(), "weather/tool.ts");
  return admitted?.files[1]?.stored ?? "";
}

Deno.test("ModuleStore keeps copies in a private folder that cannot be written by accident", async () => {
  using place = new Playground("basic");
  const stored = await storedHelper(place);
  const modes = [`${place.cacheDir}/store`, stored].map((path) =>
    (Deno.statSync(path).mode ?? 0) & 0o777
  );
  assert.deepEqual(modes, [0o700, 0o400]);
});

Deno.test("ModuleStore closes a folder that others may enter", async () => {
  using place = new Playground("basic");
  Deno.mkdirSync(`${place.cacheDir}/store`, { recursive: true });
  Deno.chmodSync(`${place.cacheDir}/store`, 0o777);
  await place.discover();
  assert.equal((Deno.statSync(`${place.cacheDir}/store`).mode ?? 0) & 0o777, 0o700);
});

const TAMPERING: Readonly<Record<string, (stored: string, place: Playground) => void>> = {
  "has other bytes": (stored) => {
    Deno.chmodSync(stored, 0o600);
    Deno.writeTextFileSync(stored, "throw 1;");
  },
  "is gone": (stored) => Deno.removeSync(stored),
  "is a link": (stored, place) => {
    Deno.removeSync(stored);
    Deno.writeTextFileSync(`${place.base}/evil.ts`, 'export const unit = "C";\n');
    Deno.symlinkSync(`${place.base}/evil.ts`, stored);
  },
  "is a folder": (stored) => {
    Deno.removeSync(stored);
    Deno.mkdirSync(`${stored}/x`, { recursive: true });
  },
  "lies behind a link": (stored, place) => {
    const folder = stored.slice(0, stored.lastIndexOf("/"));
    Deno.renameSync(folder, `${place.base}/moved`);
    Deno.symlinkSync(`${place.base}/moved`, folder);
  },
};

for (const [what, tamper] of Object.entries(TAMPERING)) {
  Deno.test(`A27: a stored copy that ${what} is replaced before it is trusted`, async () => {
    using place = new Playground("basic");
    const stored = await storedHelper(place);
    tamper(stored, place);
    const outcome = await place.discover();
    assert.deepEqual(outcome.cache, { hits: 4, misses: 0 });
    assert.equal(Deno.realPathSync(stored), stored);
    assert.equal(Deno.lstatSync(stored).isFile, true);
    assert.equal(Deno.readTextFileSync(stored), 'export const unit = "C";\n');
  });
}

Deno.test("A27: the store may be thrown away while the manifest stays", async () => {
  using place = new Playground("basic");
  const stored = await storedHelper(place);
  Deno.removeSync(`${place.cacheDir}/store`, { recursive: true });
  assert.deepEqual((await place.discover()).cache, { hits: 4, misses: 0 });
  assert.equal(Deno.readTextFileSync(stored), 'export const unit = "C";\n');
});

Deno.test("A27: a store that is a link is not used", async () => {
  using place = new Playground("basic");
  Deno.mkdirSync(place.cacheDir);
  Deno.mkdirSync(`${place.base}/elsewhere`);
  Deno.symlinkSync(`${place.base}/elsewhere`, `${place.cacheDir}/store`);
  using discovery = place.discovery();
  const outcome = await discovery.discover([place.root]);
  assert.equal(moduleAt(outcome, "alpha.ts").diagnostics[0]?.code, "cache_not_writable");
  assert.deepEqual([...Deno.readDirSync(`${place.base}/elsewhere`)], []);
});

Deno.test("a refused closure leaves no copy in the store", async () => {
  using place = new Playground();
  place.write("one.ts", toolText("one"));
  const graph = {
    name: "refusing",
    read: () => Promise.resolve([{ ok: true as const, files: new Map() }]),
  };
  const [module] = (await place.discover({ graph })).modules;
  assert.equal(module?.status, "failed");
  assert.deepEqual([...Deno.readDirSync(`${place.cacheDir}/store`)], []);
  assert.equal(Deno.statSync(`${place.cacheDir}/${MANIFEST_FILE}`).isFile, true);
});

Deno.test("hashClosure() depends on paths, bytes and entry, not on the order", async () => {
  const a = { relative: "a.ts", hash: "1".repeat(64) };
  const b = { relative: "b.ts", hash: "2".repeat(64) };
  const base = await hashClosure("a.ts", [a, b]);
  assert.equal(await hashClosure("a.ts", [b, a]), base);
  const others = await Promise.all([
    hashClosure("b.ts", [a, b]),
    hashClosure("a.ts", [a]),
    hashClosure("a.ts", [a, { ...b, relative: "c.ts" }]),
    hashClosure("a.ts", [a, { ...b, hash: a.hash }]),
  ]);
  assert.equal(new Set([base, ...others]).size, 5);
});

Deno.test("A27: a copy that was found to be changed is read again, whatever the disk says of it", async () => {
  using place = new Playground("basic");
  using store = new ModuleStore(place.cacheDir);
  const bytes = new TextEncoder().encode("export {};\n");
  const hash = await hashBytes(bytes);
  const file = { relative: "a.ts", real: "/tools/a.ts", hash, bytes };
  const request = { path: "/tools/a.ts", integrity: "1".repeat(64), files: [file] };
  const admitted = await store.admit(request);
  const stamp = store.stamp(request.integrity, ["a.ts"]) ?? "";
  assert.deepEqual(store.recall(request, stamp), admitted);
  assert.equal(store.recall(request, `${stamp}0`), undefined);
  store.forget(admitted);
  assert.equal(store.recall(request, stamp), undefined);
  assert.deepEqual(await store.admit(request), admitted);
  assert.deepEqual(store.recall(request, stamp), admitted);
});

Deno.test("ModuleStore.stamp() changes with the bytes of a copy, and is nothing for links", async () => {
  using place = new Playground("basic");
  const stored = await storedHelper(place);
  const folder = stored.slice(0, stored.lastIndexOf("/weather/"));
  const stamp = () => stampCopies(folder, ["weather/tool.ts", "weather/_unit.ts"]);
  const before = stamp();
  assert.match(before ?? "", /^\S+ \S+$/);
  assert.equal(stamp(), before);
  Deno.chmodSync(stored, 0o600);
  Deno.writeTextFileSync(stored, "throw 1;");
  assert.notEqual(stamp(), before);
  Deno.renameSync(`${folder}/weather`, `${place.base}/moved`);
  Deno.symlinkSync(`${place.base}/moved`, `${folder}/weather`);
  assert.equal(stamp(), undefined);
});

/** A closure of one file. */
async function closureOf(name: string): Promise<StoreRequest> {
  const bytes = new TextEncoder().encode(`export const name = "${name}";\n`);
  const hash = await hashBytes(bytes);
  const file = { relative: `${name}.ts`, real: `/tools/${name}.ts`, hash, bytes };
  return { path: file.real, integrity: hash, files: [file] };
}

Deno.test("ModuleStore tries the cache folder again for each admission, and lets its temporary folder go with its last user", async () => {
  using place = new Playground();
  using store = new ModuleStore(place.cacheDir);
  Deno.writeTextFileSync(place.cacheDir, "in the way");
  const requests = await Promise.all(["a", "b", "c"].map(closureOf));
  const [a, b] = [await store.admit(requests[0]!), await store.admit(requests[1]!)];
  const folder = (stored = "") => stored.slice(0, stored.lastIndexOf("/"));
  const temporary = folder(folder(a.files[0]?.stored));
  assert.deepEqual([store.isTemporary(a), store.isTemporary(b)], [true, true]);
  assert.equal(store.stamp(a.integrity, ["a.ts"]), undefined);
  Deno.removeSync(place.cacheDir);
  const c = await store.admit(requests[2]!);
  assert.equal(c.url, `file://${place.cacheDir}/store/${c.integrity}/c.ts`);
  // What another module may still run stays, for as long as in the cache folder.
  store.pruneTemporary([b, c]);
  assert.ok(Deno.statSync(a.files[0]!.stored).isFile);
  const old = new Date(Date.now() - 8 * 24 * 60 * 60 * 1_000);
  for (const { integrity } of [a, b]) Deno.utimeSync(`${temporary}/${integrity}`, old, old);
  store.pruneTemporary([b, c]);
  assert.deepEqual([...Deno.readDirSync(temporary)].map(({ name }) => name), [b.integrity]);
  const moved = await store.admit(requests[1]!);
  assert.equal(store.isTemporary(moved), false);
  assert.notEqual(store.stamp(moved.integrity, ["b.ts"]), undefined);
  store.pruneTemporary([moved, c]);
  assert.throws(() => Deno.statSync(temporary), Deno.errors.NotFound);
  assert.equal(store.hasTemporary, false);
});

Deno.test("A27: a copy in the cache folder gets no stamp while the one that was checked is in the temporary folder", async () => {
  using place = new Playground();
  using store = new ModuleStore(place.cacheDir);
  const request = await closureOf("a");
  const first = await store.admit(request);
  const dir = `${place.cacheDir}/store`;
  Deno.renameSync(dir, `${place.base}/moved`);
  Deno.writeTextFileSync(dir, "in the way");
  assert.equal(store.isTemporary(await store.admit(request)), true);
  Deno.removeSync(dir);
  Deno.renameSync(`${place.base}/moved`, dir);
  Deno.chmodSync(first.files[0]!.stored, 0o600);
  Deno.writeTextFileSync(first.files[0]!.stored, "throw 1;");
  await store.admit(await closureOf("b"));
  assert.equal(store.stamp(request.integrity, ["a.ts"]), undefined);
  const again = await store.admit(request);
  assert.deepEqual(again, first);
  assert.equal(Deno.readTextFileSync(first.files[0]!.stored), 'export const name = "a";\n');
});

Deno.test("discover() removes copies that nothing refers to once they are old", async () => {
  using place = new Playground();
  place.write("one.ts", toolText("one"));
  const first = moduleAt(await place.discover(), "one.ts").admitted?.integrity ?? "";
  place.write("one.ts", toolText("two"));
  const second = moduleAt(await place.discover(), "one.ts").admitted?.integrity ?? "";
  const names = () => [...Deno.readDirSync(`${place.cacheDir}/store`)].map(({ name }) => name);
  assert.deepEqual(names().toSorted(), [first, second].toSorted());
  const old = new Date(Date.now() - 8 * 24 * 60 * 60 * 1_000);
  for (const name of [first, second]) Deno.utimeSync(`${place.cacheDir}/store/${name}`, old, old);
  place.write("other.ts", toolText("other"));
  const other = moduleAt(await place.discover(), "other.ts").admitted?.integrity ?? "";
  assert.deepEqual(names().toSorted(), [second, other].toSorted());
});
