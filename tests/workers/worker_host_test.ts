import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { NO_GRANTS, type ResolvedGrants } from "../../core/permissions.ts";
import { parseWorkerMessage } from "../../workers/guards.ts";
import { type HostMessage, PROTOCOL_VERSION, type WorkerMessage } from "../../workers/protocol.ts";
import { decodeTagged, encodeHostMessage } from "../../workers/wire.ts";
import { WorkerHost } from "../../workers/worker_host.ts";
import { soon } from "./_wait.ts";

const fixtures = new URL("../fixtures/modules/", import.meta.url);

interface Watched {
  readonly host: WorkerHost;
  readonly ended: Promise<{ how: string; message: string }>;
  readonly ends: number;
  say(message: HostMessage): void;
  hear(type: WorkerMessage["type"]): Promise<WorkerMessage>;
}

function start(grants: Partial<ResolvedGrants> = {}): Watched {
  const heard: WorkerMessage[] = [];
  const waiting: (() => void)[] = [];
  const ended = Promise.withResolvers<{ how: string; message: string }>();
  let ends = 0;
  const host = new WorkerHost({ ...NO_GRANTS, ...grants }, {
    onPacket: (packet) => {
      heard.push(parseWorkerMessage(decodeTagged(packet))!);
      for (const wake of waiting.splice(0)) wake();
    },
    onEnd: (how, message) => {
      ends++;
      ended.resolve({ how, message });
    },
  });
  return {
    host,
    ended: ended.promise,
    get ends() {
      return ends;
    },
    say: (message) => host.post(encodeHostMessage(message)),
    hear: async (type) => {
      for (;;) {
        const found = heard.findIndex((message) => message.type === type);
        if (found >= 0) return heard.splice(found, 1)[0]!;
        await soon(type, new Promise<void>((resolve) => waiting.push(resolve)));
      }
    },
  };
}

function load(module: string, more: Partial<ResolvedGrants> = {}): Watched {
  const url = new URL(module, fixtures);
  const watched = start({ ...more, read: [fileURLToPath(url), ...more.read ?? []] });
  watched.say({ type: "load", protocol: PROTOCOL_VERSION, url: url.href });
  return watched;
}

function callOf(tool: string, args = {}): HostMessage {
  const context = { callId: "c", workspace: "/", data: "/", env: [], config: {} };
  return { type: "call", id: 1, tool, args, context };
}

Deno.test("WorkerHost loads a module, runs a call, and is gone when it is dropped", async () => {
  const worker = load("basics.ts");
  const ready = await worker.hear("ready");
  assert.ok(ready.type === "ready" && ready.tools.includes("echo"));
  worker.say(callOf("echo", { a: 1 }));
  const result = await worker.hear("result");
  assert.ok(result.type === "result");
  assert.deepEqual(result.value, { kind: "text", text: '{"a":1}' });
  assert.equal(await worker.host.drop(), true);
  assert.equal(worker.ends, 0);
});

Deno.test("WorkerHost gives its worker exactly the grants it is told, and inherits nothing", async () => {
  const descriptors = [
    { name: "read", path: "/etc" },
    { name: "write", path: "/etc" },
    { name: "net", host: "example.com" },
    { name: "env", variable: "PATH" },
    { name: "run", command: "deno" },
    { name: "sys", kind: "hostname" },
    { name: "ffi" },
    { name: "import" },
    { name: "read", path: "/tmp/granted" },
    { name: "env", variable: "LANG" },
  ];
  const worker = load("more.ts", { read: ["/tmp/granted"], env: ["LANG"] });
  await worker.hear("ready");
  worker.say(callOf("grants", { descriptors }));
  const result = await worker.hear("result");
  assert.ok(result.type === "result" && result.value.kind === "json");
  const granted = (result.value.value as string[]).map((state) => state === "granted");
  assert.deepEqual(granted, [...Array(8).fill(false), true, true]);
  await worker.host.drop();
});

Deno.test("WorkerHost cannot load a module that its worker may not read", async () => {
  const worker = start();
  worker.say({
    type: "load",
    protocol: PROTOCOL_VERSION,
    url: new URL("basics.ts", fixtures).href,
  });
  const failed = await worker.hear("load-failed");
  assert.ok(failed.type === "load-failed");
  assert.equal(failed.error.code, "permission_denied");
  await worker.host.drop();
});

Deno.test("WorkerHost refuses a runner of another protocol version", async () => {
  const worker = start();
  worker.say({
    type: "load",
    protocol: PROTOCOL_VERSION + 1,
    url: new URL("basics.ts", fixtures).href,
  });
  const failed = await worker.hear("load-failed");
  assert.ok(failed.type === "load-failed");
  assert.equal(failed.error.message, "The runner has another protocol version");
  await worker.host.drop();
});

for (const tool of ["exits", "process_exits", "closes"]) {
  Deno.test(`WorkerHost tells once that its worker ended itself (${tool})`, async () => {
    const worker = load("endings.ts");
    await worker.hear("ready");
    worker.say(callOf(tool));
    const end = await soon("the end", worker.ended);
    assert.deepEqual(end, { how: "exited", message: "The tool ended its own worker" });
    await worker.host.drop();
    assert.equal(worker.ends, 1);
  });
}

Deno.test("WorkerHost answers a ping while a handler waits", async () => {
  const worker = load("basics.ts");
  await worker.hear("ready");
  worker.say(callOf("never"));
  worker.say({ type: "ping", id: 12 });
  assert.deepEqual(await worker.hear("pong"), { type: "pong", id: 12 });
  await worker.host.drop();
});

Deno.test("WorkerHost keeps tool code from speaking on the runner's channel", async () => {
  const worker = load("more.ts");
  await worker.hear("ready");
  worker.say(callOf("forges"));
  const result = await worker.hear("result");
  assert.ok(result.type === "result" && result.value.kind === "text");
  assert.match(result.value.text, /^Cannot post a message from a tool/);
  await worker.host.drop();
});
