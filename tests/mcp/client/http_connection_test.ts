import assert from "node:assert/strict";
import { readServers } from "../../../mcp/config/read_servers.ts";
import {
  type HttpServer,
  serve,
  serveEventStream,
  serveModern,
  serveSessions,
} from "./_http_servers.ts";
import { type Arena, callOptions, failureOf, openArena, specOf, textOf, toolOf } from "./_arena.ts";

async function connected(
  server: HttpServer,
  ...[spec, services]: [Parameters<typeof specOf>[1]?, Parameters<typeof openArena>[1]?]
): Promise<Arena> {
  const arena = openArena(specOf(server.launch, spec), services);
  await arena.connection.connect();
  return arena;
}

function echo(arena: Arena, options: Parameters<typeof callOptions>[0] = {}) {
  return arena.connection.callTool(toolOf("echo"), { text: "x" }, callOptions(options));
}

for (
  const [era, start, version] of [
    ["modern", serveModern, "2026-07-28"],
    ["legacy", serveSessions, "2025-11-25"],
  ] as const
) {
  Deno.test(`ServerConnection speaks the ${era} era over HTTP`, async () => {
    await using server = start();
    await using arena = await connected(server);
    assert.equal(arena.connection.status.protocolVersion, version);
    assert.equal(arena.connection.status.containment, "remote");
    assert.equal((await arena.connection.listTools()).length, 10);
    assert.equal(textOf(await echo(arena)), "x");
    const options = callOptions({
      answer: () => Promise.resolve({ action: "accept", content: { name: "Ann" } }),
    });
    assert.equal(textOf(await arena.connection.callTool(toolOf("ask"), {}, options)), "Hello Ann");
    const steps = callOptions();
    await arena.connection.callTool(toolOf("steps"), {}, steps);
    assert.deepEqual(steps.heard.progress.map(([value]) => value), [1, 2, 3]);
  });

  Deno.test(`ServerConnection gives up a call of the ${era} era over HTTP`, async () => {
    await using server = start();
    await using arena = await connected(server);
    const failure = await failureOf(
      arena.connection.callTool(toolOf("wait"), {}, callOptions({ timeoutMs: 200 })),
    );
    assert.equal(failure.code, "timeout");
    assert.equal(textOf(await echo(arena)), "x");
  });
}

Deno.test("ServerConnection reaches a server of the older transport whose entry says sse, and only then", async () => {
  await using server = serveEventStream();
  const { url } = server.launch;
  const entries = { told: { type: "sse", url, headers: { "x-key": "abc" } }, untold: { url } };
  const { servers, faults } = readServers(entries, {
    environment: () => undefined,
    origin: "config",
  });
  assert.deepEqual(faults, []);
  const [told, untold] = servers;
  assert.deepEqual(told!.launch, {
    kind: "http",
    url,
    transport: "sse",
    headers: { "x-key": "abc" },
  });
  await using arena = openArena(told!);
  await arena.connection.connect();
  assert.equal(arena.connection.status.protocolVersion, "2025-11-25");
  assert.equal((await arena.connection.listTools()).length, 10);
  assert.equal(textOf(await echo(arena)), "x");
  const options = callOptions({
    answer: () => Promise.resolve({ action: "accept", content: { name: "Ann" } }),
  });
  assert.equal(textOf(await arena.connection.callTool(toolOf("ask"), {}, options)), "Hello Ann");
  assert.ok(server.requests.length > 3);
  for (const { headers } of server.requests) assert.equal(headers.get("x-key"), "abc");
  await using other = openArena(untold!);
  await assert.rejects(other.connection.connect());
});

Deno.test("ServerConnection [case 98] hears of new tools over HTTP", async () => {
  await using server = serveModern();
  await using arena = await connected(server);
  server.handler.notify.toolsChanged();
  await arena.until("the change", () => arena.changes() === 1);
});

Deno.test("ServerConnection sends the headers of the configuration with every request", async () => {
  await using server = serveModern();
  const launch = { ...server.launch, headers: { "x-key": "abc" } };
  await using arena = openArena(specOf(launch));
  await arena.connection.connect();
  await echo(arena);
  assert.ok(server.requests.length >= 2);
  assert.deepEqual(
    new Set(server.requests.map(({ headers }) => headers.get("x-key"))),
    new Set(["abc"]),
  );
});

Deno.test("ServerConnection says that the outcome is unknown when a session expired, unless a repeat is harmless", async () => {
  await using server = serveSessions();
  await using arena = await connected(server);
  server.sessions.clear();
  const { code, message } = await failureOf(echo(arena));
  assert.equal(code, "outcome_unknown");
  assert.match(message, /does not know the session any more/);
  await arena.until("the next session", () => arena.connection.status.state === "connected");
  server.sessions.clear();
  assert.equal(textOf(await echo(arena, { repeatable: true })), "x");
});

