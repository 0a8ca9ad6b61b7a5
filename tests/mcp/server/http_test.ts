import assert from "node:assert/strict";
import {
  callTool,
  connect,
  ERAS,
  LEGACY,
  MODERN,
  post,
  send,
  serveHttp,
  startTools,
  within,
} from "./_server.ts";

const JSON_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: LEGACY,
    capabilities: {},
    clientInfo: { name: "test", version: "0" },
  },
};

/** Opens a session by hand. */
async function open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...JSON_HEADERS, ...headers },
    body: JSON.stringify(INITIALIZE),
  });
  await response.text();
  assert.equal(response.status, 200);
  return response.headers.get("mcp-session-id")!;
}

/** Sends a message in a session, and gives the status. */
async function status(
  url: string,
  session: string | undefined,
  { method = "POST", message, headers = {} }: {
    method?: string;
    message?: unknown;
    headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<number> {
  const response = await fetch(url, {
    method,
    headers: {
      ...JSON_HEADERS,
      ...(session === undefined ? {} : { "mcp-session-id": session }),
      ...headers,
    },
    ...(method === "POST"
      ? { body: JSON.stringify(message ?? { jsonrpc: "2.0", id: 2, method: "ping" }) }
      : {}),
  });
  await response.body?.cancel();
  return response.status;
}

for (const era of ERAS) {
  Deno.test(`createMcpHttpHandler() lists and calls for a client of ${era}`, async () => {
    await using test = await startTools();
    await using served = serveHttp(test);
    await using client = await connect(served.url, era);
    assert.equal(client.getNegotiatedProtocolVersion(), era);
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === "echo"));
    const { content } = await client.callTool({ name: "echo", arguments: { text: "over HTTP" } });
    assert.deepEqual(content, [{ type: "text", text: "over HTTP" }]);
  });

  Deno.test(`createMcpHttpHandler() tells a client of ${era} that the list changed, once for many changes`, async () => {
    await using test = await startTools();
    await using served = serveHttp(test);
    const told = Promise.withResolvers<readonly string[]>();
    let times = 0;
    await using client = await connect(served.url, era, {
      listChanged: {
        tools: {
          debounceMs: 0,
          onChanged: (_, tools) => {
            times++;
            told.resolve(tools?.map(({ name }) => name) ?? []);
          },
        },
      },
    });
    await client.listTools();
    for (let index = 0; index < 20; index++) {
      test.registry.register({
        name: `later_${index}`,
        toolset: "tests",
        description: "A tool that came later.",
        schema: { type: "object" },
        handler: () => "late",
      });
    }
    const names = await within(told.promise, "the change");
    assert.ok(names.includes("later_0") && names.includes("later_19"));
    assert.equal(times, 1);
    assert.deepEqual((await client.callTool({ name: "later_19" })).content, [
      { type: "text", text: "late" },
    ]);
  });
}

Deno.test("createMcpHttpHandler() cancels the call when a modern client closes the answer", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const abort = new AbortController();
  const call = send({
    url: served.url,
    method: "tools/call",
    params: { name: "wait", arguments: {} },
    signal: abort.signal,
  });
  call.catch(() => {});
  await within(test.probe.begun(), "the call");
  abort.abort();
  await assert.rejects(call);
  assert.match(await within(test.probe.stopped(), "the stop"), /cancelled/);
});

Deno.test("createMcpHttpHandler() lets a legacy call go on when its client only loses the connection", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const session = await open(served.url);
  const abort = new AbortController();
  const ended = Promise.withResolvers<string>();
  test.runtime.on("tool-call-end", ({ result }) => ended.resolve(result.content));
  const response = await fetch(served.url, {
    method: "POST",
    signal: abort.signal,
    headers: { ...JSON_HEADERS, "mcp-session-id": session },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { name: "wait", arguments: {} },
    }),
  });
  await within(test.probe.begun(), "the call");
  abort.abort();
  await response.body?.cancel().catch(() => {});
  // A request that is answered later than the loss shows that the server had time to notice.
  assert.equal(await status(served.url, session), 200);
  test.probe.release();
  assert.equal(await within(ended.promise, "the end"), "waited");
});

