import assert from "node:assert/strict";
import {
  connect,
  ERAS,
  LEGACY,
  LineWire,
  MODERN,
  serveStreams,
  startTools,
  within,
} from "./_server.ts";

function spawn(): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", new URL("_stdio_child.ts", import.meta.url).pathname],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: LEGACY,
    capabilities: {},
    clientInfo: { name: "test", version: "0" },
  },
});
const call = (id: number, name: string, args: unknown = {}) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: args },
  });

for (const era of ERAS) {
  Deno.test(`serveMcpStdio() serves a client of ${era} from a process, and ends with its stdin`, async () => {
    const child = spawn();
    const wire = new LineWire(child.stdout, child.stdin);
    const client = await connect(wire, era);
    const { content } = await client.callTool({ name: "echo", arguments: { text: "far" } });
    assert.deepEqual(content, [{ type: "text", text: "far" }]);
    await client.close();
    assert.equal((await within(child.status, "the end", 20_000)).code, 0);
    for (const line of wire.lines) assert.equal(JSON.parse(line).jsonrpc, "2.0");
  });

  Deno.test(`serveMcpStdio() tells a client of ${era} that the list changed`, async () => {
    await using test = await startTools();
    await using served = serveStreams(test);
    const told = Promise.withResolvers<void>();
    await using client = await connect(served.transport, era, {
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 0, onChanged: () => told.resolve() },
      },
    });
    await client.listTools();
    test.registry.deregister("echo", { owner: "program" });
    await within(told.promise, "the change");
  });
}

Deno.test("serveMcpStdio() answers what is under way when no more can come", async () => {
  await using test = await startTools();
  await using served = serveStreams(test);
  await served.sendLine(INITIALIZE);
  await served.nextLine();
  await served.sendLine(call(2, "wait"));
  await within(test.probe.begun(), "the call");
  await served.end();
  test.probe.release();
  const answer = JSON.parse(await within(served.nextLine(), "the answer"));
  assert.deepEqual([answer.id, answer.result.content[0].text], [2, "waited"]);
  await within(served.finished, "the end");
});

Deno.test("serveMcpStdio() cancels what takes too long to end, and when it is told to stop", async () => {
  await using test = await startTools();
  const stop = new AbortController();
  await using served = serveStreams(test, { drainMs: 20, signal: stop.signal });
  await served.sendLine(INITIALIZE);
  await served.nextLine();
  await served.sendLine(call(2, "wait"));
  await within(test.probe.begun(), "the call");
  stop.abort();
  await within(served.finished, "the end");
  assert.match(await within(test.probe.stopped(), "the stop"), /cancelled/);
  assert.equal(served.lines.length, 1, "nothing was said about it");
});

Deno.test("serveMcpStdio() answers lines that are no messages, and goes on [A11]", async () => {
  await using test = await startTools();
  await using served = serveStreams(test, { maxLineBytes: 1_000 });
  const errorOf = async (line: string) => {
    await served.sendLine(line);
    const { id, error } = JSON.parse(await within(served.nextLine(), "the answer"));
    return [id, error.code];
  };
  assert.deepEqual(await errorOf("nonsense"), [null, -32700]);
  assert.deepEqual(await errorOf("x".repeat(5_000)), [null, -32700]);
  assert.deepEqual(await errorOf('{"id":5}'), [5, -32600]);
  assert.deepEqual(await errorOf("[]"), [null, -32600]);
  assert.deepEqual(await errorOf('{"jsonrpc":"1.0","id":"a","method":"ping"}'), ["a", -32600]);
  await served.sendLine("");
  await served.sendLine(INITIALIZE + "\r");
  assert.equal(JSON.parse(await served.nextLine()).result.protocolVersion, LEGACY);
});

Deno.test("serveMcpStdio() bounds the rate of calls", async () => {
  await using test = await startTools();
  await using served = serveStreams(test, { rateLimit: { perSecond: 0.001, burst: 1 } });
  await using client = await connect(served.transport, MODERN);
  const first = await client.callTool({ name: "echo", arguments: { text: "a" } });
  assert.deepEqual(first.content, [{ type: "text", text: "a" }]);
  await assert.rejects(client.callTool({ name: "echo", arguments: { text: "b" } }), {
    code: -32000,
    message: /Too many calls: try again in \d+ ms/,
  });
  assert.equal(test.probe.runs.get("echo"), 1);
});

Deno.test("serveMcpStdio() ends when its client stops reading for good", async () => {
  await using test = await startTools();
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const broken = new WritableStream<Uint8Array>({
    write: () => Promise.reject(new Error("Broken pipe")),
  });
  const { serveMcpStdio } = await import("../../../mcp/server/serve_stdio.ts");
  const finished = serveMcpStdio(test.runtime, { readable: input.readable, writable: broken });
  const writer = input.writable.getWriter();
  writer.write(new TextEncoder().encode(INITIALIZE + "\n")).catch(() => {});
  await within(finished, "the end");
});