Deno.test("ServerConnection ends its session when it is closed", async () => {
  await using server = serveSessions();
  const arena = await connected(server);
  assert.equal(server.sessions.size, 1);
  await arena.connection[Symbol.asyncDispose]();
  assert.equal(server.sessions.size, 0);
});

for (
  const [what, respond, expected] of [
    ["401", () => new Response("no", { status: 401 }), /requires authorization \(HTTP 401\)/],
    ["403", () => new Response("no", { status: 403 }), /denied access \(HTTP 403\)/],
    ["404", () => new Response("nothing here", { status: 404 }), /nothing here/],
    ["a page", () => new Response("<p>", { headers: { "content-type": "text/html" } }), /unusable/],
    [
      "a redirect to another origin",
      () => new Response(null, { status: 307, headers: { location: "http://localhost:9/mcp" } }),
      /Redirect to http:\/\/localhost:9\/mcp not followed/,
    ],
  ] as const
) {
  Deno.test(`ServerConnection fails at once on a server that answers ${what}`, async () => {
    await using server = serve(respond);
    await using arena = openArena(specOf(server.launch));
    assert.match((await failureOf(arena.connection.connect())).message, expected);
    assert.deepEqual(arena.states, ["connecting", "failed"]);
    assert.match(arena.connection.status.error ?? "", expected);
  });
}

Deno.test("ServerConnection says that a server is unavailable that went away, and finds it again", async () => {
  const server = serveModern();
  const { port } = new URL(server.launch.url);
  await using arena = await connected(server);
  await server[Symbol.asyncDispose]();
  const { code, retryable, message } = await failureOf(echo(arena));
  assert.deepEqual([code, retryable], ["unavailable", true]);
  assert.match(message, /Cannot reach server "sample" while calling tool "echo": .*refused/);
  assert.equal(arena.connection.status.state, "degraded");
  const next = serveModern();
  await using _again = next;
  await using _front = Deno.serve(
    { hostname: "127.0.0.1", port: Number(port), onListen: () => {} },
    (request) => next.handler.fetch(request),
  );
  await arena.until("the server", () => arena.connection.status.state === "connected");
  await arena.connection[Symbol.asyncDispose]();
});