Deno.test("createMcpHttpHandler() cancels a legacy call when its client says so, or ends the session", async () => {
  for (const end of ["cancel", "delete"] as const) {
    await using test = await startTools();
    await using served = serveHttp(test);
    const session = await open(served.url);
    const call = status(served.url, session, {
      message: { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "wait" } },
    });
    await within(test.probe.begun(), "the call");
    if (end === "delete") {
      assert.equal(await status(served.url, session, { method: "DELETE" }), 200);
    } else {
      const params = { requestId: 7, reason: "changed my mind" };
      const message = { jsonrpc: "2.0", method: "notifications/cancelled", params };
      assert.equal(await status(served.url, session, { message }), 202);
    }
    assert.match(await within(test.probe.stopped(), "the stop"), /cancelled/);
    await call.catch(() => {});
  }
});

Deno.test("createMcpHttpHandler() ends the answer of a legacy call that its client cancelled", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const session = await open(served.url);
  const headers = { ...JSON_HEADERS, "mcp-session-id": session };
  const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "wait" } };
  const answer = fetch(served.url, { method: "POST", headers, body: JSON.stringify(call) });
  await within(test.probe.begun(), "the call");
  // Another one of the session goes on.
  const other = { ...call, id: 8 };
  const second = await fetch(served.url, { method: "POST", headers, body: JSON.stringify(other) });
  await within(test.probe.begun(), "the other call");
  const params = { requestId: 7 };
  const message = { jsonrpc: "2.0", method: "notifications/cancelled", params };
  assert.equal(await status(served.url, session, { message }), 202);
  const text = await within(answer.then((response) => response.text()), "the end of the answer");
  assert.doesNotMatch(text, /"result"|"error"/);
  test.probe.release();
  assert.match(await within(second.text(), "the other answer"), /"id":8/);
});

Deno.test("createMcpHttpHandler() takes new sessions for those whose clients dropped their streams", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { maxSessions: 2 });
  for (let round = 0; round < 6; round++) {
    const session = await open(served.url);
    const gone = new AbortController();
    const stream = await fetch(served.url, {
      headers: { accept: "text/event-stream", "mcp-session-id": session },
      signal: gone.signal,
    });
    assert.equal(stream.status, 200);
    gone.abort();
    await stream.body?.cancel().catch(() => {});
    // Answered after the loss.
    assert.equal(await status(served.url, session), 200);
  }
});

Deno.test("createMcpHttpHandler() keeps legacy sessions apart and forgets them when they are deleted", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const [first, second] = [await open(served.url), await open(served.url)];
  assert.notEqual(first, second);
  assert.equal(await status(served.url, undefined), 400);
  assert.equal(await status(served.url, crypto.randomUUID()), 404);
  assert.equal(await status(served.url, first), 200);
  assert.equal(await status(served.url, first, { method: "DELETE" }), 200);
  assert.equal(await status(served.url, first), 404);
  assert.equal(await status(served.url, second), 200);
  assert.equal(await status(served.url, undefined, { method: "GET" }), 400);
  assert.equal(await status(served.url, undefined, { method: "PUT" }), 405);
});

Deno.test("createMcpHttpHandler() holds a bounded number of sessions and ends the one that was quiet for longest", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { maxSessions: 2 });
  const first = await open(served.url);
  const second = await open(served.url);
  assert.equal(await status(served.url, first), 200, "now the second was quiet for longest");
  const third = await open(served.url);
  assert.equal(await status(served.url, second), 404);
  assert.equal(await status(served.url, first), 200);
  assert.equal(await status(served.url, third), 200);
});

Deno.test("createMcpHttpHandler() refuses a session where every other one has work", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { maxSessions: 1 });
  const session = await open(served.url);
  const stream = await fetch(served.url, {
    headers: { accept: "text/event-stream", "mcp-session-id": session },
  });
  assert.equal(stream.status, 200);
  const refused = await fetch(served.url, {
    method: "POST",
    headers: JSON_HEADERS,
    body: JSON.stringify(INITIALIZE),
  });
  await refused.text();
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "1");
  await stream.body?.cancel();
});

