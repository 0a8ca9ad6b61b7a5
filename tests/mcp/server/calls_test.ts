import assert from "node:assert/strict";
import {
  callTool,
  connect,
  ERAS,
  LEGACY,
  MODERN,
  post,
  serveHttp,
  serveStreams,
  startTools,
  within,
} from "./_server.ts";

for (const era of ERAS) {
  Deno.test(`serveMcpStdio() answers a client of ${era} with its tools and their results`, async () => {
    await using test = await startTools();
    await using served = serveStreams(test);
    await using client = await connect(served.transport, era);
    assert.equal(client.getNegotiatedProtocolVersion(), era);
    const { tools } = await client.listTools();
    const echo = tools.find(({ name }) => name === "echo");
    assert.equal(echo?.description, "The tool echo.");
    assert.deepEqual(echo?.inputSchema, {
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
      additionalProperties: false,
    });
    const { content, isError } = await client.callTool({
      name: "echo",
      arguments: { text: "hello" },
    });
    assert.deepEqual(content, [{ type: "text", text: "hello" }]);
    assert.equal(isError, undefined);
    assert.deepEqual(client.getServerVersion(), { name: "cloister", version: "1.2.3" });
  });

  Deno.test(`tools/call answers a client of ${era} with a protocol error for an unknown tool alone`, async () => {
    await using test = await startTools();
    await using served = serveStreams(test);
    await using client = await connect(served.transport, era);
    await assert.rejects(client.callTool({ name: "ecko" }), {
      code: -32602,
      message: /Unknown tool: "ecko"\. Did you mean "echo"\?/,
    });
    await assert.rejects(client.callTool({ name: "constructor" }), { code: -32602 });
    const invalid = await client.callTool({ name: "echo", arguments: { text: 5, more: 1 } });
    assert.equal(invalid.isError, true);
    assert.match(JSON.stringify(invalid.content), /invalid_arguments/);
    const failed = await client.callTool({ name: "fails" });
    assert.equal(failed.isError, true);
    const [{ text }] = failed.content as unknown as [{ text: string }];
    assert.equal(JSON.parse(text).code, "tool_error");
    assert.match(JSON.parse(text).error, /no luck/);
    assert.doesNotMatch(text, /\.ts:\d/);
  });

  Deno.test(`tools/call cancels the tool when a client of ${era} on streams cancels`, async () => {
    await using test = await startTools();
    await using served = serveStreams(test);
    await using client = await connect(served.transport, era);
    const abort = new AbortController();
    const call = client.callTool({ name: "wait" }, { signal: abort.signal });
    call.catch(() => {});
    await within(test.probe.begun(), "the call");
    abort.abort();
    assert.match(await within(test.probe.stopped(), "the stop"), /cancelled/);
    await assert.rejects(call);
    // The connection is as good as before.
    const after = await client.callTool({ name: "echo", arguments: { text: "still here" } });
    assert.deepEqual(after.content, [{ type: "text", text: "still here" }]);
  });

  Deno.test(`tools/call reports growing progress to a client of ${era} that asked, until the result`, async () => {
    await using test = await startTools();
    await using served = serveStreams(test);
    await using client = await connect(served.transport, era);
    const seen: unknown[] = [];
    const asked = await client.callTool(
      { name: "progress", arguments: { values: [1, 3, 2, 3, 50] } },
      { onprogress: (progress) => void seen.push(progress) },
    );
    assert.deepEqual(asked.content, [{ type: "text", text: "done" }]);
    assert.deepEqual(seen, [
      { progress: 1, total: 1, message: "at 1" },
      { progress: 3, total: 3, message: "at 3" },
      { progress: 50, total: 50, message: "at 50" },
    ]);
    const before = served.lines.length;
    await client.callTool({ name: "progress", arguments: { values: [1, 2] } });
    assert.equal(served.lines.length, before + 1, "without a token there is only the result");
  });
}

Deno.test("tools/call sends no flood of progress, and always the last value", async () => {
  await using test = await startTools();
  await using served = serveStreams(test);
  await using client = await connect(served.transport, MODERN);
  const seen: number[] = [];
  const values = Array.from({ length: 500 }, (_, index) => index);
  await client.callTool({ name: "progress", arguments: { values } }, {
    onprogress: ({ progress }) => void seen.push(progress),
  });
  assert.ok(seen.length >= 2 && seen.length <= 30, `${seen.length} reports`);
  assert.equal(seen.at(-1), 499);
});

Deno.test("tools/call sends log records of the level that a legacy client set, and none before", async () => {
  await using test = await startTools();
  await using served = serveStreams(test);
  await using client = await connect(served.transport, LEGACY);
  const seen: unknown[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => void seen.push(params));
  await client.callTool({ name: "logs" });
  assert.deepEqual(seen, []);
  await client.setLoggingLevel("info");
  await client.callTool({ name: "logs" });
  assert.deepEqual(seen, [
    { level: "info", logger: "logs", data: "\\u{1b}[31mred\\u{1b}[0m" },
    { level: "error", logger: "logs", data: "big" },
  ]);
});

