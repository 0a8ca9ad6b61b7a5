import assert from "node:assert/strict";
import { startPool } from "./_pool.ts";
import { soon } from "./_wait.ts";

Deno.test("a cell ends when a tool left a spinning thread behind and answered", async () => {
  const ended = Promise.withResolvers<string>();
  await using arena = await startPool({
    onLog: (_level, message) => {
      if (message.startsWith("A cell ended")) ended.resolve(message);
    },
  });
  const outcome = await arena.pool.run(arena.request("leaves_behind.ts", "leaves_spinning_worker"));
  assert.ok(outcome.ok, JSON.stringify(outcome));
  const message = await soon("the cell's end", ended.promise, 8_000);
  assert.equal(message, "A cell ended: Code in it went on without a call");
  const next = await arena.pool.run(arena.request("leaves_behind.ts", "rests"));
  assert.ok(next.ok, "the next call has a new cell");
});
