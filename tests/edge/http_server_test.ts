import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import type { HttpHandlerOptions } from "../../edge/http_handler.ts";
import { startHttpServer } from "../../edge/http_server.ts";
import { failure, type FakeOptions, fakeRuntime, success } from "./fake_runtime.ts";

function serve(fake: FakeOptions = {}, options: Omit<HttpHandlerOptions, "port"> = {}) {
  const { runtime, calls } = fakeRuntime(fake);
  const server = startHttpServer(runtime, { port: 0, ...options });
  return { server, calls, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Sends bytes as they are and reads until the status line and head are there. */
async function head(socket: Socket, text: string): Promise<string> {
  let answer = "";
  const complete = Promise.withResolvers<string>();
  socket.on("data", (bytes) => {
    answer += bytes.toString();
    if (answer.includes("\r\n\r\n")) complete.resolve(answer);
  });
  socket.on("close", () => complete.resolve(answer));
  socket.write(text);
  return await complete.promise;
}

async function raw(port: number, text: string): Promise<string> {
  const socket = await openSocket(port);
  try {
    return await head(socket, text);
  } finally {
    socket.destroy();
  }
}

function callHead(port: number, ...fields: string[]): string {
  const lines = ["POST /tools/echo/call HTTP/1.1", `Host: 127.0.0.1:${port}`];
  return [...lines, "Content-Type: application/json", ...fields, "", ""].join("\r\n");
}

async function assertReady(url: string): Promise<void> {
  const answer = await fetch(url + "/readyz");
  assert.equal(answer.status, 200);
  await answer.body?.cancel();
}

Deno.test("startHttpServer() serves calls on loopback with its own port as the only one", async () => {
  await using context = serve();
  const { server } = context;
  const answer = await fetch(`${server.url}/tools/echo/call`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"text":"hi"}',
  });
  assert.equal((await answer.json()).content, '{"text":"hi"}');
  const wrongPort = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n";
  assert.match(await raw(server.port, wrongPort), /^HTTP\/1\.1 403 /);
});

Deno.test("startHttpServer() refuses a rebound name, an absolute request line and two Hosts", async () => {
  await using context = serve();
  const { port, url } = context.server;
  const rebound = `GET /tools HTTP/1.1\r\nHost: evil.example:${port}\r\n\r\n`;
  assert.match(await raw(port, rebound), /^HTTP\/1\.1 403 /);
  const absolute = `GET http://evil.example/tools HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  assert.match(await raw(port, absolute), /^HTTP\/1\.1 403 /);
  const two = `GET /tools HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\n\r\n`;
  assert.match(await raw(port, two), /^HTTP\/1\.1 40[03] /);
  await assertReady(url);
});

Deno.test("startHttpServer() does not fold dot segments on the wire", async () => {
  await using context = serve();
  const { port } = context.server;
  for (const path of ["/x/../tools", "/x/%2e%2e/tools", "/x/%2E./tools"]) {
    const answer = await raw(port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 400 /, path);
  }
  const slashes = await raw(port, `GET //tools HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  assert.match(slashes, /^HTTP\/1\.1 404 /);
});

Deno.test("startHttpServer() never lets a name write header fields", async () => {
  await using context = serve();
  const { port } = context.server;
  const path = "/tools/x%0d%0aset-cookie:%20a=b/call";
  const answer = await raw(port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.doesNotMatch(answer.split("\r\n\r\n")[0]!, /set-cookie/i);
});

Deno.test("startHttpServer() refuses an announced gigabyte without reading it", async () => {
  await using context = serve();
  const { port, url } = context.server;
  const answer = await raw(port, callHead(port, "Content-Length: 1000000000"));
  assert.match(answer, /^HTTP\/1\.1 413 /);
  assert.equal(context.calls.length, 0);
  await assertReady(url);
});

Deno.test("startHttpServer() stops reading a streamed gigabyte at the limit", async () => {
  await using context = serve();
  const { port, url } = context.server;
  const socket = await openSocket(port);
  const chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
  const answer = head(socket, callHead(port, "Transfer-Encoding: chunked"));
  let ended = false;
  const settled = answer.then((text) => (ended = true, text));
  let sent = 0;
  while (!ended && sent < 1_000_000_000 && !socket.destroyed) {
    sent += 0x10000;
    const flushed = Promise.withResolvers<void>();
    socket.write(chunk, () => flushed.resolve());
    await Promise.race([flushed.promise, settled]);
  }
  assert.match(await settled, /^HTTP\/1\.1 413 /);
  assert.ok(sent < 64_000_000, `${sent} bytes were taken`);
  socket.destroy();
  assert.equal(context.calls.length, 0);
  await assertReady(url);
});

Deno.test("startHttpServer() gives a slow body its deadline and no more", async () => {
  await using context = serve({}, { bodyTimeoutMs: 150 });
  const { port, url } = context.server;
  const answer = await raw(port, callHead(port, "Content-Length: 20") + '{"te');
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.match(answer, /body_too_slow/);
  assert.equal(context.calls.length, 0);
  await assertReady(url);
});

Deno.test("startHttpServer() cancels the call when the client goes away", async () => {
  const entered = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  await using context = serve({
    answer: async ({ name, options }) => {
      entered.resolve();
      options.signal?.addEventListener("abort", () => cancelled.resolve());
      await cancelled.promise;
      return failure(name, "cancelled");
    },
  });
  const { port } = context.server;
  const socket = await openSocket(port);
  socket.write(callHead(port, "Content-Length: 2") + "{}");
  await entered.promise;
  socket.destroy();
  await cancelled.promise;
});

Deno.test("startHttpServer() lets calls end when it drains", async () => {
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const context = serve({
    answer: async ({ name }) => {
      entered.resolve();
      await gate.promise;
      return success(name, "done");
    },
  });
  const answer = fetch(`${context.server.url}/tools/echo/call`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  await entered.promise;
  const drained = context.server.drain(5_000);
  gate.resolve();
  assert.equal((await (await answer).json()).content, "done");
  await drained;
  await assert.rejects(fetch(context.server.url + "/healthz"));
});

Deno.test("startHttpServer() cuts off what does not end in time", async () => {
  const entered = Promise.withResolvers<void>();
  const stuck = Promise.withResolvers<void>();
  const context = serve({
    answer: async ({ name }) => {
      entered.resolve();
      await stuck.promise;
      return success(name, "late");
    },
  });
  const answer = fetch(`${context.server.url}/tools/echo/call`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  }).then((response) => response.text(), (error) => error);
  await entered.promise;
  await context.server.drain(50);
  assert.ok(await answer instanceof TypeError, "the connection was cut");
  stuck.resolve();
});

Deno.test("startHttpServer() says that the port is taken", async () => {
  await using context = serve();
  const { runtime } = fakeRuntime();
  assert.throws(
    () => startHttpServer(runtime, { port: context.server.port }),
    Deno.errors.AddrInUse,
  );
});

Deno.test("startHttpServer() refuses to serve where tools run in the server's own process", () => {
  const { runtime } = fakeRuntime({ isolation: "in-process" });
  assert.throws(
    () => startHttpServer(runtime, { port: 0 }),
    /^Error: Cannot serve where tools run in the server's own process/,
  );
});
