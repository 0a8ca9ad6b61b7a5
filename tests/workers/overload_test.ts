import assert from "node:assert/strict";
import { startPool } from "./_pool.ts";

Deno.test("WorkerPool.run() takes no more calls than its queue holds, and those that wait go on", async () => {
  await using test = await startPool({ limits: { concurrency: 1, queue: 2 } });
  const controller = new AbortController();
  const first = test.pool.run(
    test.request("basics.ts", "waits", { signal: controller.signal }),
  );
  const waiting = [1, 2].map((n) =>
    test.pool.run(test.request("basics.ts", "echo", { args: { n } }))
  );
  const refused = await test.pool.run(test.request("basics.ts", "echo"));
  assert.ok(!refused.ok);
  assert.deepEqual([refused.code, refused.end, refused.retryable], [
    "overloaded",
    "never_started",
    true,
  ]);
  assert.equal(refused.message, "Cannot take another call: 2 wait already, 2 at most");
  controller.abort();
  await first;
  const values = (await Promise.all(waiting)).map((outcome) => outcome.ok && outcome.value);
  assert.deepEqual(values, [{ kind: "text", text: '{"n":1}' }, { kind: "text", text: '{"n":2}' }]);
});

Deno.test("WorkerPool.run() lets a tool that nobody else uses pass a long line of another", async () => {
  await using test = await startPool({ limits: { concurrency: 4, concurrencyPerTool: 1 } });
  const controller = new AbortController();
  const line = [1, 2, 3].map(() =>
    test.pool.run(test.request("basics.ts", "waits", { signal: controller.signal }))
  );
  assert.ok((await test.pool.run(test.request("basics.ts", "echo"))).ok);
  controller.abort();
  const ends = (await Promise.all(line)).map((outcome) => outcome.end);
  assert.deepEqual(ends, ["finished_late", "never_started", "never_started"]);
});

Deno.test("WorkerPool.run() answers many calls at once, each with its own arguments", async () => {
  await using test = await startPool();
  const calls = Array.from(
    { length: 300 },
    (_, n) => test.pool.run(test.request("basics.ts", "echo", { args: { n } })),
  );
  const texts = (await Promise.all(calls)).map((outcome) =>
    outcome.ok && outcome.value.kind === "text" && outcome.value.text
  );
  assert.deepEqual(texts, Array.from({ length: 300 }, (_, n) => `{"n":${n}}`));
});
