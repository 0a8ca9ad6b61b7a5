import assert from "node:assert/strict";
import { ANY_HOST } from "../../core/permissions.ts";
import { startPool, type TestPool } from "./_pool.ts";
import { isRunning, until } from "./_wait.ts";

function request(test: TestPool, tool: string, host: string, args = {}) {
  const made = test.request("more.ts", tool, { perCall: true, grants: { net: [host] }, args });
  const { placement } = made;
  // The cell is started before the host is known; the worker gets the call's host alone.
  const cell = { ...placement.cell, grants: { ...placement.cell.grants, net: [ANY_HOST] } };
  return { ...made, placement: { ...placement, cell } };
}

async function pidOf(test: TestPool, host: string): Promise<number> {
  const outcome = await test.pool.run(request(test, "pid", host));
  assert.ok(outcome.ok && outcome.value.kind === "json", JSON.stringify(outcome));
  return outcome.value.value as number;
}

Deno.test("WorkerPool.run() gives each call a cell of its own that ends with it", async () => {
  await using test = await startPool();
  const first = await pidOf(test, "a.example:443");
  const second = await pidOf(test, "a.example:443");
  assert.notEqual(first, second);
  await until("both are gone", () => !isRunning(first) && !isRunning(second));
});

Deno.test("WorkerPool.run() takes the spare cell for the next call, also for another host", async () => {
  await using test = await startPool();
  await pidOf(test, "a.example:443");
  await until("only the spare is left", () => test.pool.cellCount === 1);
  const startedAt = performance.now();
  await pidOf(test, "b.example:443");
  assert.ok(performance.now() - startedAt < 2_000);
  await until("only the next spare is left", () => test.pool.cellCount === 1);
});

Deno.test("WorkerPool.run() gives a call's worker only the host of that call", async () => {
  await using test = await startPool();
  const hosts = ["a.example:443", "b.example:443", "a.example:80", "a.example"];
  const descriptors = [...hosts.map((host) => ({ name: "net", host })), { name: "net" }];
  const outcome = await test.pool.run(
    request(test, "grants", "a.example:443", { descriptors }),
  );
  assert.ok(outcome.ok && outcome.value.kind === "json");
  const granted = (outcome.value.value as string[]).map((state) => state === "granted");
  assert.deepEqual(granted, [true, false, false, false, false]);
});

Deno.test("WorkerPool.run() starts no spare where the next call's cell is not known", async () => {
  await using test = await startPool();
  const made = request(test, "pid", "a.example:443");
  const alone = { ...made, placement: { ...made.placement, spare: false } };
  assert.ok((await test.pool.run(alone)).ok);
  await until("no cell is left", () => test.pool.cellCount === 0);
});
