import assert from "node:assert/strict";
import { startPool } from "./_pool.ts";

Deno.test("WorkerHost does not take a worker for ended because its lock was stolen", async () => {
  await using arena = await startPool();
  const stolen = await arena.pool.run(arena.request("lock_thief.ts", "steals"));
  assert.ok(stolen.ok, JSON.stringify(stolen));
  assert.deepEqual(stolen.value, { kind: "json", value: { stolen: 1 } });
  const again = await arena.pool.run(arena.request("lock_thief.ts", "steals"));
  assert.ok(again.ok, "the worker still answers after it lost its lock");
});

Deno.test("WorkerHost does not believe that a spinning worker is gone because its lock was stolen", async () => {
  const events = Promise.withResolvers<void>();
  await using arena = await startPool({
    onLog: (_level, message) => {
      if (message.startsWith("A cell ended")) events.resolve();
    },
  });
  const request = arena.request("lock_thief.ts", "steals_and_spins", { timeoutMs: 5_000 });
  const outcome = await arena.pool.run(request);
  assert.equal(outcome.ok ? "ok" : outcome.code, "tool_exited");
  assert.equal(outcome.end, "unsettled");
  // The thread can only be stopped by ending its process.
  const timer = setTimeout(() => events.reject(new Error("the cell was not ended")), 3_000);
  await events.promise;
  clearTimeout(timer);
});