Deno.test("tools/call sends log records of the level that a modern request names", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const silent = await callTool(served.url, "logs");
  assert.deepEqual(silent.events, []);
  const meta = { "io.modelcontextprotocol/logLevel": "error" };
  const { events } = await callTool(served.url, "logs", {}, { meta });
  assert.deepEqual(events.map(({ method, params }) => [method, params.level, params.data]), [
    ["notifications/message", "error", "big"],
  ]);
});

Deno.test("tools/call gives structured results as objects up to 2025-11-25, and as they are from then on", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  await using legacy = await connect(served.url, LEGACY);
  await using modern = await connect(served.url, MODERN);
  for (const client of [legacy, modern]) {
    const object = await client.callTool({ name: "object" });
    assert.deepEqual(object.structuredContent, { a: 1 });
    assert.deepEqual(object.content, [{ type: "text", text: '{"a":1}' }]);
    const parts = await client.callTool({ name: "parts" });
    assert.deepEqual(parts.content, [
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource_link", uri: "test://x", name: "x" },
      { type: "text", text: '{"seen":true}' },
    ]);
    assert.deepEqual(parts.structuredContent, { seen: true });
  }
  const list = await legacy.callTool({ name: "list" });
  assert.equal(list.structuredContent, undefined);
  assert.deepEqual(list.content, [{ type: "text", text: "[1,2]" }]);
  assert.deepEqual((await modern.callTool({ name: "list" })).structuredContent, [1, 2]);
  // The SDK wraps schema and value alike for a legacy client.
  const promised = await legacy.callTool({ name: "counts_list" });
  assert.deepEqual(promised.structuredContent, { result: [3, 4] });
  assert.deepEqual((await modern.callTool({ name: "counts_list" })).structuredContent, [3, 4]);
});

Deno.test("tools/call holds back a structured result that its outputSchema does not allow", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const good = await callTool(served.url, "counts", { answer: { words: 3 } });
  assert.deepEqual(good.body.result.structuredContent, { words: 3 });
  assert.equal(good.body.result.isError, undefined);
  const bad = await callTool(served.url, "counts", { answer: { words: "three" } });
  assert.equal(bad.body.result.isError, true);
  assert.equal(bad.body.result.structuredContent, undefined);
  assert.match(bad.body.result.content[0].text, /invalid_result/);
});

Deno.test("tools/call refuses calls above the cap, and takes them again afterwards", async () => {
  await using test = await startTools();
  await using served = serveStreams(test, { maxConcurrentCalls: 1 });
  await using client = await connect(served.transport, MODERN);
  const waiting = client.callTool({ name: "wait" });
  await within(test.probe.begun(), "the call");
  const refused = await client.callTool({ name: "echo", arguments: { text: "a" } });
  assert.equal(refused.isError, true);
  assert.match(JSON.stringify(refused.content), /Too many calls/);
  test.probe.release();
  assert.deepEqual((await waiting).content, [{ type: "text", text: "waited" }]);
  const taken = await client.callTool({ name: "echo", arguments: { text: "b" } });
  assert.deepEqual(taken.content, [{ type: "text", text: "b" }]);
});

Deno.test("tools/call runs tools of files in their sandbox, whatever they print", async () => {
  const noisy = `import { registry } from "@cloister/cloister/tool";
registry.register({
  name: "noisy", toolset: "own", description: "Prints.", schema: { type: "object" },
  handler: () => {
    console.log('{"jsonrpc":"2.0","id":1,"result":{}}');
    console.error("noise");
    return "quiet";
  },
});
`;
  await using test = await startTools({ files: { "noisy.ts": noisy } });
  await using served = serveStreams(test);
  await using client = await connect(served.transport, LEGACY);
  const { content } = await client.callTool({ name: "noisy" });
  assert.deepEqual(content, [{ type: "text", text: "quiet" }]);
  for (const line of served.lines) assert.notEqual(line, '{"jsonrpc":"2.0","id":1,"result":{}}');
});

Deno.test("buildServer() offers no prompts and no listed resources, and says so", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { instructions: "Use echo" });
  await using client = await connect(served.url, LEGACY);
  assert.equal(client.getInstructions(), "Use echo");
  assert.deepEqual(client.getServerCapabilities(), {
    tools: { listChanged: true },
    resources: {},
    prompts: {},
    logging: {},
  });
  assert.deepEqual((await client.listPrompts()).prompts, []);
  assert.deepEqual((await client.listResources()).resources, []);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
    "cloister://results/{file}",
  ]);
  await assert.rejects(client.getPrompt({ name: "x" }), { code: -32602 });
  const completion = await post({ url: served.url, method: "completion/complete" });
  assert.equal(completion.body.error.code, -32601);
});
