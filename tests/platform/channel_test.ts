/**
 * Facts F19, F20, F26 and F27: what links two processes, and who else can reach it.
 * @module
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { fixture, ISOLATED_FLAGS, runDeno, WORKER_FLAGS } from "./_helpers.ts";

const unixOnly = Deno.build.os === "windows";

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function connect(path: string, ...grants: string[]): Promise<string> {
  const script = fixture("connects_to_unix_socket.ts");
  const { stdout, stderr } = await runDeno([...ISOLATED_FLAGS, ...grants, script, path]);
  return stdout.trim() || stderr;
}

Deno.test({
  name: "platform [F19] a unix socket needs net of its exact path, read and write",
  ignore: unixOnly,
  fn: async () => {
    await using folder = await temporaryFolder();
    const path = `${folder.path}/s.sock`;
    using _listener = Deno.listen({ transport: "unix", path });
    const read = `--allow-read=${path}`, write = `--allow-write=${path}`;
    const answers = await Promise.all([
      connect(path, `--allow-net=unix:${path}`, read, write),
      connect(path, `--allow-net=unix:${folder.path}`, read, write),
      connect(path, `--allow-net=unix:${path}`, read),
      connect(path, `--allow-net=unix:${path}`, write),
      connect(path, "--allow-net=unix:./s.sock", read, write),
    ]);
    assert.equal(answers[0], "connected");
    assert.match(answers[1]!, /^NotCapable: Requires net access to "unix:/);
    assert.match(answers[2]!, /^NotCapable: Requires write access/);
    assert.match(answers[3]!, /^NotCapable: Requires read access/);
    assert.match(answers[4]!, /path must be absolute/);
    const long = `${folder.path}/${"x".repeat(120)}`;
    assert.throws(() => Deno.listen({ transport: "unix", path: long }), /SUN_LEN/);
  },
});

interface BrokerRequest {
  readonly id: number;
  readonly pid: number;
}

async function answerAll(listener: Deno.UnixListener, seen: BrokerRequest[]): Promise<void> {
  const connection = await listener.accept();
  const lines = connection.readable.pipeThrough(new TextDecoderStream());
  const writer = connection.writable.getWriter();
  let pending = "";
  for await (const text of lines) {
    const parts = (pending + text).split("\n");
    pending = parts.pop()!;
    for (const request of parts.map((line): BrokerRequest => JSON.parse(line))) {
      seen.push(request);
      const answer = `${JSON.stringify({ id: request.id, result: "allow" })}\n`;
      await writer.write(new TextEncoder().encode(answer));
    }
  }
}

Deno.test({
  name:
    "platform [F20] a permission broker replaces a worker's permissions and is told only the pid",
  ignore: unixOnly,
  fn: async () => {
    await using folder = await temporaryFolder();
    const path = `${folder.path}/b.sock`;
    const script = [
      fixture("worker_host.ts"),
      "./reads_file_worker.ts",
      '"none"',
      JSON.stringify(fixture("graph/data.json")),
    ];
    const alone = await runDeno([...WORKER_FLAGS, "--allow-read", ...script]);
    assert.deepEqual(JSON.parse(alone.stdout), { message: "NotCapable" });
    using listener = Deno.listen({ transport: "unix", path });
    const seen: BrokerRequest[] = [];
    const broker = answerAll(listener, seen);
    const env = { DENO_PERMISSION_BROKER_PATH: path };
    const brokered = await runDeno([...WORKER_FLAGS, ...script], { env });
    assert.deepEqual(JSON.parse(brokered.stdout), { message: "read true" });
    await broker;
    const keys = new Set(seen.flatMap((request) => Object.keys(request)));
    assert.deepEqual([...keys].sort(), ["datetime", "id", "permission", "pid", "v", "value"]);
    assert.equal(new Set(seen.map(({ pid }) => pid)).size, 1);
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
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  socket.end();
  const code = await ended;
  clearTimeout(timer);
  return code;
}

Deno.test({
  name: "platform [F26] a worker without permissions forges frames on an inherited descriptor",
  ignore: unixOnly,
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
  ignore: unixOnly,
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
  ignore: unixOnly,
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
