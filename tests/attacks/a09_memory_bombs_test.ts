import assert from "node:assert/strict";
import { assertGone, type ExpectedEnd, shareArena, succeeded } from "./_arena.ts";

const MEMORY_BOMBS = [
  "heap",
  "array buffers",
  "one huge buffer",
  "shared buffers",
  "strings",
  "string that doubles",
  "wasm memory",
  "messages to another worker's channel",
  "a file system of blobs",
];

const arena = shareArena("a09");

// These fill memory so slowly, or so far behind a queue, that the deadline may come first.
const SLOW = ["log messages", "a million timers"];

for (const bomb of [...MEMORY_BOMBS, ...SLOW]) {
  Deno.test(`attack [A9] ${bomb}: contained`, async () => {
    const frontBefore = Deno.memoryUsage().rss;
    const end: ExpectedEnd = SLOW.includes(bomb)
      ? { code: ["tool_out_of_memory", "timeout"], timeoutMs: 3_000 }
      : { code: "tool_out_of_memory", timeoutMs: 6_000, says: /192 MB/ };
    // Its worker is there before: a module that is being loaded could be the bomb itself.
    succeeded(await arena().call("beside"));
    const attack = arena().contain("bomb", { bomb }, end);
    const cellmate = arena().call("beside");
    const { result, values } = await attack;
    if (result.error.code === "tool_out_of_memory") await assertGone(values[0]);
    assert.equal(succeeded(await cellmate).content, "beside");
    assert.equal(succeeded(await arena().call("beside")).content, "beside");
    const grown = (Deno.memoryUsage().rss - frontBefore) / 1048576;
    assert.ok(grown < 192, `The front grew by ${grown} MB`);
  });
}

Deno.test("attack [A9] twin memory within the limit", async () => {
  assert.equal(succeeded(await arena().call("fills_some")).content, String(32 * 1024 * 1024));
});
