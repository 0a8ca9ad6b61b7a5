import assert from "node:assert/strict";
import type { Description } from "../../workers/worker_pool.ts";
import { startPool, type TestPool } from "./_pool.ts";
import { isRunning, soon, until } from "./_wait.ts";

function describe(test: TestPool, module: string, timeoutMs = 2_000): Promise<Description> {
  const { module: spec, placement } = test.request(module, "any", {});
  return soon("the description", test.pool.describe(spec, placement, timeoutMs));
}

Deno.test("WorkerPool.describe() gives a module's registrations as plain data", async () => {
  await using test = await startPool();
  const described = await describe(test, "checks.ts");
  assert.ok(described.ok);
  const base = { toolset: "test", description: "A test tool.", schema: { type: "object" } };
  assert.deepEqual(described.declarations[0], { ...base, name: "yes", hasCheckFn: true });
  assert.deepEqual(described.declarations.at(-1), { ...base, name: "unchecked" });
});

Deno.test("WorkerPool.describe() evaluates without permissions", async () => {
  await using test = await startPool();
  const described = await describe(test, "reads_at_load.ts");
  assert.ok(!described.ok);
  assert.match(described.reason, /Requires read access to "\/etc\/hostname"/);
});

Deno.test("WorkerPool.describe() ends a module that does not come to its end in 2 s, and its process", async () => {
  await using test = await startPool();
  const asked = await test.pool.run(test.request("more.ts", "pid"));
  assert.ok(asked.ok && asked.value.kind === "json");
  const pid = asked.value.value as number;
  const startedAt = performance.now();
  const described = await describe(test, "spins_at_load.ts");
  const took = performance.now() - startedAt;
  assert.deepEqual(described, {
    ok: false,
    reason: "It did not end within 2000 ms when it was evaluated",
  });
  assert.ok(took >= 1_990 && took < 3_000, `${took} ms`);
  await until("the process is gone", () => !isRunning(pid), 1_000);
});

Deno.test("WorkerPool.describe() says why when a module throws, exits, or registers too much", async () => {
  await using test = await startPool();
  const reason = async (module: string) => {
    const described = await describe(test, module);
    return described.ok ? "" : described.reason;
  };
  assert.match(await reason("throws_at_load.ts"), /Broken at the top level/);
  assert.match(await reason("exits_at_load.ts"), /The tool ended its own worker/);
  assert.match(await reason("registers_many.ts"), /256 a module at most/);
});
