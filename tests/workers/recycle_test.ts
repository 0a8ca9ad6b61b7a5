import { NO_GRANTS } from "../../core/permissions.ts";
import assert from "node:assert/strict";
import { startPool } from "./_pool.ts";
import { soon } from "./_wait.ts";

Deno.test("WorkerPool replaces a worker after the number of calls it is told", async () => {
  await using test = await startPool({ limits: { callsPerWorker: 3 } });
  const counts: unknown[] = [];
  for (let call = 0; call < 7; call++) {
    const outcome = await test.pool.run(test.request("more.ts", "counts"));
    counts.push(outcome.ok && outcome.value.kind === "json" && outcome.value.value);
  }
  // The module counts its calls; a new worker begins anew.
  assert.deepEqual(counts, [1, 2, 3, 1, 2, 3, 1]);
  assert.equal(test.pool.cellCount, 1);
});

Deno.test("WorkerPool lets the open calls of a worker that is replaced come to their end", async () => {
  await using test = await startPool({ limits: { callsPerWorker: 2 } });
  const controller = new AbortController();
  await test.pool.run(test.request("more.ts", "pid"));
  const begun = Promise.withResolvers<unknown>();
  const open = test.pool.run(
    test.request("more.ts", "begins", { signal: controller.signal, onProgress: begun.resolve }),
  );
  await soon("its beginning", begun.promise);
  const counts: unknown[] = [];
  for (let call = 0; call < 3; call++) {
    const outcome = await test.pool.run(test.request("more.ts", "counts"));
    counts.push(outcome.ok && outcome.value.kind === "json" && outcome.value.value);
  }
  assert.deepEqual(counts, [1, 2, 1]);
  controller.abort();
  assert.equal((await open).end, "finished_late");
});

Deno.test("WorkerPool uses one worker for one module and grants, and another for other grants", async () => {
  await using test = await startPool();
  const wide = test.request("more.ts", "counts", { grants: { env: ["LANG"] } });
  const count = async (env: readonly string[]) => {
    const outcome = await test.pool.run({ ...wide, grants: { ...NO_GRANTS, env } });
    return outcome.ok && outcome.value.kind === "json" && outcome.value.value;
  };
  const counts = [await count([]), await count([]), await count(["LANG"]), await count([])];
  assert.deepEqual(counts, [1, 2, 1, 3]);
});
