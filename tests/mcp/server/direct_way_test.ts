import assert from "node:assert/strict";
import type { JSONRPCMessage, JSONRPCRequest, Transport } from "@modelcontextprotocol/server";
import { buildServer } from "../../../mcp/server/build_server.ts";
import type { DirectServer } from "../../../mcp/server/direct_server.ts";
import { isPlainRequest } from "../../../mcp/server/direct_way.ts";
import { McpService } from "../../../mcp/server/mcp_service.ts";
import { connect, ERAS, LEGACY, serveStreams, startTools, within } from "./_server.ts";

/** One end of a connection that keeps what is sent. */
class Kept implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #sent: JSONRPCMessage[] = [];
  #next = Promise.withResolvers<JSONRPCMessage>();

  get sent(): readonly JSONRPCMessage[] {
    return this.#sent;
  }

  /** The next message that is sent from now on. */
  next(): Promise<JSONRPCMessage> {
    this.#next = Promise.withResolvers();
    return within(this.#next.promise, "the message");
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#sent.push(message);
    this.#next.resolve(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}

interface Connected extends AsyncDisposable {
  readonly server: DirectServer;
  readonly channel: Kept;
  readonly wire: Kept;
  readonly test: Awaited<ReturnType<typeof startTools>>;
}

async function connected(): Promise<Connected> {
  const test = await startTools();
  const service = new McpService(test.runtime, { version: "1.0.0" });
  const [channel, wire] = [new Kept(), new Kept()];
  const server = buildServer(service, { isModern: false, principal: "anybody", wire });
  await server.connect(channel);
  const greeted = channel.next();
  const params = {
    protocolVersion: LEGACY,
    capabilities: {},
    clientInfo: { name: "t", version: "0" },
  };
  channel.onmessage!({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  await greeted;
  return {
    server,
    channel,
    wire,
    test,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      service[Symbol.dispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}

function request(id: number, name: string, args = {}, meta?: unknown): JSONRPCRequest {
  const params = {
    name,
    arguments: args,
    ...(meta === undefined ? {} : { _meta: meta as never }),
  };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

function textOf(message: JSONRPCMessage): string {
  const { result } = message as unknown as { result: { content: { text: string }[] } };
  return result.content[0]!.text;
}

Deno.test("DirectServer.takeCall() takes calls only after one came over the channel, and answers them on the wire", async () => {
  await using all = await connected();
  const { server, channel, wire } = all;
  assert.equal(server.takeCall(request(1, "echo", { text: "a" })), false);
  const first = channel.next();
  channel.onmessage!(request(1, "echo", { text: "a" }));
  assert.equal(textOf(await first), "a");
  const second = wire.next();
  assert.equal(server.takeCall(request(2, "echo", { text: "b" })), true);
  assert.equal(textOf(await second), "b");
  // What comes over the channel is answered over it.
  const third = channel.next();
  channel.onmessage!(request(3, "echo", { text: "c" }));
  assert.equal(textOf(await third), "c");
  assert.deepEqual([channel.sent.length, wire.sent.length], [3, 1]);
});

Deno.test("DirectServer.takeCall() leaves to the SDK what is not plain, and everything once it is closed", async () => {
  await using all = await connected();
  const { server, channel } = all;
  const first = channel.next();
  channel.onmessage!(request(1, "echo", { text: "a" }));
  await first;
  assert.equal(server.takeCall(request(2, "echo", {}, "no object")), false);
  await server.close();
  assert.equal(server.takeCall(request(3, "echo", { text: "b" })), false);
});

Deno.test("DirectServer.takeCall() ends a call that is cancelled, without an answer", async () => {
  await using all = await connected();
  const { server, channel, wire, test } = all;
  const first = channel.next();
  channel.onmessage!(request(1, "echo", { text: "a" }));
  await first;
  const begun = test.probe.begun();
  assert.equal(server.takeCall(request(2, "wait")), true);
  await within(begun, "the call");
  const params = { requestId: 2 };
  channel.onmessage!({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  assert.match(await within(test.probe.stopped(), "the stop"), /cancelled/);
  // Its number can be used again, over the channel too.
  const again = channel.next();
  channel.onmessage!(request(2, "echo", { text: "b" }));
  assert.equal(textOf(await again), "b");
  assert.deepEqual(wire.sent, []);
});

Deno.test("isPlainRequest() is true only for requests that the SDK takes", () => {
  const plain = (more: unknown) =>
    isPlainRequest({ jsonrpc: "2.0", id: 1, method: "tools/call", ...more as object });
  assert.equal(plain({ params: {} }), true);
  assert.equal(plain({ params: { _meta: { progressToken: "a", other: null } } }), true);
  assert.equal(plain({ params: { _meta: { progressToken: 7 } } }), true);
  for (const _meta of [null, "text", 1, [], { progressToken: 1.5 }, { progressToken: null }]) {
    assert.equal(plain({ params: { _meta } }), false, JSON.stringify(_meta));
  }
  const related = { "io.modelcontextprotocol/related-task": 1 };
  assert.equal(plain({ params: { _meta: related } }), false);
  assert.equal(plain({}), false);
  assert.equal(plain({ params: {}, extra: 1 }), false);
});

for (const era of ERAS) {
  Deno.test(`serveMcpStdio() answers calls of ${era} that follow one another and that come together alike`, async () => {
    await using test = await startTools();
    await using served = serveStreams(test);
    await using client = await connect(served.transport, era);
    const echo = async (text: string) => {
      const { content } = await client.callTool({ name: "echo", arguments: { text } });
      return (content as { text: string }[])[0]!.text;
    };
    for (const text of ["a", "b", "c"]) assert.equal(await echo(text), text);
    const many = Array.from({ length: 20 }, (_, index) => `n${index}`);
    assert.deepEqual(await Promise.all(many.map(echo)), many);
    await assert.rejects(client.callTool({ name: "no_such_tool" }), { code: -32602 });
    assert.deepEqual(served.faults, []);
  });
}
