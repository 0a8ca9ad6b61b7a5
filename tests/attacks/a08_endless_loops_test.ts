import assert from "node:assert/strict";
import { assertGone, isRunning, shareArena, succeeded } from "./_arena.ts";

const LOOPS = [
  "while (true)",
  "regular expression",
  "microtasks",
  "queueMicrotask",
  "wasm",
  "Atomics.wait",
  "try/finally",
  "recursion",
  "recursion that overflows",
  "timers",
  "sort with a comparison without an end",
  "abort listener",
];

const arena = shareArena("a08");

for (const loop of LOOPS) {
  Deno.test(`attack [A8] ${loop}: contained`, async () => {
    const end = {
      code: "timeout",
      timeoutMs: 400,
      says: /did not end before its deadline/,
    } as const;
    const { result, values } = await arena().contain("spin", { loop }, end);
    // Timers leave room for other work, so the runner can drop that worker without ending its cell.
    if (loop !== "timers") await assertGone(values[0]);
    assert.equal(result.end, "stopped");
  });
}

Deno.test("attack [A8] cancelled while it spins: contained", async () => {
  const controller = new AbortController();
  const values: number[] = [];
  const result = await arena().call("spin", { loop: "while (true)" }, {
    timeoutMs: 10_000,
    signal: controller.signal,
    onProgress: ({ value }) => {
      values.push(value);
      controller.abort();
    },
  });
  assert.equal(result.error?.code, "cancelled");
  await assertGone(values[0]);
  await arena().goesOn();
});

Deno.test("attack [A8] twelve spinning calls at once: contained", async () => {
  const end = { code: "timeout", timeoutMs: 500 } as const;
  await Promise.all(LOOPS.map((loop) => arena().contain("spin", { loop }, end)));
});

Deno.test("attack [A8] twin work that ends, and work that stops when told", async () => {
  assert.equal(succeeded(await arena().call("busy")).content, "done");
  const values: number[] = [];
  const result = await arena().call("stops", {}, {
    timeoutMs: 200,
    onProgress: ({ value }) => values.push(value),
  });
  assert.equal(result.error?.code, "timeout");
  assert.equal(result.end, "finished_late");
  assert.ok(isRunning(values[0]!), "Its cell was ended although it stopped by itself");
});