Deno.test("createMcpHttpHandler() refuses foreign hosts and origins [A24]", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { gate: { allowedOrigins: ["good.example"] } });
  const { port } = new URL(served.url);
  // fetch() does not send a Host of one's own.
  const raw = async (lines: readonly string[]) => {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
    const text = ["GET /mcp HTTP/1.1", ...lines, "connection: close", "", ""].join("\r\n");
    await connection.write(new TextEncoder().encode(text));
    const answer = await new Response(connection.readable).text();
    return answer.split(" ")[1];
  };
  assert.equal(await raw(["host: evil.example"]), "403");
  assert.equal(await raw([`host: 127.0.0.1:${port}`, "origin: https://evil.example"]), "403");
  assert.equal(await raw([`host: 127.0.0.1:${port}`, "origin: null"]), "403");
  assert.equal(await raw([`host: 127.0.0.1:${port}`, "origin: https://good.example"]), "400");
  assert.equal(await raw([`host: localhost:${port}`]), "400", "let in, and told to initialize");
});

Deno.test("createMcpHttpHandler() bounds bodies in type, size and time [A24]", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { maxBodyBytes: 1_000, bodyTimeoutMs: 200 });
  const answer = async (init: RequestInit) => {
    const response = await fetch(served.url, { method: "POST", headers: JSON_HEADERS, ...init });
    return [response.status, (await response.json()).error.code];
  };
  assert.deepEqual(await answer({ body: "{}", headers: { "content-type": "text/plain" } }), [
    415,
    -32000,
  ]);
  assert.deepEqual(await answer({ body: "{" }), [400, -32700]);
  assert.deepEqual(await answer({ body: new Uint8Array([34, 255, 34]) }), [400, -32700]);
  assert.deepEqual(await answer({ body: `"${"x".repeat(1_000)}"` }), [413, -32000]);
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(400).fill(32)),
  });
  assert.deepEqual(await answer({ body: endless }), [413, -32000], "of no announced length");
  const stuck = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
  });
  assert.deepEqual(await answer({ body: stuck }), [408, -32000]);
  using connection = await Deno.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(served.url).port),
  });
  const head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
  await connection.write(new TextEncoder().encode(`${head}content-length: 50\r\n\r\n{`));
  const buffer = new Uint8Array(12);
  await connection.read(buffer);
  assert.equal(new TextDecoder().decode(buffer), "HTTP/1.1 408", "announced, and never sent");
  assert.equal((await callTool(served.url, "echo", { text: "fits" })).status, 200);
});

Deno.test("createMcpHttpHandler() answers 429 to who comes too often, and to calls above the cap", async () => {
  await using test = await startTools();
  await using slow = serveHttp(test, { rateLimit: { perSecond: 0.5, burst: 2 } });
  assert.equal((await post({ url: slow.url, method: "tools/list" })).status, 200);
  assert.equal((await post({ url: slow.url, method: "tools/list" })).status, 200);
  const often = await post({ url: slow.url, method: "tools/list" });
  assert.equal(often.status, 429);
  assert.equal(often.headers.get("retry-after"), "2");
  await using capped = serveHttp(test, { maxConcurrentCalls: 1 });
  const waiting = callTool(capped.url, "wait");
  await within(test.probe.begun(), "the call");
  const full = await callTool(capped.url, "echo", { text: "a" });
  assert.equal(full.status, 429);
  assert.equal(full.headers.get("retry-after"), "1");
  assert.equal((await post({ url: capped.url, method: "tools/list" })).status, 200);
  test.probe.release();
  assert.equal((await waiting).body.result.content[0].text, "waited");
});

Deno.test("createMcpHttpHandler() compares arguments with the header fields that repeat them", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const call = async (args: unknown, headers: Readonly<Record<string, string>>) => {
    const { status, body } = await callTool(served.url, "header", args, { headers });
    return [status, body.error?.code ?? body.result.content[0].text];
  };
  assert.deepEqual(await call({ region: "eu" }, { "mcp-param-region": "eu" }), [200, "in eu"]);
  assert.deepEqual(await call({ region: "eu" }, { "mcp-param-region": "us" }), [400, -32020]);
  assert.deepEqual(await call({ region: "eu" }, {}), [400, -32020]);
  const encoded = `=?base64?${new TextEncoder().encode("Zürich").toBase64()}?=`;
  assert.deepEqual(await call({ region: "Zürich" }, { "mcp-param-region": encoded }), [
    200,
    "in Zürich",
  ]);
  assert.deepEqual(await call({ region: "x" }, { "mcp-param-region": "=?base64?eA?=" }), [
    400,
    -32020,
  ]);
  assert.deepEqual(
    await call({ region: "a", count: 42 }, {
      "mcp-param-region": "a",
      "mcp-param-count": "42.0",
    }),
    [200, "in a"],
  );
  assert.deepEqual(await call({}, { "mcp-param-region": "us" }), [200, "in undefined"]);
  assert.equal(test.probe.runs.get("header"), 4, "what was refused did not run");
  await using client = await connect(served.url, MODERN);
  await client.listTools();
  const sent = await client.callTool({ name: "header", arguments: { region: "Ünder", count: 3 } });
  assert.deepEqual(sent.content, [{ type: "text", text: "in Ünder" }]);
});

