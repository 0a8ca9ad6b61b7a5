/**
 * Fact F32: how an exit that fires no event shows itself.
 * @module
 */
import assert from "node:assert/strict";
import { fixture, runDeno, WORKER_FLAGS } from "./_helpers.ts";

Deno.test("platform [F32] a held lock comes free when a worker exits in silence, and a ping tells why", async () => {
  const script = fixture("watches_lock.ts");
  const { stdout } = await runDeno([...WORKER_FLAGS, "--allow-read", script]);
  const seen = stdout.trim().split("\n").map((line) => JSON.parse(line));
  const gone = { free: true, ping: "no answer", events: 0 };
  assert.deepEqual(seen, [
    { way: "Deno.exit", ...gone },
    { way: "process.exit", ...gone },
    { way: "self.close", ...gone },
    // A cellmate took the lock: its holder lives, which only the ping shows.
    { way: "steal", free: true, ping: "pong", events: 0 },
    // A spinning worker keeps the lock: no answer to a ping alone does not mean an exit.
    { way: "spin", free: false, ping: "no answer", events: 0 },
  ]);
});
