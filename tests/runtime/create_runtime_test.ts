import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { createRuntime } from "../../runtime/create_runtime.ts";
import { isRunning, soon, until } from "../workers/_wait.ts";
import { startRuntime } from "./_runtime.ts";

Deno.test("createRuntime() discovers, and works in cells and in the workspace it is given", async () => {
  await using test = await startRuntime({ fixtures: ["calls"] });
  assert.equal(test.runtime.isolation, "cell");
  assert.deepEqual(test.runtime.limits, []);
  assert.equal(test.runtime.workspace, test.workspace);
  assert.ok(test.runtime.registry.getAllToolNames().includes("call_echo"));
});

Deno.test("createRuntime() reads nothing when it is told not to discover", async () => {
  await using test = await startRuntime({ fixtures: ["calls"], discover: false });
  assert.equal(test.runtime.registry.snapshot().size, 0);
  assert.equal(test.runtime.lastDiscovery, undefined);
  assert.equal((await test.call("call_echo", {})).error?.code, "unknown_tool");
  await test.runtime.discover();
  assert.ok((await test.call("call_echo", {})).ok);
});

Deno.test("createRuntime() rejects a workspace that does not exist", async () => {
  const options = { registry: new ToolRegistry(), workspace: "/no/such/folder" };
  await assert.rejects(createRuntime(options), Deno.errors.NotFound);
});

Deno.test("createRuntime() tells each fault of the configuration with its place", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cloister-config-" });
  try {
    const path = `${folder}/cloister.json`;
    await Deno.writeTextFile(path, '{\n  "limits": { "timeoutMs": -1 },\n  "isolaton": {}\n}\n');
    const options = {
      registry: new ToolRegistry(),
      config: path,
      workspace: folder,
      cacheDir: `${folder}/cache`,
      roots: [],
      builtins: false,
    };
    await assert.rejects(createRuntime(options), (error: Error) => {
      const [head, ...faults] = error.message.split("\n");
      assert.equal(head, "Cannot use the configuration:");
      assert.equal(faults.length, 2);
      assert.ok(faults.some((fault) => fault.startsWith(`${path}:2:28: `)), error.message);
      assert.ok(faults.some((fault) => fault.startsWith(`${path}:3:3: `)), error.message);
      assert.match(error.message, /isolation/);
      return true;
    });
    await assert.rejects(createRuntime({ ...options, config: `${folder}/missing.json` }), Error);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("Runtime[Symbol.asyncDispose]() ends cells and calls in flight, and then nothing can be called", async () => {
  await using test = await startRuntime({ fixtures: ["calls"] });
  const pid = (await test.call("own_process", {})).structured as number;
  const begun = Promise.withResolvers<unknown>();
  const running = test.call("call_waits", {}, { onProgress: begun.resolve });
  await soon("its progress", begun.promise);
  assert.ok(isRunning(pid));
  await test.runtime[Symbol.asyncDispose]();
  assert.equal((await soon("the end", running)).error?.code, "tool_crashed");
  await until("the cell is gone", () => !isRunning(pid));
  await assert.rejects(test.call("call_echo", {}), {
    name: "TypeError",
    message: 'Cannot call "call_echo": the runtime was disposed of',
  });
  await test.runtime[Symbol.asyncDispose]();
});

interface Said {
  readonly isolation: string;
  readonly limits: readonly string[];
  readonly names: readonly string[];
  readonly calls: {
    readonly [name: string]: {
      readonly ok: boolean;
      readonly end: string;
      readonly isolation: string;
      readonly code?: string;
      readonly text: string;
    };
  };
  readonly skipped: readonly string[];
}

/** What a runtime says of itself in a process that may not start others. */
async function withoutRun(config: object): Promise<Said> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-flags-" }));
  try {
    const script = fileURLToPath(new URL("../fixtures/runtime/with_flags.ts", import.meta.url));
    const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-prompt",
        "--cached-only",
        "--allow-read",
        `--allow-write=${folder}`,
        "--allow-env",
        script,
        JSON.stringify({ folder, config }),
      ],
      stdin: "null",
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("createRuntime() runs only what the program links where no process may be started, and says so", async () => {
  const said = await withoutRun({});
  assert.equal(said.isolation, "none");
  assert.deepEqual(said.limits, [
    "No process may be started here: only tools that the program links itself can run",
  ]);
  assert.deepEqual(said.names, ["linked_inline"]);
  assert.deepEqual(said.calls.linked_inline, {
    ok: true,
    end: "completed",
    isolation: "inline",
    text: "ran inline",
  });
  assert.deepEqual(said.calls.call_echo, {
    ok: false,
    end: "never_started",
    isolation: "worker",
    code: "unavailable",
    text:
      'Tool "call_echo" is not available: No process may be started here to contain it (grant ' +
      "--allow-run=deno, or name it in isolation.inProcess of the configuration)",
  });
  assert.equal(said.calls.own_process?.code, "unavailable");
  assert.ok(said.skipped.includes("cell-start"));
});

Deno.test("createRuntime() runs what the operator names in this process where no process may be started, and says what that costs", async () => {
  const said = await withoutRun({ isolation: { inProcess: ["call_echo", "own_process"] } });
  assert.equal(said.isolation, "in-process");
  assert.match(said.limits.join(), /a tool that spins cannot be stopped/);
  assert.deepEqual(said.names, ["call_echo", "linked_inline"]);
  assert.deepEqual(said.calls.call_echo, {
    ok: true,
    end: "completed",
    isolation: "worker",
    text: "{}",
  });
  // It asks for a process of its own: that is never taken lightly.
  assert.deepEqual([said.calls.own_process?.code, said.calls.own_process?.isolation], [
    "unavailable",
    "process",
  ]);
  assert.match(said.calls.own_process!.text, /It needs a process of its own/);
});