Deno.test("createMcpHttpHandler() answers wrong versions and missing header fields as the protocol asks", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const list = (more: object) => post({ url: served.url, method: "tools/list", ...more });
  const future = await list({
    headers: { "mcp-protocol-version": "2099-01-01" },
    meta: { "io.modelcontextprotocol/protocolVersion": "2099-01-01" },
  });
  assert.deepEqual([future.status, future.body.error.code], [400, -32022]);
  assert.deepEqual(future.body.error.data.supported, [MODERN]);
  const mismatch = await list({ headers: { "mcp-method": "tools/call" } });
  assert.deepEqual([mismatch.status, mismatch.body.error.code], [400, -32020]);
  const unknown = await post({ url: served.url, method: "tools/other" });
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, -32601]);
});

Deno.test("createMcpHttpHandler() lets calls under way end before it closes, and takes no new ones", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const waiting = callTool(served.url, "wait");
  await within(test.probe.begun(), "the call");
  const closing = served.handler.close(10_000);
  assert.equal((await post({ url: served.url, method: "tools/list" })).status, 503);
  test.probe.release();
  assert.equal((await waiting).body.result.content[0].text, "waited");
  await within(closing, "the end");
});

Deno.test("createMcpHttpHandler() cancels calls that outlast the grace", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const waiting = callTool(served.url, "wait");
  waiting.catch(() => {});
  await within(test.probe.begun(), "the call");
  await within(served.handler.close(50), "the end");
  assert.match(await within(test.probe.stopped(), "the stop"), /cancelled/);
  await waiting.catch(() => {});
});

Deno.test("createMcpHttpHandler() ends subscriptions and streams when it closes", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const session = await open(served.url);
  const stream = await fetch(served.url, {
    headers: { accept: "text/event-stream", "mcp-session-id": session },
  });
  const listen = await send({
    url: served.url,
    method: "subscriptions/listen",
    params: { notifications: { toolsListChanged: true } },
  });
  assert.equal(listen.status, 200);
  await served.handler.close();
  assert.equal(await within(stream.text(), "the end of the stream"), "");
  assert.match(await within(listen.text(), "the end of the subscription"), /acknowledged/);
});

Deno.test("createMcpHttpHandler() does not wait for clients that read nothing", async () => {
  await using test = await startTools();
  await using served = serveHttp(test);
  const stuck = await Promise.all(Array.from({ length: 20 }, () =>
    send({
      url: served.url,
      method: "tools/call",
      params: { name: "long", arguments: { chars: 90_000 } },
      meta: { progressToken: 1 },
    })));
  const { body } = await within(callTool(served.url, "echo", { text: "quick" }), "the answer");
  assert.equal(body.result.content[0].text, "quick");
  for (const response of stuck) await response.body?.cancel();
});

Deno.test("createMcpHttpHandler() refuses to serve where tools run in this process", async () => {
  await using test = await startTools();
  const { createMcpHttpHandler } = await import("../../../mcp/server/http_handler.ts");
  const { serveMcpStdio } = await import("../../../mcp/server/serve_stdio.ts");
  const inProcess = new Proxy(test.runtime, {
    get: (target, key) => key === "isolation" ? "in-process" : Reflect.get(target, key, target),
  });
  const expected = /Cannot serve MCP where tools run in the server's own process/;
  assert.throws(() => createMcpHttpHandler(inProcess), expected);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  await assert.rejects(serveMcpStdio(inProcess, { readable, writable }), expected);
});

Deno.test("createMcpHttpHandler() refuses options out of range", async () => {
  await using test = await startTools();
  const { createMcpHttpHandler } = await import("../../../mcp/server/http_handler.ts");
  assert.throws(() => createMcpHttpHandler(test.runtime, { pageSize: 0 }), {
    name: "RangeError",
    message: 'Cannot serve MCP with "pageSize" 0: expected a number >= 1',
  });
});
