/**
 * Facts F3, F4, F7, F9 and F17: what workers share with their process and with each other.
 * @module
 */
import assert from "node:assert/strict";
import {
  fixture,
  runDeno,
  type RunDenoOptions,
  type RunDenoResult,
  WORKER_FLAGS,
} from "./_helpers.ts";

const noSignals = Deno.build.os === "windows";

function act(
  permissions: unknown,
  action: readonly [name: string, argument: string],
  { flags = [], host = "worker_host.ts", ...options }: RunDenoOptions & {
    readonly flags?: readonly string[];
    readonly host?: string;
  } = {},
): Promise<RunDenoResult> {
  const worker = host === "worker_host.ts" ? ["./acts_worker.ts"] : [];
  const words = [fixture(host), ...worker, JSON.stringify(permissions), JSON.stringify(action)];
  return runDeno([...WORKER_FLAGS, "--allow-read", ...flags, ...words], options);
}

Deno.test({
  name: "platform [F3] a worker without permissions may end its own process by a signal",
  ignore: noSignals,
  fn: async () => {
    const { signal, stdout } = await act("none", ["signal", "SIGTERM"]);
    assert.deepEqual([signal, stdout], ["SIGTERM", ""]);
  },
});

Deno.test({
  name: "platform [F3] SIGUSR1 from a worker opens the inspector of its process on 127.0.0.1:9229",
  ignore: noSignals,
  fn: async () => {
    const host = fixture("opens_inspector.ts");
    // With --quiet the inspector keeps its address to itself.
    const flags = WORKER_FLAGS.filter((flag) => flag !== "--quiet");
    const { stdout, stderr } = await runDeno([...flags, "--allow-read", host]);
    assert.equal(stdout.trim(), "sent");
    // Where something else holds the port, the attempt is what can be seen.
    assert.match(stderr, /Debugger listening on ws:\/\/127\.0\.0\.1:9229|at "127\.0\.0\.1:9229"/);
  },
});

Deno.test("platform [F4] a worker without permissions writes and reads the streams of its process", async () => {
  const answer = await act("none", ["stdio", "a line"], { stdin: "typed by a person" });
  const [line, message] = answer.stdout.split("\n");
  assert.equal(line, "a line to stdout");
  assert.equal(answer.stderr, "a line to stderr\n");
  assert.deepEqual(JSON.parse(message!), { message: "typed by a person" });
});

Deno.test("platform [F7] workers share channels, caches, locks, arguments, process id and V8 flags", async () => {
  const cache = await Deno.makeTempDir();
  try {
    const host = [fixture("shares_host.ts"), "an argument"];
    const env = { DENO_DIR: cache };
    const { stdout } = await runDeno([...WORKER_FLAGS, "--allow-read", ...host], { env });
    const { found, pid } = JSON.parse(stdout);
    assert.deepEqual(found, {
      channel: "answer from a cellmate",
      cache: "cached",
      locks: ["platform"],
      flag: "function",
      args: ["an argument"],
      pid,
    });
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
});

Deno.test("platform [F9] revoking in a worker without the deno option also revokes in its parent", async () => {
  const options = { flags: ["--allow-env=CLOISTER_PIN"], host: "revoked_host.ts" };
  const revoke = ["revoke", "CLOISTER_PIN"] as const;
  const shared = await act(null, revoke, options);
  assert.equal(shared.stdout.trim(), '["prompt","NotCapable"]');
  for (const copied of ["inherit", { env: ["CLOISTER_PIN"] }]) {
    const { stdout } = await act(copied, revoke, options);
    assert.equal(stdout.trim(), '["prompt","unset"]');
  }
});

Deno.test("platform [F17] Deno.chdir in a worker with read moves the whole process", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    const options = { flags: ["--allow-env=CLOISTER_PIN"], host: "changed_host.ts" };
    const moved = await act({ read: [folder] }, ["chdir", folder], options);
    assert.equal(moved.stdout.trim(), JSON.stringify(["done", folder, "unset"]));
    const refused = await act("none", ["chdir", folder], options);
    const [answer, cwd] = JSON.parse(refused.stdout);
    assert.match(answer, /^NotCapable: Requires read access/);
    assert.notEqual(cwd, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("platform [F17] Deno.env.set in a worker with env changes the whole process", async () => {
  const options = { flags: ["--allow-env=CLOISTER_PIN"], host: "changed_host.ts" };
  const set = await act({ env: ["CLOISTER_PIN"] }, ["setenv", "CLOISTER_PIN"], options);
  const [answer, , value] = JSON.parse(set.stdout);
  assert.deepEqual([answer, value], ["done", "set by the worker"]);
});
