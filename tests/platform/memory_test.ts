/**
 * Facts F21, F22 and F28: what bounds memory, and what can watch it.
 * @module
 */
import assert from "node:assert/strict";
import { fixture, ISOLATED_FLAGS, runDeno, WORKER_FLAGS } from "./_helpers.ts";

const noShell = Deno.build.os === "windows";
const FATAL = /Fatal JavaScript out of memory/;

function capped(limit: string, ...args: string[]): Promise<Deno.CommandOutput> {
  const words = [Deno.execPath(), ...ISOLATED_FLAGS, fixture("fills_memory.ts"), ...args];
  const line = `ulimit -c 0; ulimit ${limit}; exec "$@"`;
  return new Deno.Command("sh", { args: ["-c", line, "sh", ...words] }).output();
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

Deno.test("platform [F21] a node worker heeds resourceLimits and ignores deno.permissions", async () => {
  const { stdout } = await runDeno([
    ...WORKER_FLAGS,
    "--allow-read",
    fixture("node_worker_host.ts"),
  ]);
  assert.deepEqual(stdout.trim().split("\n"), ["read true", "ERR_WORKER_OUT_OF_MEMORY"]);
});

Deno.test("platform [F21] a Web Worker has no resourceLimits: its full heap ends the process", async () => {
  const flags = [...WORKER_FLAGS, "--v8-flags=--max-old-space-size=64", "--allow-read"];
  const ended = await runDeno([...flags, fixture("limited_web_worker_host.ts")]);
  assert.match(ended.stderr, FATAL);
  assert.equal(ended.stdout, "");
  assert.notEqual(ended.code, 0);
});

Deno.test("platform [F22] --max-old-space-size caps the heap of a child and not its array buffers", async () => {
  const flags = [...ISOLATED_FLAGS, "--v8-flags=--max-old-space-size=64"];
  const script = fixture("fills_memory.ts");
  const heap = await runDeno([...flags, script, "heap"]);
  assert.match(heap.stderr, FATAL);
  const buffers = await runDeno([...flags, script, "buffers", "192"]);
  assert.equal(buffers.stdout.trim(), "filled");
});

Deno.test({
  name: "platform [F22] ulimit -d caps array buffers too, and ulimit -v does not let deno start",
  ignore: noShell,
  fn: async () => {
    const fits = await capped("-d 600000", "buffers", "16");
    assert.equal(textOf(fits.stdout).trim(), "filled");
    const over = await capped("-d 600000", "buffers", "1024");
    assert.equal(textOf(over.stdout).trim(), "RangeError");
    const address = await capped("-v 2000000", "buffers", "16");
    assert.notEqual(address.code, 0);
    assert.equal(textOf(address.stdout), "");
  },
});

Deno.test({
  name: "platform [F28] every read under /proc needs all permissions",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const kinds = ["read", "write", "net", "env", "run", "sys"].map((kind) => `--allow-${kind}`);
    const script = fixture("reads_proc.ts");
    const [most, all] = await Promise.all([
      runDeno([...ISOLATED_FLAGS, ...kinds, script]),
      runDeno([...ISOLATED_FLAGS, "--allow-all", script]),
    ]);
    for (const line of most.stdout.trim().split("\n")) {
      assert.match(line, /^NotCapable: Requires all access to "\/proc\//);
    }
    assert.deepEqual(all.stdout.trim().split("\n"), ["read", "read", "read"]);
  },
});

Deno.test("platform [F28] the main isolate sees the process grow while a worker fills buffers", async () => {
  const script = fixture("watches_memory.ts");
  const { stdout } = await runDeno([...WORKER_FLAGS, "--allow-read", script]);
  const { grownMb, looks } = JSON.parse(stdout);
  // The worker fills 192 MB.
  assert.ok(grownMb > 150, `grown by ${grownMb} MB`);
  assert.ok(looks > 2, `${looks} looks`);
});
