import assert from "node:assert/strict";
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
];
const SLOW = ["exit-seen", "spin-stopped", "memory-watched"];

Deno.test("Runtime.doctor() finds every guarantee kept on this machine", async () => {
  await using test = await startRuntime();
  const report = await test.runtime.doctor();
  assert.equal(report.deno, Deno.version.deno);
  assert.equal(report.isolation, "cell");
  assert.deepEqual(report.checks.map(({ id }) => id).toSorted(), [...QUICK, ...SLOW].toSorted());
  for (const { id, status, detail } of report.checks) {
    assert.equal(status, "pass", `${id}: ${detail}`);
  }
});

Deno.test("Runtime.doctor() leaves out what takes long when it has to be quick", async () => {
  await using test = await startRuntime();
  const { checks } = await test.runtime.doctor({ quick: true });
  assert.deepEqual(checks.map(({ id }) => id).toSorted(), QUICK.toSorted());
});

Deno.test("Runtime.doctor() says so when the cache folder cannot be written", async () => {
  await using test = await startRuntime();
  const { runDoctor } = await import("../../runtime/doctor.ts");
  await Deno.writeTextFile(`${test.base}/file`, "");
  const input = { isolation: "none", cacheDir: `${test.base}/file/cache`, quick: true } as const;
  const { checks } = await runDoctor(input);
  const folder = checks.find(({ id }) => id === "cache-folder")!;
  assert.equal(folder.status, "fail");
  assert.match(folder.detail, /Every start scans anew/);
  assert.equal(checks.find(({ id }) => id === "cell-start")?.status, "skip");
});
