/**
 * Facts F19, F20, F26 and F27: what links two processes, and who else can reach it.
 * @module
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { fixture, ISOLATED_FLAGS, runDeno, spawnDeno, WORKER_FLAGS } from "./_helpers.ts";

const onWindows = Deno.build.os === "windows";

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function connect(path: string, ...grants: string[]): Promise<string> {
  const script = fixture("connects_to_unix_socket.ts");
  const { stdout, stderr } = await runDeno([...ISOLATED_FLAGS, ...grants, script, path]);
  return stdout.trim() || stderr;
}

/** Starts a child that listens on a unix socket, which the tests themselves may not. */
async function listen(script: string, path: string): Promise<Deno.ChildProcess> {
  const child = spawnDeno([...ISOLATED_FLAGS, "--allow-all", fixture(script), path]);
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  assert.equal(new TextDecoder().decode(value), "listening\n");
  return child;
}

async function end(child: Deno.ChildProcess): Promise<string> {
  child.kill("SIGKILL");
  const [text] = await Promise.all([child.stdout.text(), child.stderr.text(), child.status]);
  return text;
}

Deno.test({
  name: "platform [F19] a unix socket needs net of its exact path, read and write",
  ignore: onWindows,
  fn: async () => {
    await using folder = await temporaryFolder();
    const path = `${folder.path}/s.sock`;
    const listener = await listen("listens_on_unix_socket.ts", path);
    const read = `--allow-read=${path}`, write = `--allow-write=${path}`;
    const answers = await Promise.all([
      connect(path, `--allow-net=unix:${path}`, read, write),
      connect(path, `--allow-net=unix:${folder.path}`, read, write),
      connect(path, `--allow-net=unix:${path}`, read),
      connect(path, `--allow-net=unix:${path}`, write),
      connect(path, "--allow-net=unix:./s.sock", read, write),
    ]);
    await end(listener);
    assert.equal(answers[0], "connected");
    assert.match(answers[1]!, /^NotCapable: Requires net access to "unix:/);
    assert.match(answers[2]!, /^NotCapable: Requires write access/);
    assert.match(answers[3]!, /^NotCapable: Requires read access/);
    assert.match(answers[4]!, /path must be absolute/);
  },
});

Deno.test({
  name: "platform [F19] a unix socket's path may not be long",
  ignore: onWindows,
  fn: async () => {
    const path = `/tmp/${"x".repeat(120)}`;
    const script = fixture("listens_on_unix_socket.ts");
    const { stdout } = await runDeno([...ISOLATED_FLAGS, "--allow-all", script, path]);
    assert.match(stdout, /shorter than SUN_LEN/);
  },
});

Deno.test({
  name:
    "platform [F20] a permission broker replaces a worker's permissions and is told only the pid",
  ignore: onWindows,
  fn: async () => {
    await using folder = await temporaryFolder();
    const path = `${folder.path}/b.sock`;
    const file = JSON.stringify(fixture("graph/data.json"));
    const script = [fixture("worker_host.ts"), "./reads_file_worker.ts", '"none"', file];
    const alone = await runDeno([...WORKER_FLAGS, "--allow-read", ...script]);
    assert.deepEqual(JSON.parse(alone.stdout), { message: "NotCapable" });
    const broker = await listen("permission_broker.ts", path);
    const env = { DENO_PERMISSION_BROKER_PATH: path };
    const brokered = await runDeno([...WORKER_FLAGS, ...script], { env });
    const requests = (await end(broker)).trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(JSON.parse(brokered.stdout), { message: "read true" });
    const keys = new Set(requests.flatMap((request) => Object.keys(request)));
    assert.deepEqual([...keys].sort(), ["datetime", "id", "permission", "pid", "v", "value"]);
    assert.equal(new Set(requests.map(({ pid }) => pid)).size, 1);
  },
});

interface Channel {
  readonly child: ChildProcess;
  // deno-lint-ignore no-explicit-any
  readonly socket: any;
}

function openCell(mode: string): Channel {
  const args = [...WORKER_FLAGS, "--allow-read", fixture("descriptor_cell.ts"), mode];
  const child = spawn(Deno.execPath(), args, { stdio: ["ignore", "pipe", "inherit", "pipe"] });
  return { child, socket: child.stdio[3] };
}

function nextText({ child, socket }: Channel): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once("data", (data: Uint8Array) => resolve(new TextDecoder().decode(data)));
    child.once("exit", (code) => reject(new Error(`The cell ended with ${code}`)));
  });
}

async function closeCell({ child, socket }: Channel): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  socket.end();
  const code = await ended;
  clearTimeout(timer);
  return code;
}

Deno.test({
  name: "platform [F26] a worker without permissions forges frames on an inherited descriptor",
  ignore: onWindows,
  fn: async () => {
    const cell = openCell("attack");
    assert.equal(await nextText(cell), "forged\n");
    let printed = "";
    cell.child.stdout!.on("data", (data) => printed += data);
    await closeCell(cell);
    assert.deepEqual(printed.trim().split("\n"), ["node:fs EBADF", "/proc/self/fd NotCapable"]);
  },
});

Deno.test({
  name:
    "platform [F27] a pipe on descriptor 3 carries bytes both ways without a grant in the child",
  ignore: onWindows,
  fn: async () => {
    const cell = openCell("echo");
    const heard = nextText(cell);
    cell.socket.write("over descriptor 3");
    assert.equal(await heard, "over descriptor 3");
    assert.equal(await closeCell(cell), 0);
  },
});

Deno.test({
  name: "platform [F27] the front needs run of deno and env of NODE_V8_COVERAGE to open that pipe",
  ignore: onWindows,
  fn: async () => {
    const script = [fixture("spawns_with_descriptor.ts"), Deno.execPath()];
    const run = `--allow-run=${Deno.execPath()}`;
    const cell = fixture("descriptor_cell.ts");
    const [without, with_] = await Promise.all([
      runDeno([...ISOLATED_FLAGS, run, ...script, cell]),
      runDeno([...ISOLATED_FLAGS, run, "--allow-env=NODE_V8_COVERAGE", ...script, cell]),
    ]);
    assert.match(without.stdout, /^NotCapable: Requires env access to "NODE_V8_COVERAGE"/);
    assert.equal(with_.stdout.trim(), "over descriptor 3");
  },
});
