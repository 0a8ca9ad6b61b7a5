import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { until } from "./_arena.ts";
import { makePlaces, type Places, type Served, startServe } from "./_mcp_arena.ts";

const TOKEN = "attack-token-of-the-test";
const EVIL = "https://evil.example";

let places: Places;
let served: Served;

Deno.test.beforeAll(async () => {
  places = await makePlaces([]);
  served = await startServe(places, { CLOISTER_TOKEN: TOKEN });
});

Deno.test.afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await places[Symbol.asyncDispose]();
});

const LIST = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/list",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "attack", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};

/** The fields of a request that is as it should be. */
function fields(): Record<string, string> {
  return {
    host: `127.0.0.1:${served.port}`,
    authorization: `Bearer ${TOKEN}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/list",
  };
}

interface Wire {
  readonly method?: string;
  readonly path?: string;
  /** Fields that differ; `undefined` leaves one out. */
  readonly fields?: Readonly<Record<string, string | undefined>>;
  /** Lines that come after the fields as they are. */
  readonly lines?: readonly string[];
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

function requestText({ method = "POST", path = "/mcp", lines = [], ...wire }: Wire): string {
  const body = wire.body ?? JSON.stringify(LIST);
  const all = { ...fields(), "content-length": String(body.length), ...wire.fields };
  const named = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`]
  );
  return [`${method} ${path} HTTP/1.1`, ...named, ...lines, "connection: close", "", body]
    .join("\r\n");
}

async function openSocket(): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: served.port });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Sends bytes as they are, and reads to the end of the connection. */
async function send(wire: Wire): Promise<Answer> {
  const socket = await openSocket();
  try {
    const answer = answerOf(socket);
    socket.write(requestText(wire));
    return await answer;
  } finally {
    socket.destroy();
  }
}

async function answerOf(socket: Socket): Promise<Answer> {
  let text = "";
  const complete = Promise.withResolvers<void>();
  socket.on("data", (bytes) => {
    text += bytes.toString();
    if (isComplete(text)) complete.resolve();
  });
  socket.on("close", () => complete.resolve());
  await complete.promise;
  const [head = ""] = text.split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, text };
}

// Who did not send all of a body is answered, but not always hung up on.
function isComplete(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /^content-length: (\d+)/im.exec(text.slice(0, end))?.[1];
  return length === undefined
    ? text.endsWith("\r\n0\r\n\r\n") || / 204 /.test(text.slice(0, 20))
    : text.length - end - 4 >= Number(length);
}

async function staysReady(): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${served.url}/readyz`, { headers });
  await answer.body?.cancel();
  assert.equal(answer.status, 200);
}

async function refused(wire: Wire, ...statuses: number[]): Promise<Answer> {
  const answer = await send(wire);
  const shown = JSON.stringify(wire).slice(0, 200);
  assert.ok(statuses.includes(answer.status), `${shown}: ${answer.text.slice(0, 500)}`);
  assert.doesNotMatch(answer.text, /"neighbour"/, shown);
  return answer;
}

Deno.test("attack [A24] twin a request as it should be is answered over /mcp", async () => {
  const { status, text } = await send({});
  assert.equal(status, 200, text);
  assert.match(text, /"neighbour"/);
});

Deno.test("attack [A24] twin a real client with the token lists and calls over /mcp", async () => {
  const client = new Client({ name: "twin", version: "1" });
  const headers = { authorization: `Bearer ${TOKEN}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit: { headers } }),
  );
  assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), [
    "neighbour",
    "read_result",
  ]);
  const result = await client.callTool({ name: "neighbour", arguments: { n: 4 } });
  assert.deepEqual(result.structuredContent ?? JSON.parse(JSON.stringify(result.content)), {
    n: 4,
  });
  await client.close();
});

Deno.test("attack [A24] foreign Host on /mcp: refused", async () => {
  for (const host of ["evil.example", `evil.example:${served.port}`, "127.0.0.1:1", "", "[::1"]) {
    await refused({ fields: { host } }, 400, 403);
  }
  await refused({ lines: ["host: evil.example"] }, 400, 403);
  await refused({ path: "http://evil.example/mcp" }, 400, 403);
  await staysReady();
});

Deno.test("attack [A24] foreign Origin on /mcp: refused for every method", async () => {
  for (const method of ["POST", "GET", "DELETE", "OPTIONS"]) {
    for (const origin of [EVIL, "null", "http://127.0.0.1.evil.example", "file://", "x\u0001"]) {
      const { head } = await refused({ method, fields: { origin } }, 400, 403);
      assert.doesNotMatch(head, /access-control-allow-origin/i);
    }
  }
  await staysReady();
});

