import assert from "node:assert/strict";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { WorkerMessage } from "../../workers/protocol.ts";
import { Asker } from "../../workers/asker.ts";
import { createContext, createEnv } from "../../workers/tool_context.ts";

function makeContext(
  more: {
    workspace?: string;
    env?: string[];
    config?: JsonObject;
    alsoResolves?: string;
  } = {},
): { context: ToolContext; sent: WorkerMessage[]; abort: (reason: unknown) => void } {
  const sent: WorkerMessage[] = [];
  const controller = new AbortController();
  const call = {
    callId: "call-1",
    workspace: "/home/space",
    data: "/data/tool",
    env: [],
    config: {},
    ...more,
  };
  const send = (message: WorkerMessage) => sent.push(message);
  const context = createContext(7, call, controller.signal, send, new Asker(7, send));
  return { context, sent, abort: (reason) => controller.abort(reason) };
}

Deno.test("createContext() gives the call's id, folders and signal, frozen", () => {
  const { context, abort } = makeContext();
  assert.ok(Object.isFrozen(context));
  assert.equal(context.callId, "call-1");
  assert.equal(context.workspace, "/home/space");
  assert.equal(context.data, "/data/tool");
  assert.equal(context.signal.aborted, false);
  abort("why");
  assert.equal(context.signal.reason, "why");
});

Deno.test("context.resolve() gives absolute paths inside the workspace", () => {
  const { context } = makeContext();
  const cases: [path: string, absolute: string][] = [
    ["a.txt", "/home/space/a.txt"],
    ["./b/../a.txt", "/home/space/a.txt"],
    ["", "/home/space"],
    [".", "/home/space"],
    ["/home/space", "/home/space"],
    ["/home/space/deep/a", "/home/space/deep/a"],
    ["..hidden", "/home/space/..hidden"],
    ["...", "/home/space/..."],
  ];
  for (const [path, absolute] of cases) assert.equal(context.resolve(path), absolute);
});

Deno.test("context.resolve() refuses to leave the workspace", () => {
  const { context } = makeContext();
  const paths = [
    "..",
    "../space2/a",
    "../space/../other",
    "a/../../b",
    "/",
    "/etc/passwd",
    "/home/spaceship",
    "/home/space/../other",
    "x/../../../etc/passwd",
  ];
  for (const path of paths) {
    assert.throws(() => context.resolve(path), {
      name: "ToolError",
      message:
        `Cannot resolve path "${path}": it leaves the workspace "/home/space". Give a path inside it`,
    });
  }
});

Deno.test("context.resolve() refuses what is no path", () => {
  const { context } = makeContext();
  for (const path of ["a\0b", 7, null, undefined, ["a"]]) {
    assert.throws(() => context.resolve(path as string), ToolError);
  }
});

Deno.test("context.resolve() lets the one tool that reads them reach spilled results, and nothing beside them", () => {
  const { context } = makeContext({ alsoResolves: "/cache/spill" });
  assert.equal(context.resolve("/cache/spill/a.txt"), "/cache/spill/a.txt");
  assert.equal(context.resolve("a.txt"), "/home/space/a.txt");
  for (const path of ["/cache", "/cache/spill/../data", "/cache/spillover/a"]) {
    assert.throws(() => context.resolve(path), ToolError);
  }
});

Deno.test({
  name: "context.resolve() follows links inside the workspace, and refuses those that lead out",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-links-" }));
    try {
      const workspace = `${base}/space`;
      await Deno.mkdir(`${workspace}/folder`, { recursive: true });
      await Deno.mkdir(`${base}/outside`);
      await Deno.writeTextFile(`${workspace}/folder/a.txt`, "inside");
      await Deno.symlink("folder", `${workspace}/within`);
      await Deno.symlink(`${base}/outside`, `${workspace}/out`);
      await Deno.symlink(`${base}/nowhere`, `${workspace}/dangling`);
      await Deno.symlink("loop", `${workspace}/loop`);
      const { context } = makeContext({ workspace });
      for (const path of ["within/a.txt", "within/new/b.txt", "folder/../folder/a.txt", "new"]) {
        assert.equal(context.resolve(path), `${workspace}/${path.replace("folder/../", "")}`);
      }
      for (const path of ["out", "out/a.txt", "out/new/deep.txt", "dangling", "dangling/a"]) {
        assert.throws(() => context.resolve(path), {
          name: "ToolError",
          message: `Cannot resolve path "${path}": a link on the way leads out of the workspace ` +
            `"${workspace}". Give a path that stays inside`,
        });
      }
    } finally {
      await Deno.remove(base, { recursive: true });
    }
  },
});

