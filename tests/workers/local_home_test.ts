import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { startPool } from "./_pool.ts";

Deno.test("WorkerPool.run() runs a tool in a worker of this process where it is told to, with its grants", async () => {
  await using test = await startPool();
  const pid = await test.pool.run(test.request("more.ts", "pid", { inProcess: true }));
  assert.ok(pid.ok);
  assert.deepEqual(pid.value, { kind: "json", value: Deno.pid });
  assert.equal(test.pool.cellCount, 0);
  const denied = await test.pool.run(
    test.request("basics.ts", "reads", { inProcess: true, args: { path: "/etc/hostname" } }),
  );
  assert.equal(denied.ok || denied.code, "permission_denied");
});

Deno.test("WorkerPool.run() ends as tool_exited when a tool in this process ends its worker, and this process goes on", async () => {
  await using test = await startPool();
  const outcome = await test.pool.run(test.request("endings.ts", "exits", { inProcess: true }));
  assert.equal(outcome.ok || outcome.code, "tool_exited");
});

Deno.test("WorkerPool.run() stops a tool in this process that waits", async () => {
  await using test = await startPool();
  const outcome = await test.pool.run(
    test.request("basics.ts", "never", { inProcess: true, timeoutMs: 200 }),
  );
  assert.deepEqual(outcome.ok || [outcome.code, outcome.end], ["timeout", "stopped"]);
});

Deno.test("WorkerPool.run() tells the truth of a tool in this process that spins: it may still be running", async () => {
  const script = new URL("../fixtures/workers/spins_in_process.ts", import.meta.url);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--unstable-worker-options", fileURLToPath(script)],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!said.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) break;
    said += value;
  }
  child.kill("SIGKILL");
  await reader.cancel();
  await child.status;
  const { code, end, folder } = JSON.parse(said);
  await Deno.remove(folder, { recursive: true });
  assert.deepEqual([code, end], ["timeout", "unsettled"]);
});
