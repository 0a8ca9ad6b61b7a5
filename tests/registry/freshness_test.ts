import assert from "node:assert/strict";
import type { AdmittedModule } from "../../registry/discovery_types.ts";
import { hasCopies, isFresh } from "../../registry/freshness.ts";
import { moduleAt, Playground, toolText } from "./discovery_support.ts";

async function admittedWeather(place: Playground): Promise<AdmittedModule> {
  const { admitted } = moduleAt(await place.discover(), "weather/tool.ts");
  assert.ok(admitted);
  assert.equal(isFresh(admitted), "fresh");
  return admitted;
}

const OLD = new Date(1_600_000_000_000);

const CHANGES: Readonly<Record<string, [(place: Playground) => void, string]>> = {
  "was edited": [(place) => void place.write("weather/tool.ts", toolText("other")), "changed"],
  "imports a file that was edited": [
    (place) => void place.write("weather/_unit.ts", 'export const unit = "F";\n'),
    "changed",
  ],
  "was replaced by a link": [(place) => {
    Deno.renameSync(`${place.dir}/weather/tool.ts`, `${place.base}/moved.ts`);
    Deno.symlinkSync(`${place.base}/moved.ts`, `${place.dir}/weather/tool.ts`);
  }, "changed"],
  "lies in a folder that became a link": [(place) => {
    Deno.renameSync(`${place.dir}/weather`, `${place.base}/moved`);
    Deno.symlinkSync(`${place.base}/moved`, `${place.dir}/weather`);
  }, "changed"],
  "was deleted": [(place) => Deno.removeSync(`${place.dir}/weather/tool.ts`), "missing"],
  "imports a file that was deleted": [
    (place) => Deno.removeSync(`${place.dir}/weather/_unit.ts`),
    "missing",
  ],
  "became a folder": [(place) => {
    Deno.removeSync(`${place.dir}/weather/tool.ts`);
    Deno.mkdirSync(`${place.dir}/weather/tool.ts`);
  }, "changed"],
  "was only touched": [
    (place) => Deno.utimeSync(`${place.dir}/weather/tool.ts`, OLD, OLD),
    "fresh",
  ],
  "was written anew with the same bytes": [(place) => {
    const path = `${place.dir}/weather/tool.ts`;
    const text = Deno.readTextFileSync(path);
    Deno.removeSync(path);
    Deno.writeTextFileSync(path, text);
  }, "fresh"],
};

for (const [what, [change, expected]] of Object.entries(CHANGES)) {
  Deno.test(`A17: isFresh() says ${expected} when the module ${what}`, async () => {
    using place = new Playground("basic");
    const admitted = await admittedWeather(place);
    change(place);
    assert.equal(isFresh(admitted), expected);
  });
}

Deno.test("A17: isFresh() sees other bytes of the same size right after a look", async () => {
  using place = new Playground("basic");
  const admitted = await admittedWeather(place);
  const path = `${place.dir}/weather/_unit.ts`;
  const { atime, mtime } = Deno.statSync(path);
  Deno.writeTextFileSync(path, 'export const unit = "F";\n');
  Deno.utimeSync(path, atime ?? OLD, mtime ?? OLD);
  assert.equal(isFresh(admitted), "changed");
});

Deno.test("A17: isFresh() sees that a tool folder named by a link leads elsewhere", async () => {
  using place = new Playground("basic");
  const dir = `${place.base}/link`;
  Deno.symlinkSync(place.dir, dir);
  using discovery = place.discovery();
  const outcome = await discovery.discover([{ dir, owner: "user" }]);
  const { admitted } = moduleAt(outcome, "alpha.ts");
  assert.ok(admitted);
  assert.deepEqual([isFresh(admitted), isFresh(admitted)], ["fresh", "fresh"]);
  Deno.removeSync(dir);
  Deno.mkdirSync(dir);
  Deno.copyFileSync(`${place.dir}/alpha.ts`, `${dir}/alpha.ts`);
  assert.equal(isFresh(admitted), "changed");
});

Deno.test("A17: isFresh() looks at the stored copy too, and restore() puts it back", async () => {
  using place = new Playground("basic");
  using discovery = place.discovery();
  const admitted = await admittedWeather(place);
  const stored = admitted.files[1]?.stored ?? "";
  const losses = [
    () => Deno.removeSync(stored),
    () => {
      Deno.chmodSync(stored, 0o600);
      Deno.writeTextFileSync(stored, 'export const unit = "F";\n');
    },
    () => Deno.removeSync(place.cacheDir, { recursive: true }),
  ];
  for (const lose of losses) {
    lose();
    assert.deepEqual([isFresh(admitted), hasCopies(admitted)], ["lost", false]);
    assert.equal(await discovery.restore(admitted), true);
    assert.deepEqual([isFresh(admitted), hasCopies(admitted)], ["fresh", true]);
    assert.equal(Deno.readTextFileSync(stored), 'export const unit = "C";\n');
  }
});

Deno.test("A17: restore() puts nothing back from an original that has other bytes", async () => {
  using place = new Playground("basic");
  using discovery = place.discovery();
  const admitted = await admittedWeather(place);
  Deno.removeSync(place.cacheDir, { recursive: true });
  place.write("weather/_unit.ts", 'export const unit = "F";\n');
  assert.equal(isFresh(admitted), "changed");
  assert.equal(await discovery.restore(admitted), false);
  assert.throws(() => Deno.statSync(place.cacheDir), Deno.errors.NotFound);
});

Deno.test("A17: rescan() makes a fresh module of a changed copy and of a changed original", async () => {
  using place = new Playground("basic");
  using discovery = place.discovery();
  const before = moduleAt(await discovery.discover([place.root]), "weather/tool.ts");
  const stored = before.admitted?.files[1]?.stored ?? "";
  Deno.chmodSync(stored, 0o600);
  Deno.writeTextFileSync(stored, "throw 1;");
  const repaired = await discovery.rescan(before);
  assert.deepEqual(repaired.admitted, before.admitted);
  assert.equal(repaired.admitted && isFresh(repaired.admitted), "fresh");
  place.write("weather/_unit.ts", 'export const unit = "F";\n');
  const edited = await discovery.rescan(before);
  assert.equal(edited.admitted && isFresh(edited.admitted), "fresh");
  assert.notEqual(edited.admitted?.integrity, before.admitted?.integrity);
});
