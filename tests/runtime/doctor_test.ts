import assert from "node:assert/strict";
import { areNamesSafe } from "../../workers/resolver_probe.ts";
import { testSettings } from "../workers/_pool.ts";
import { startRuntime } from "./_runtime.ts";

const QUICK = [
  "deno-version",
  "cache-folder",
  "cell-start",
  "read-denied",
  "env-denied",
  "loopback-denied",
  "disk-limited",
  "programs-contained",
  "commands-contained",
  "names-contained",
  "protected-place",
];
const SLOW = ["exit-seen", "spin-stopped", "memory-watched"];

Deno.test("Runtime.doctor() finds every guarantee kept on this machine", async () => {
  await using test = await startRuntime();
  const report = await test.runtime.doctor();
  assert.equal(report.deno, Deno.version.deno);
  assert.equal(report.isolation, "cell");
  assert.deepEqual(report.checks.map(({ id }) => id).toSorted(), [...QUICK, ...SLOW].toSorted());
  for (const { id, status, detail } of report.checks) {
    // Where there is no bubblewrap, a person is asked.
    if (id === "commands-contained" && status === "skip") continue;
    assert.equal(status, "pass", `${id}: ${detail}`);
  }
});

Deno.test("Runtime.doctor() leaves out what takes long when it has to be quick", async () => {
  await using test = await startRuntime();
  const { checks } = await test.runtime.doctor({ quick: true });
  assert.deepEqual(checks.map(({ id }) => id).toSorted(), QUICK.toSorted());
});

Deno.test("Runtime.doctor() says so when names cannot be kept from leading to this machine", async () => {
  await using test = await startRuntime();
  const { runDoctor } = await import("../../runtime/doctor.ts");
  const cells = await testSettings(test.base);
  const { checks } = await runDoctor({
    cells: { ...cells, namesSafe: () => areNamesSafe("false", cells.path) },
    isolation: "cell",
    cacheDir: `${test.base}/cache`,
    quick: true,
    commands: () => Promise.resolve({ mode: "asked", reason: "it is a test", told: "" }),
  });
  const names = checks.find(({ id }) => id === "names-contained")!;
  assert.equal(names.status, "fail");
  assert.match(names.detail, /^Hosts can be granted by address only here/);
});

Deno.test("Runtime.doctor() says so when the cache folder cannot be written", async () => {
  await using test = await startRuntime();
  const { runDoctor } = await import("../../runtime/doctor.ts");
  await Deno.writeTextFile(`${test.base}/file`, "");
  const { checks } = await runDoctor({
    isolation: "none",
    cacheDir: `${test.base}/file/cache`,
    quick: true,
    commands: () => Promise.resolve({ mode: "asked", reason: "it is a test", told: "" }),
  });
  const folder = checks.find(({ id }) => id === "cache-folder")!;
  assert.equal(folder.status, "fail");
  assert.match(folder.detail, /Every start scans anew/);
  assert.equal(checks.find(({ id }) => id === "cell-start")?.status, "skip");
  const commands = checks.find(({ id }) => id === "commands-contained")!;
  assert.deepEqual([commands.status, commands.detail], [
    "skip",
    "A person is asked instead: it is a test",
  ]);
});