Deno.test("createContext() works in a workspace that is the root folder", () => {
  const { context } = makeContext({ workspace: "/" });
  assert.equal(context.resolve("etc/hosts"), "/etc/hosts");
  assert.equal(context.resolve("../../etc"), "/etc");
});

Deno.test("context.config is frozen at every depth", () => {
  const { context } = makeContext({ config: { a: { b: [1, { c: 2 }] } } });
  const { a } = context.config as { a: { b: [number, { c: number }] } };
  assert.throws(() => (a.b[1].c = 3), TypeError);
  assert.throws(() => a.b.push(4 as never), TypeError);
});

Deno.test("context.env() reads granted variables only", () => {
  const { context } = makeContext({ env: ["PATH"] });
  assert.equal(context.env("PATH"), Deno.env.get("PATH"));
  assert.throws(() => context.env("HOME"), {
    name: "ToolError",
    message: 'Cannot read environment variable "HOME": add it to permissions.env of the tool',
  });
  assert.throws(() => createEnv([])("PATH"), ToolError);
});

Deno.test("context.log writes records with level, call and data", () => {
  const { context, sent } = makeContext();
  context.log.debug("d");
  context.log.info("i", { a: 1 });
  context.log.warn("w");
  context.log.error("e");
  assert.deepEqual(sent, [
    { type: "log", id: 7, level: "debug", message: "d", data: undefined },
    { type: "log", id: 7, level: "info", message: "i", data: { a: 1 } },
    { type: "log", id: 7, level: "warning", message: "w", data: undefined },
    { type: "log", id: 7, level: "error", message: "e", data: undefined },
  ]);
});

Deno.test("context.log bounds a text, and a record that cannot be sent does not fail the call", () => {
  const { context, sent } = makeContext();
  context.log.info("x".repeat(20_000));
  assert.equal((sent[0] as { message: string }).message.length, 16_384);

  const tried: WorkerMessage[] = [];
  const call = { callId: "c", workspace: "/", data: "/", env: [], config: {} };
  const send = (message: WorkerMessage) => {
    tried.push(message);
    if (tried.length === 1) throw new TypeError("Not JSON");
  };
  const signal = new AbortController().signal;
  const refusing = createContext(1, call, signal, send, new Asker(1, send));
  refusing.log.info("m", { n: 10n } as never);
  assert.equal(
    (tried[1] as { message: string }).message,
    "A log record could not be written as JSON",
  );
});

Deno.test("context.progress() sends the first report and the last, and few between", () => {
  const { context, sent } = makeContext();
  context.progress(1, 1000, "begun");
  for (let value = 2; value < 1000; value++) context.progress(value, 1000);
  context.progress(1000, 1000);
  assert.deepEqual(sent[0], {
    type: "progress",
    id: 7,
    value: 1,
    total: 1000,
    message: "begun",
  });
  assert.deepEqual(sent.at(-1), {
    type: "progress",
    id: 7,
    value: 1000,
    total: 1000,
    message: undefined,
  });
  assert.ok(sent.length < 100, `${sent.length} reports`);
});

Deno.test("context.elicit(), sample() and listRoots() send their questions with numbers and keys", () => {
  const { context, sent } = makeContext();
  void context.elicit({ key: "sure", message: "Sure?", requestedSchema: { type: "object" } });
  void context.sample({ messages: [], maxTokens: 5 });
  void context.listRoots();
  assert.deepEqual(sent, [
    {
      type: "ask",
      id: 7,
      ask: 1,
      method: "elicitation/create",
      key: "sure",
      params: { message: "Sure?", requestedSchema: { type: "object" } },
    },
    {
      type: "ask",
      id: 7,
      ask: 2,
      method: "sampling/createMessage",
      params: { messages: [], maxTokens: 5 },
    },
    { type: "ask", id: 7, ask: 3, method: "roots/list", params: {} },
  ]);
});
