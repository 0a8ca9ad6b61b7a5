import assert from "node:assert/strict";
import { CellFiles } from "../../runtime/cell_files.ts";
import { EPOCH, FakeClock } from "../registry/availability/_fake_clock.ts";
import { until } from "../workers/_wait.ts";
import { startRuntime, toolFile } from "./_runtime.ts";

/** What a download depends on, as variables of this process. */
const VARIABLES = ["DENO_DIR", "NPM_CONFIG_REGISTRY"] as const;

interface Bench {
  readonly files: CellFiles;
  readonly clock: FakeClock;
  readonly cacheDir: string;
  readonly faults: readonly string[];
  /** Whether packages can be had: otherwise nobody listens at the registry, and Deno's own cache is empty. */
  online(is: boolean): void;
}

/** The files of cells whose tools may import a package. */
async function withFiles(work: (bench: Bench) => Promise<void>): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-cell-files-" }));
  const before = VARIABLES.map((name) => [name, Deno.env.get(name)] as const);
  const set = (values: readonly (readonly [string, string | undefined])[]): void => {
    for (const [name, value] of values) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  };
  const faults: string[] = [];
  const clock = new FakeClock();
  const cacheDir = `${base}/cache`;
  using files = new CellFiles({
    deno: Deno.execPath(),
    cacheDir,
    importMap: IMPORTS,
    clock,
    onFault: (message) => void faults.push(message),
  });
  const nothing = [`${base}/deno`, "http://127.0.0.1:1/"];
  const online = (is: boolean) =>
    set(is ? before : VARIABLES.map((name, index) => [name, nothing[index]]));
  try {
    await work({ files, clock, cacheDir, faults, online });
  } finally {
    online(true);
    await Deno.remove(base, { recursive: true });
  }
}

const IMPORTS = { picomatch: "npm:picomatch@4.0.7" };

Deno.test("CellFiles.prepare() writes configuration and lock file again when they are gone, and only then", () =>
  withFiles(async ({ files, cacheDir, faults }) => {
    const lock = await files.prepare() ?? assert.fail(faults.join());
    assert.ok(lock.startsWith(`${cacheDir}/cell-`));
    const text = await Deno.readTextFile(lock);
    const inodes = async () =>
      await Promise.all([lock, files.configPath].map(async (path) => (await Deno.stat(path)).ino));
    const written = await inodes();
    assert.equal(await files.prepare(), lock);
    assert.deepEqual(await inodes(), written);
    await Deno.remove(cacheDir, { recursive: true });
    assert.deepEqual(await Promise.all([files.prepare(), files.prepare()]), [lock, lock]);
    assert.equal(await Deno.readTextFile(lock), text);
    assert.deepEqual(JSON.parse(await Deno.readTextFile(files.configPath)).imports, IMPORTS);
    assert.deepEqual([faults, files.faults], [[], {}]);
  }));

Deno.test("CellFiles.prepare() puts its own configuration in the place of another one", () =>
  withFiles(async ({ files }) => {
    await files.prepare();
    const text = await Deno.readTextFile(files.configPath);
    await Deno.writeTextFile(files.configPath, `{"imports":{"picomatch":"file:///evil.ts"}}`);
    await files.prepare();
    assert.equal(await Deno.readTextFile(files.configPath), text);
  }));

Deno.test("CellFiles.prepare() tries a download that failed again after 30 seconds, and says when", () =>
  withFiles(async ({ files, clock, faults, online }) => {
    online(false);
    assert.equal(await files.prepare(), undefined);
    const at = (ms: number) => new Date(EPOCH + ms).toISOString();
    assert.equal(faults.length, 1);
    assert.match(faults[0]!, /^Cannot get the packages that tool files may import \(picomatch\): /);
    assert.ok(faults[0]!.endsWith(`. It is tried again from ${at(30_000)} on`), faults[0]);
    assert.equal(files.faults.packages, faults[0]);
    await clock.advance(29_999);
    assert.equal(await files.prepare(), undefined);
    assert.equal(await files.repairPackages(), faults[0]);
    assert.equal(faults.length, 1, "not yet");
    await clock.advance(1);
    assert.equal(await files.prepare(), undefined);
    assert.equal(faults.length, 2);
    online(true);
    await clock.advance(30_000);
    assert.match(await files.prepare() ?? faults.join(), /cell-[0-9a-f]+\.lock$/);
    assert.deepEqual(files.faults, {});
  }));

Deno.test("CellFiles.repairPackages() looks for packages although their lock file is there", () =>
  withFiles(async ({ files, clock, faults, online }) => {
    const lock = await files.prepare();
    online(false);
    assert.equal(await files.prepare(), lock);
    assert.equal(await files.repairPackages(), faults[0]);
    assert.equal(faults.length, 1);
    online(true);
    await clock.advance(30_000);
    assert.equal(await files.repairPackages(), undefined);
    assert.equal(await files.prepare(), lock);
  }));

Deno.test("Runtime tells with the call which package is missing and when it is looked for again, and looks no sooner", async () => {
  const clock = new FakeClock();
  await using test = await startRuntime({
    clock,
    config: { packages: { missing: "npm:@cloister/there-is-no-such-package@1.0.0" } },
    files: {
      "lacking.ts": `import "missing";\n${toolFile("lacking", "never")}`,
      "plain.ts": toolFile("plain", "plain"),
    },
  });
  const told = () => test.logs.filter(({ message }) => /^Cannot get the packages/.test(message));
  const message = async () => (await test.call("lacking", {})).error?.message ?? "";
  const when = (ms: number) => `It is tried again from ${new Date(EPOCH + ms).toISOString()} on`;
  assert.ok((await message()).includes(when(30_000)), await message());
  assert.equal((await test.call("plain", {})).content, "plain");
  assert.match(test.runtime.limits.join(), /Cannot get the packages .*no-such-package/s);
  assert.equal(told().length, 1);
  // The cell is still there: it is the call that has it looked for again.
  await clock.advance(30_000);
  assert.ok((await message()).includes(when(60_000)));
  await until("the second time", () => told().length === 2);
});