Deno.test("attack [A24] missing and wrong tokens on /mcp: refused", async () => {
  const wrong = [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Basic ${btoa(`user:${TOKEN}`)}`,
    `Bearer x, Bearer ${TOKEN}`,
  ];
  for (const authorization of wrong) {
    for (const method of ["POST", "GET", "DELETE"]) {
      const { head, text } = await refused({ method, fields: { authorization } }, 400, 401);
      if (/ 401 /.test(head)) assert.match(head, /^www-authenticate: Bearer/im);
      assert.ok(!text.includes(TOKEN));
    }
  }
  await refused({ path: `/mcp?access_token=${TOKEN}`, fields: { authorization: undefined } }, 401);
  await staysReady();
});

Deno.test("attack [A24] an announced gigabyte for /mcp: refused unread", async () => {
  await refused({ fields: { "content-length": "1000000000" } }, 413);
  await refused({ fields: { "content-length": "99999999999999999999999999" } }, 400, 413);
  await refused({ fields: { "content-length": "-1" } }, 400, 413);
  await staysReady();
});

Deno.test("attack [A24] a streamed gigabyte for /mcp: stopped at the limit", async () => {
  const socket = await openSocket();
  const answer = answerOf(socket);
  const fields = { "content-length": undefined, "transfer-encoding": "chunked" };
  socket.write(requestText({ fields, body: "" }));
  const chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
  let sent = 0;
  let ended = false;
  const settled = answer.then((text) => (ended = true, text));
  while (!ended && sent < 1_000_000_000 && !socket.destroyed) {
    sent += 0x10000;
    const flushed = Promise.withResolvers<void>();
    socket.write(chunk, () => flushed.resolve());
    await Promise.race([flushed.promise, settled]);
  }
  assert.equal((await settled).status, 413);
  assert.ok(sent < 64_000_000, `${sent} bytes were taken`);
  await staysReady();
});

Deno.test("attack [A24] a body for /mcp that never comes: ended by the deadline", async () => {
  const startedAt = performance.now();
  const { status } = await send({ fields: { "content-length": "2000" }, body: '{"jsonrpc":' });
  const tookMs = performance.now() - startedAt;
  assert.equal(status, 408);
  assert.ok(tookMs < 15_000, `It took ${tookMs} ms`);
  await staysReady();
});

Deno.test("attack [A24] hundreds of connections to /mcp that say nothing: stays ready", async () => {
  const idle = await Promise.all(Array.from({ length: 400 }, openSocket));
  try {
    for (const socket of idle) socket.write("POST /mcp HTTP/1.1\r\n");
    await staysReady();
    assert.equal((await send({})).status, 200);
  } finally {
    for (const socket of idle) socket.destroy();
  }
});

Deno.test("attack [A24] a flood of sessions on /mcp: bounded, stays ready", async () => {
  const initialize = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "flood", version: "1" },
    },
  });
  const headers = { ...fields() };
  for (const name of ["host", "mcp-protocol-version", "mcp-method"]) delete headers[name];
  const open = async (): Promise<number> => {
    const answer = await fetch(`${served.url}/mcp`, { method: "POST", headers, body: initialize });
    await answer.body?.cancel();
    return answer.status;
  };
  const statuses = new Map<number, number>();
  for (let round = 0; round < 60; round++) {
    for (const status of await Promise.all(Array.from({ length: 20 }, open))) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  for (const status of statuses.keys()) assert.ok([200, 429, 503].includes(status), `${status}`);
  await staysReady();
  // Whatever was refused or dropped: somebody new is answered again.
  await until(async () => await open() === 200, "a new session", 20_000);
});

Deno.test("attack [A24] path tricks around /mcp: refused", async () => {
  const paths = [
    "/mcp/../tools",
    "/mcp/%2e%2e/tools",
    "/x/../mcp",
    "/x/%2E%2e/mcp",
    "//mcp",
    "/mcp//",
    "/MCP",
    "/mcp%00",
    "/mcp%0d%0aset-cookie:%20a=b",
    "/mcp;x=1",
    "/mcp/tools/neighbour/call",
    "/mcp\\..\\tools",
  ];
  for (const path of paths) {
    const { head } = await refused({ path }, 400, 404, 405);
    assert.doesNotMatch(head, /set-cookie/i);
  }
  // Another spelling of the same path leads behind the same gate.
  for (const path of ["/%6dcp", "/mcp/", "/mcp?x=1"]) {
    await refused({ path, fields: { authorization: undefined } }, 401, 404);
  }
  await staysReady();
});

Deno.test("attack [A24] header injection over /mcp: nothing of it comes back as a field", async () => {
  const evil = "x\\r\\nset-cookie: a=b";
  const hostile: Wire[] = [
    { fields: { "mcp-session-id": "x\rset-cookie: a=b" } },
    { fields: { "mcp-session-id": evil } },
    { fields: { "mcp-protocol-version": evil } },
    { fields: { "mcp-method": "=?base64?eA0Kc2V0LWNvb2tpZTogYT1i?=" } },
    { fields: { "last-event-id": evil }, method: "GET" },
    { lines: ["x: y\r\n z"] },
    { lines: ["content-length: 5"] },
    { lines: ["transfer-encoding: chunked"] },
    {
      body: JSON.stringify({ ...LIST, id: "1\r\nset-cookie: a=b" }),
      fields: {},
    },
    {
      body: JSON.stringify({
        ...LIST,
        method: "tools/call",
        params: { ...LIST.params, name: "x\r\nset-cookie: a=b", arguments: {} },
      }),
      fields: { "mcp-method": "tools/call", "mcp-name": "=?base64?eA0Kc2V0LWNvb2tpZTogYT1i?=" },
    },
  ];
  for (const wire of hostile) {
    const { head, status } = await send(wire);
    assert.ok(status >= 200 && status < 500, `${JSON.stringify(wire)}: ${status}`);
    assert.doesNotMatch(head, /^set-cookie/im, JSON.stringify(wire));
  }
  await staysReady();
});

Deno.test("attack [A24] bodies that are no message for /mcp: refused", async () => {
  const bodies = [
    "",
    "null",
    "[]",
    "7",
    '"x"',
    "{",
    "[".repeat(100_000),
    '{"a":'.repeat(50_000) + "1" + "}".repeat(50_000),
    `[${Array.from({ length: 10_000 }, () => JSON.stringify(LIST)).join().slice(0, 900_000)}`,
    '{"jsonrpc":"2.0","id":1,"method":"tools/list","__proto__":{"x":1}}',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
  ];
  for (const body of bodies) await refused({ body }, 400);
  await refused({ fields: { "content-type": "text/plain" } }, 400, 415);
  await refused({ fields: { "content-encoding": "gzip" } }, 400, 415);
  await staysReady();
});
