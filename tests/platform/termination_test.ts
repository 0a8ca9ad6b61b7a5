/**
 * Facts F1, F2, F8, F10 and F15: what ends a worker, and what a worker ends.
 * @module
 */
import assert from "node:assert/strict";
import { fixture, runDeno, spawnDeno, WORKER_FLAGS } from "./_helpers.ts";

const notLinux = Deno.build.os !== "linux";
const FATAL = /Fatal JavaScript out of memory/;
const EXIT_BOUND_MS = 300;

interface Spin {
  /** How long `terminate()` took. */
  readonly tookMs: number;
  /** Worker threads that are left. */
  readonly threads: number;
  /** Processor time of the process in the 200 ms after that. */
  readonly cpuMs: number;
  /** Whether the process ended by itself soon after its script had. */
  readonly exited: boolean;
}

async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const bound = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => bound.resolve(false), ms);
  const first = await Promise.race([promise.then(() => true), bound.promise]);
  clearTimeout(timer);
  return first;
}

async function readUntil(stream: ReadableStream<Uint8Array>, end: string): Promise<string> {
  const reader = stream.pipeThrough(new TextDecoderStream() as never).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.includes(end)) break;
  }
  await reader.cancel();
  return text;
}

async function terminateSpinning(way: string): Promise<Spin> {
  const child = spawnDeno([...WORKER_FLAGS, "--allow-all", fixture("terminates_worker.ts"), way]);
  const deadline = setTimeout(() => child.kill("SIGKILL"), 10_000);
  const text = await readUntil(child.stdout, "end of script");
  const exited = await within(EXIT_BOUND_MS, child.status);
  clearTimeout(deadline);
  if (!exited) child.kill("SIGKILL");
  const [stderr] = await Promise.all([child.stderr.text(), child.status]);
  assert.ok(text.includes("end of script"), stderr);
  return { ...JSON.parse(text.split("\n")[0]!), exited };
}

Deno.test({
  name: "platform [F1] terminate() ends the thread of an idle worker",
  ignore: notLinux,
  fn: async () => {
    const { threads, exited } = await terminateSpinning("idle");
    assert.deepEqual({ threads, exited }, { threads: 0, exited: true });
  },
});

for (const way of ["loop", "regex", "microtasks", "wasm"]) {
  Deno.test({
    name: `platform [F1] terminate() returns at once and leaves a spinning thread (${way})`,
    ignore: notLinux,
    fn: async () => {
      const { tookMs, threads, cpuMs, exited } = await terminateSpinning(way);
      assert.ok(tookMs < 50, `terminate() took ${tookMs} ms`);
      assert.ok(cpuMs > 20, `only ${cpuMs} ms of 200 were used`);
      assert.deepEqual({ threads, exited }, { threads: 1, exited: false });
    },
  });
}

Deno.test({
  name: "platform [F1] terminate() leaves a thread that waits in Atomics.wait",
  ignore: notLinux,
  fn: async () => {
    const { threads, exited } = await terminateSpinning("wait");
    assert.deepEqual({ threads, exited }, { threads: 1, exited: false });
  },
});

Deno.test({
  name: "platform [F1] terminate() of node:worker_threads leaves a spinning thread too",
  ignore: notLinux,
  fn: async () => {
    const { threads, cpuMs } = await terminateSpinning("node");
    assert.ok(cpuMs > 20, `only ${cpuMs} ms of 200 were used`);
    assert.equal(threads, 1);
  },
});

function fillMemory(kind: string): ReturnType<typeof runDeno> {
  const flags = [...WORKER_FLAGS, "--v8-flags=--max-old-space-size=48", "--allow-read"];
  const host = [fixture("worker_host.ts"), "./fills_memory_worker.ts", '"none"'];
  return runDeno([...flags, ...host, JSON.stringify(kind)]);
}

Deno.test("platform [F2] a full heap in one worker ends the whole process", async () => {
  const { code, stdout, stderr } = await fillMemory("heap");
  assert.notEqual(code, 0);
  assert.match(stderr, FATAL);
  assert.equal(stdout, "");
});

Deno.test("platform [F2] array buffers of a worker are outside the heap limit", async () => {
  const { code, stdout } = await fillMemory("buffers");
  assert.deepEqual([code, stdout.trim()], [0, '{"message":"filled"}']);
});

function rejectInWorker(handling: string): ReturnType<typeof runDeno> {
  return runDeno([...WORKER_FLAGS, "--allow-read", fixture("outlives_rejection.ts"), handling]);
}

Deno.test("platform [F8] an unhandled rejection in a worker ends the process", async () => {
  const { code, stdout, stderr } = await rejectInWorker("unhandled");
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /Unhandled error in child worker/);
});

Deno.test("platform [F8] onerror with preventDefault() keeps the process alive", async () => {
  const { code, stdout } = await rejectInWorker("handled");
  assert.deepEqual([code, stdout.trim()], [0, "alive"]);
});

for (const way of ["Deno.exit", "process.exit", "self.close"]) {
  Deno.test(`platform [F10] ${way} in a worker ends that worker alone and fires no event`, async () => {
    const host = [fixture("outlives_exit.ts"), way];
    const { code, stdout } = await runDeno([...WORKER_FLAGS, "--allow-read", ...host]);
    assert.deepEqual([code, stdout.trim()], [0, 'started, alive, no event since ["message"]']);
  });
}

Deno.test({
  name: "platform [F15] starting and terminating idle workers gives threads and descriptors back",
  ignore: notLinux,
  fn: async () => {
    const cycles = 20;
    const host = [fixture("cycles_workers.ts"), `${cycles}`];
    const { stdout } = await runDeno([...WORKER_FLAGS, "--allow-all", ...host]);
    const { before, after } = JSON.parse(stdout);
    // A leak would show once for each cycle; the rest is Deno's own pool, which breathes.
    assert.ok(after.threads - before.threads < cycles / 2, stdout);
    assert.ok(after.descriptors - before.descriptors < cycles / 2, stdout);
  },
});