Deno.test("ServerConnection says that the outcome is unknown when the stream of a call breaks", async () => {
  await using server = serveModern();
  const broken = await interposed(server, async (request) => {
    const { method } = await request.clone().json();
    if (method !== "tools/call") return undefined;
    const body = new ReadableStream({ start: (controller) => controller.close() });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  await using _broken = broken;
  await using arena = await connected(broken);
  const { code, message } = await failureOf(echo(arena));
  assert.equal(code, "outcome_unknown");
  assert.match(message, /The stream ended without an answer/);
});

for (const status of [500, 501, 502, 504, 599]) {
  Deno.test(`ServerConnection says that the outcome is unknown when a call is answered with ${status}`, async () => {
    await using server = serveModern();
    let ran = 0;
    const failing = await interposed(server, async (request) => {
      const { method } = await request.clone().json();
      if (method !== "tools/call") return undefined;
      // The tool runs, and then something between it and us fails.
      assert.equal((await server.handler.fetch(request)).status, 200);
      ran++;
      return new Response("broken", { status });
    });
    await using _failing = failing;
    await using arena = await connected(failing);
    const { code, end, message } = await failureOf(echo(arena));
    assert.deepEqual([code, end, ran], ["outcome_unknown", "unsettled", 1]);
    assert.match(message, /It may have run; look before calling it again$/);
  });
}

for (const status of [429, 503]) {
  Deno.test(`ServerConnection says that a server was busy and did not begin when it answers ${status}`, async () => {
    await using server = serveModern();
    const busy = await interposed(server, async (request) => {
      const { method } = await request.clone().json();
      return method === "tools/call" ? new Response("busy", { status }) : undefined;
    });
    await using _busy = busy;
    await using arena = await connected(busy);
    const { code, end, retryable } = await failureOf(echo(arena));
    assert.deepEqual([code, end, retryable], ["unavailable", "never_started", true]);
  });
}

Deno.test("ServerConnection [A23] takes no answer over HTTP that bears another id", async () => {
  await using server = serveModern();
  const forging = await interposed(server, async (request) => {
    const { method, id } = await request.clone().json();
    if (method !== "tools/call") return undefined;
    const result = { resultType: "complete", content: [{ type: "text", text: "forged" }] };
    const wrong = [String(id), id + 1, "", null].map((each) => ({
      jsonrpc: "2.0",
      id: each,
      result,
    }));
    const right = { jsonrpc: "2.0", id, result: { ...result, content: [] } };
    const events = [...wrong, right].map((each) => `data: ${JSON.stringify(each)}\n\n`).join("");
    return new Response(events, { headers: { "content-type": "text/event-stream" } });
  });
  await using _forging = forging;
  await using arena = await connected(forging);
  assert.deepEqual((await echo(arena)).content, []);
});

Deno.test("ServerConnection leaves out tools that ask for bad headers", async () => {
  await using server = serveModern();
  const schema = (name: unknown) => ({
    type: "object",
    properties: { region: { type: "string", "x-mcp-header": name } },
  });
  const listing = await interposed(server, async (request) => {
    const { method, id } = await request.clone().json();
    if (method !== "tools/list") return undefined;
    const tools = [["good", "Region"], ["bad", "a b"]].map(([name, header]) => ({
      name,
      inputSchema: schema(header),
    }));
    const result = { resultType: "complete", ttlMs: 0, cacheScope: "private", tools };
    return Response.json({ jsonrpc: "2.0", id, result });
  });
  await using _listing = listing;
  await using arena = await connected(listing);
  const tools = await arena.connection.listTools();
  assert.deepEqual(tools.map(({ name }) => name), ["good"]);
  assert.ok(arena.log.some((line) => line.includes('Tool "bad" is left out of the list')));
  await arena.connection.callTool(
    { name: "echo", inputSchema: schema("Region") as never },
    { text: "x", region: "é" },
    callOptions(),
  );
  const sent = listing.requests.map(({ headers }) => headers.get("mcp-param-region"));
  assert.equal(sent.at(-1), "=?base64?w6k=?=");
});

// Answers some requests itself and passes the others on.
function interposed(
  server: ReturnType<typeof serveModern>,
  respond: (request: Request) => Promise<Response | undefined>,
): HttpServer {
  return serve(async (request) => await respond(request) ?? await server.handler.fetch(request));
}

Deno.test("ServerConnection fetches a newer definition when a server misses headers, and calls once more", async () => {
  await using server = serveModern();
  const inputSchema = {
    type: "object",
    properties: { text: { type: "string", "x-mcp-header": "Text" } },
  };
  const strict = await interposed(server, async (request) => {
    const { method, id } = await request.clone().json();
    const answer = (result: object) =>
      Response.json({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result } });
    if (method === "tools/list") {
      return answer({ ttlMs: 0, cacheScope: "private", tools: [{ name: "echo", inputSchema }] });
    }
    if (method !== "tools/call") return undefined;
    if (request.headers.get("mcp-param-text") === "x") return answer({ content: [] });
    const error = { code: -32_020, message: "Header mismatch" };
    return Response.json({ jsonrpc: "2.0", id, error }, { status: 400 });
  });
  await using _strict = strict;
  await using arena = await connected(strict);
  assert.deepEqual((await echo(arena)).content, []);
});

for (
  const [what, inputRequests, expected] of [
    [
      "asks for a model",
      { a: { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } } },
      /It asked for "sampling\/createMessage", which this client does not offer/,
    ],
    [
      "asks without end",
      { a: { method: "elicitation/create", params: { message: "?", requestedSchema: {} } } },
      /It still asked for more after 10 rounds/,
    ],
  ] as const
) {
  Deno.test(`ServerConnection fails a call in which a server of the modern era ${what}`, async () => {
    await using server = serveModern();
    const asking = await interposed(server, async (request) => {
      const { method, id } = await request.clone().json();
      if (method !== "tools/call") return undefined;
      const result = { resultType: "input_required", inputRequests, requestState: "s" };
      return Response.json({ jsonrpc: "2.0", id, result });
    });
    await using _asking = asking;
    await using arena = await connected(asking);
    const { code, message } = await failureOf(echo(arena));
    assert.equal(code, "tool_error");
    assert.match(message, expected);
  });
}

Deno.test("ServerConnection speaks the older transport with two endpoints", async () => {
  const events = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2024-11-05",
      capabilities: { tools: {} },
      serverInfo: { name: "old", version: "1" },
    },
    "tools/call": { content: [{ type: "text", text: "x" }] },
  };
  await using server = serve(async (request) => {
    if (request.method === "GET") {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(encoder.encode("event: endpoint\ndata: /messages\n\n"));
          events.resolve(controller);
        },
      });
      return new Response(stream, { headers: { "content-type": "text/event-stream" } });
    }
    const { id, method } = await request.json();
    if (id !== undefined) {
      const body = results[method] === undefined
        ? { error: { code: -32_601, message: "Method not found" } }
        : { result: results[method] };
      const line = JSON.stringify({ jsonrpc: "2.0", id, ...body });
      (await events.promise).enqueue(encoder.encode(`event: message\ndata: ${line}\n\n`));
    }
    return new Response(null, { status: 202 });
  });
  await using arena = openArena(specOf({ ...server.launch, transport: "sse" }));
  await arena.connection.connect();
  assert.equal(arena.connection.status.protocolVersion, "2024-11-05");
  assert.equal(textOf(await echo(arena)), "x");
});
