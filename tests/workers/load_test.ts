import assert from "node:assert/strict";
import { NO_GRANTS, type ResolvedGrants } from "../../core/permissions.ts";
import type { LoadOutcome } from "../../workers/load_outcome.ts";
import { WorkerPool } from "../../workers/worker_pool.ts";
import { startPool, type TestPool } from "./_pool.ts";
import { isRunning, soon, until } from "./_wait.ts";

function load(
  test: TestPool,
  module: string,
  grants: Partial<ResolvedGrants> = {},
  timeoutMs = 2_000,
): Promise<LoadOutcome> {
  const request = test.request(module, "any", { grants });
  const order = { ...request, grants: { ...NO_GRANTS, ...grants } };
  return soon("the load", test.pool.load(order, timeoutMs));
}

async function failure(
  test: TestPool,
  module: string,
): Promise<Extract<LoadOutcome, { ok: false }>> {
  const outcome = await load(test, module);
  assert.ok(!outcome.ok, module);
  return outcome;
}

Deno.test("WorkerPool.load() loads a module with its grants, which one without them may need", async () => {
  await using test = await startPool();
  assert.deepEqual(await load(test, "basics.ts"), { ok: true });
  const without = await failure(test, "reads_at_load.ts");
  assert.equal(without.by, "module");
  assert.equal(without.error?.denied?.kind, "read");
  assert.deepEqual(await load(test, "reads_at_load.ts", { read: ["/etc/hostname"] }), { ok: true });
});

Deno.test("WorkerPool.load() says where a module throws, and that it exits, although it is ready for a moment", async () => {
  await using test = await startPool();
  const thrown = await failure(test, "throws_at_load.ts");
  assert.deepEqual([thrown.by, thrown.reason], ["module", "Broken at the top level"]);
  const { module } = test.request("throws_at_load.ts", "any");
  assert.deepEqual(thrown.at, { url: module.url, line: 1, column: 7 });
  const exited = await failure(test, "exits_at_load.ts");
  assert.deepEqual(
    [exited.by, exited.reason],
    ["module", "It ended its worker while it was loaded"],
  );
});

Deno.test("WorkerPool.load() ends what waits for ever and what spins, with the cell: it may have started workers", async () => {
  await using test = await startPool();
  const late = {
    ok: false,
    by: "module",
    reason: "Its top level did not come to its end within 300 ms",
  };
  for (const module of ["waits_at_load.ts", "spins_at_load.ts"]) {
    const asked = await test.pool.run(test.request("more.ts", "pid"));
    assert.ok(asked.ok && asked.value.kind === "json");
    const pid = asked.value.value as number;
    assert.deepEqual(await load(test, module, {}, 300), late);
    await until("the process is gone", () => !isRunning(pid), 1_000);
  }
});

Deno.test("WorkerPool.load() blames the cell for what another module did, and nobody when it could not try", async () => {
  await using test = await startPool();
  const [spun, lost] = await Promise.all([
    load(test, "spins_at_load.ts", {}, 300),
    load(test, "waits_at_load.ts", {}, 4_000),
  ]);
  assert.deepEqual([spun, lost].map((end) => !end.ok && end.by), ["module", "cell"]);
  await using nowhere = new WorkerPool();
  const { module, placement } = test.request("basics.ts", "any");
  const untried = await nowhere.load({ module, placement, grants: NO_GRANTS }, 1_000);
  assert.equal(!untried.ok && untried.by, "host");
});

Deno.test("WorkerPool.load() keeps no worker", async () => {
  await using test = await startPool();
  const names = Array.from({ length: 12 }, (_, i) => `OWN_${i}`);
  const { placement } = test.request("basics.ts", "any", { grants: { env: names } });
  const counting = { ...test.request("more.ts", "pid"), placement };
  const count = async () => {
    const asked = await test.pool.run(counting);
    assert.ok(asked.ok && asked.value.kind === "json");
    const path = `/proc/${asked.value.value}/status`;
    const { stdout } = await new Deno.Command("cat", { args: [path] }).output();
    return Number(/^Threads:\s+(\d+)/m.exec(new TextDecoder().decode(stdout))?.[1]);
  };
  const { module } = test.request("basics.ts", "any");
  const loadAs = async (name: string) => {
    const grants = { ...NO_GRANTS, env: [name] };
    assert.deepEqual(await test.pool.load({ module, grants, placement }, 2_000), { ok: true });
  };
  // The first ones start what a cell keeps for all of them.
  for (const name of names.slice(0, 4)) await loadAs(name);
  const before = await count();
  for (const name of names.slice(4)) await loadAs(name);
  await until("its threads are gone", async () => await count() <= before);
});
