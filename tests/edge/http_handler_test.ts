import assert from "node:assert/strict";
import { createHttpHandler, type HttpRecord } from "../../edge/http_handler.ts";
import type { MountedFace } from "../../edge/mounted_face.ts";
import { failure, fakeEntry, fakeRuntime } from "./fake_runtime.ts";

const BASE = "http://127.0.0.1:8787";

function post(path: string, body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request(BASE + path, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
}

async function assertProblem(response: Response, status: number, code: string): Promise<void> {
  assert.equal(response.headers.get("content-type"), "application/problem+json");
  const body = await response.json();
  assert.deepEqual([response.status, body.status, body.code], [status, status, code]);
  assert.equal(typeof body.title, "string");
  assert.equal(typeof body.detail, "string");
  assert.ok(!JSON.stringify(body).includes("at file:"), "no stack trace");
}

Deno.test("createHttpHandler() answers health, index and the list of tools", async () => {
  const { runtime } = fakeRuntime({}, [
    fakeEntry({ name: "zip", maxResultSizeChars: Infinity, timeoutMs: 5 }),
    fakeEntry({ name: "absent" }),
  ]);
  const handler = createHttpHandler(runtime, { port: 8787, version: "1.2.3" });
  const health = await handler(new Request(BASE + "/healthz"));
  assert.deepEqual(await health.json(), { status: "ok" });
  const index = await (await handler(new Request(BASE))).json();
  assert.deepEqual([index.name, index.version], ["cloister", "1.2.3"]);
  const list = await (await handler(new Request(BASE + "/tools"))).json();
  assert.deepEqual(list, {
    generation: 7,
    tools: [
      {
        name: "absent",
        toolset: "text",
        description: "Say it again.",
        emoji: "⚡",
        available: false,
        reason: "rg is missing",
        isolation: "process",
        permissions: { read: ["$WORKSPACE"] },
        source: { kind: "file", path: "/tools/echo.ts", line: 3 },
        timeoutMs: 30_000,
        maxResultSizeChars: 100_000,
      },
      {
        name: "zip",
        toolset: "text",
        description: "Say it again.",
        emoji: "⚡",
        available: true,
        isolation: "worker",
        permissions: { read: ["$WORKSPACE"] },
        source: { kind: "file", path: "/tools/echo.ts", line: 3 },
        timeoutMs: 5,
        maxResultSizeChars: "unlimited",
      },
    ],
    failures: [],
  });
});

Deno.test("createHttpHandler() says ready with isolation and limits, and 503 before discovery", async () => {
  const ready = await createHttpHandler(fakeRuntime().runtime)(new Request(BASE + "/readyz"));
  assert.deepEqual(await ready.json(), {
    status: "ready",
    generation: 7,
    tools: 1,
    deno: Deno.version.deno,
    isolation: "cell",
    limits: ["Programs are not in a process namespace"],
  });
  const early = createHttpHandler(fakeRuntime({ lastDiscovery: null }).runtime);
  const answer = await early(new Request(BASE + "/readyz"));
  assert.equal(answer.headers.get("retry-after"), "1");
  await assertProblem(answer, 503, "not_ready");
});

Deno.test("createHttpHandler() hands name, arguments and deadline to dispatch", async () => {
  const { runtime, calls } = fakeRuntime();
  const handler = createHttpHandler(runtime);
  const answer = await handler(post("/tools/echo/call?timeoutMs=250", '{"text":"hé"}'));
  assert.equal(answer.status, 200);
  assert.equal((await answer.json()).content, '{"text":"hé"}');
  assert.equal(calls[0]?.name, "echo");
  assert.deepEqual(calls[0]?.args, { text: "hé" });
  assert.equal(calls[0]?.options.timeoutMs, 250);
  await handler(post("/tools/echo/call", "{}", { "cloister-timeout-ms": "9" }));
  assert.equal(calls[1]?.options.timeoutMs, 9);
  await handler(post("/tools/echo/call", "{}"));
  assert.equal(calls[2]?.options.timeoutMs, undefined);
});

Deno.test("createHttpHandler() answers a failed call with its ToolResult and a fitting status", async () => {
  const expected = {
    unknown_tool: 404,
    not_enabled: 403,
    unavailable: 503,
    invalid_arguments: 400,
    approval_required: 403,
    approval_denied: 403,
    permission_denied: 403,
    timeout: 504,
    cancelled: 503,
    overloaded: 429,
    tool_error: 422,
    tool_crashed: 502,
    tool_out_of_memory: 502,
    tool_exited: 502,
    invalid_result: 502,
    integrity_changed: 409,
    outcome_unknown: 502,
    internal: 500,
  } as const;
  for (const [code, status] of Object.entries(expected)) {
    const { runtime } = fakeRuntime({
      answer: ({ name }) => failure(name, code as keyof typeof expected),
    });
    const answer = await createHttpHandler(runtime)(post("/tools/x/call", "{}"));
    assert.equal(answer.status, status, code);
    assert.equal((await answer.json()).error.code, code);
    assert.equal(answer.headers.get("retry-after"), status === 429 ? "1" : null);
  }
});

Deno.test("createHttpHandler() refuses foreign Hosts, and takes allowed ones with the right port", async () => {
  const { runtime } = fakeRuntime();
  const handler = createHttpHandler(runtime, {
    port: 8787,
    allowedHosts: ["box.example", "proxy.example:443"],
  });
  const status = async (host: string) =>
    (await handler(new Request(BASE + "/healthz", { headers: { host } }))).status;
  const refused = [
    "evil.example:8787",
    "127.0.0.1.evil.example:8787",
    "localhost:9999",
    "localhost",
    "box.example:1",
    "proxy.example:8787",
    "localhost:8787, evil.example",
    "user@localhost:8787",
    "[::1:8787",
    "localhost:8787/x",
    "0.0.0.0:8787",
    "",
  ];
  for (const host of refused) assert.equal(await status(host), 403, host);
  const taken = ["localhost:8787", "LOCALHOST:8787", "127.0.0.1:8787", "[::1]:8787"];
  for (const host of [...taken, "box.example:8787", "proxy.example:443"]) {
    assert.equal(await status(host), 200, host);
  }
  const absolute = new Request("http://evil.example/healthz", {
    headers: { host: "localhost:8787" },
  });
  await assertProblem(await handler(absolute), 403, "host_not_allowed");
});

Deno.test("createHttpHandler() refuses foreign Origins before any call is made", async () => {
  const { runtime, calls } = fakeRuntime();
  const handler = createHttpHandler(runtime, {
    port: 8787,
    allowedOrigins: ["https://console.example"],
  });
  const refused = ["https://evil.example", "null", "http://localhost:3000", "http://localhost"];
  for (const origin of refused) {
    const answer = await handler(post("/tools/echo/call", "{}", { origin }));
    assert.equal(answer.headers.get("access-control-allow-origin"), null);
    await assertProblem(answer, 403, "origin_not_allowed");
  }
  assert.equal(calls.length, 0);
  const own = await handler(post("/tools/echo/call", "{}", { origin: "http://localhost:8787" }));
  assert.equal(own.status, 200);
  const foreign = await handler(
    post("/tools/echo/call", "{}", { origin: "https://console.example" }),
  );
  assert.equal(foreign.headers.get("access-control-allow-origin"), "https://console.example");
  const preflight = await handler(
    new Request(BASE + "/tools/echo/call", {
      method: "OPTIONS",
      headers: { origin: "https://console.example" },
    }),
  );
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get("access-control-allow-methods"), "POST, OPTIONS");
});

Deno.test("createHttpHandler() asks for the token everywhere but on /healthz", async () => {
  const { runtime, calls } = fakeRuntime();
  const handler = createHttpHandler(runtime, { token: "s3cret" });
  const without = await handler(post("/tools/echo/call", "{}"));
  assert.match(without.headers.get("www-authenticate") ?? "", /^Bearer/);
  await assertProblem(without, 401, "token_required");
  for (const authorization of ["Bearer s3cre", "Bearer s3cretx", "Basic s3cret", "s3cret"]) {
    const answer = await handler(new Request(BASE + "/tools", { headers: { authorization } }));
    assert.equal(answer.status, 401, authorization);
  }
  assert.equal(calls.length, 0);
  assert.equal((await handler(new Request(BASE + "/healthz"))).status, 200);
  const headers = { authorization: "Bearer s3cret" };
  assert.equal((await handler(new Request(BASE + "/tools", { headers }))).status, 200);
});

Deno.test("createHttpHandler() answers 405 with Allow, and HEAD like GET without a body", async () => {
  const handler = createHttpHandler(fakeRuntime().runtime);
  const wrong = await handler(new Request(BASE + "/tools/echo/call"));
  assert.equal(wrong.headers.get("allow"), "POST, OPTIONS");
  await assertProblem(wrong, 405, "method_not_allowed");
  const remove = await handler(new Request(BASE + "/tools", { method: "DELETE" }));
  assert.equal(remove.headers.get("allow"), "GET, HEAD, OPTIONS");
  const get = await handler(new Request(BASE + "/tools"));
  const head = await handler(new Request(BASE + "/tools", { method: "HEAD" }));
  assert.equal(head.status, 200);
  assert.equal(head.body, null);
  assert.equal(
    head.headers.get("content-length"),
    String((await get.arrayBuffer()).byteLength),
  );
});

Deno.test("createHttpHandler() takes the path as it was sent", async () => {
  const { runtime, calls } = fakeRuntime();
  const handler = createHttpHandler(runtime);
  // Only a server gives a Request whose URL was not folded; a Proxy stands in for it.
  const status = async (path: string) => {
    const request = new Proxy(post("/tools/echo/call", "{}"), {
      get(target, key) {
        if (key === "url") return BASE + path;
        const value = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    return (await handler(request)).status;
  };
  const expected: Record<string, number> = {
    "/tools/%2e%2e/call": 400,
    "/tools/../tools/echo/call": 400,
    "/tools/./echo/call": 400,
    "/tools/a%2Fb/call": 400,
    "/tools/a%5cb/call": 400,
    "/tools/a\\b/call": 400,
    "/tools/a%00b/call": 400,
    "/tools/a%0d%0aset-cookie:x/call": 400,
    "/tools/%zz/call": 400,
    "/tools/%c0%ae/call": 400,
    "//tools/echo/call": 404,
    "/tools//echo/call": 404,
    "/tools/echo/call/": 404,
    "/tools//call": 404,
    "/Tools/echo/call": 404,
    "/mcp": 404,
  };
  for (const [path, wanted] of Object.entries(expected)) {
    assert.equal(await status(path), wanted, path);
  }
  assert.equal(calls.length, 0);
  assert.equal(await status("/tools/ec%68o/call"), 200);
  assert.equal(calls[0]?.name, "echo");
});

Deno.test("createHttpHandler() answers /mcp with a 404 problem where no face is mounted", async () => {
  const handler = createHttpHandler(fakeRuntime().runtime);
  await assertProblem(await handler(post("/mcp", "{}")), 404, "not_found");
  const metadata = new Request(BASE + "/.well-known/oauth-protected-resource/mcp");
  await assertProblem(await handler(metadata), 404, "not_found");
});

function mountedFace(checksTokens = false): { face: MountedFace; asked: string[] } {
  const asked: string[] = [];
  const face: MountedFace = {
    checksTokens,
    handle: (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return Promise.resolve(new Response("mcp", { headers: { "mcp-session-id": "s" } }));
    },
    close: () => Promise.resolve(),
  };
  return { face, asked };
}

Deno.test("createHttpHandler() lets a mounted face answer /mcp and its metadata, behind the gate", async () => {
  const { face, asked } = mountedFace();
  const handler = createHttpHandler(fakeRuntime().runtime, {
    mcp: face,
    token: "secret",
    allowedOrigins: ["https://console.example.com"],
  });
  const headers = { authorization: "Bearer secret" };
  const origin = "https://console.example.com";
  const answer = await handler(post("/mcp", "{}", { ...headers, origin }));
  assert.equal(await answer.text(), "mcp");
  assert.equal(answer.headers.get("access-control-allow-origin"), origin);
  assert.match(answer.headers.get("access-control-expose-headers") ?? "", /mcp-session-id/);
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");

  await assertProblem(await handler(post("/mcp", "{}")), 401, "token_required");
  const evil = { ...headers, origin: "https://evil.example" };
  await assertProblem(await handler(post("/mcp", "{}", evil)), 403, "origin_not_allowed");
  const rebound = { ...headers, host: "evil.example" };
  await assertProblem(await handler(post("/mcp", "{}", rebound)), 403, "host_not_allowed");
  const put = new Request(BASE + "/mcp", { method: "PUT", headers });
  await assertProblem(await handler(put), 405, "method_not_allowed");

  const metadata = new Request(BASE + "/.well-known/oauth-protected-resource/mcp");
  assert.equal((await handler(metadata)).status, 200, "told to everybody");
  assert.deepEqual(asked, ["POST /mcp", "GET /.well-known/oauth-protected-resource/mcp"]);
  const index = await (await handler(new Request(BASE, { headers }))).json();
  assert.equal(index.links.mcp, "/mcp");
});

Deno.test("createHttpHandler() leaves tokens to a mounted face that checks them itself", async () => {
  const { face, asked } = mountedFace(true);
  const handler = createHttpHandler(fakeRuntime().runtime, { mcp: face, token: "secret" });
  assert.equal((await handler(post("/mcp", "{}", { authorization: "Bearer other" }))).status, 200);
  assert.deepEqual(asked, ["POST /mcp"]);
  await assertProblem(await handler(new Request(BASE + "/tools")), 401, "token_required");
});

Deno.test("createHttpHandler() refuses bodies that are not a JSON object", async () => {
  const { runtime, calls } = fakeRuntime();
  const handler = createHttpHandler(runtime, { maxBodyBytes: 100 });
  const answer = (body: BodyInit, headers: Record<string, string> = {}) =>
    handler(post("/tools/echo/call", body, headers));
  for (const body of ["", "[]", "null", '"x"', "{", "{}{}", '{"a":NaN}']) {
    await assertProblem(await answer(body), 400, "invalid_json");
  }
  await assertProblem(await answer(Uint8Array.of(0x7b, 0xff, 0x7d)), 400, "invalid_json");
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; x=y"]) {
    await assertProblem(
      await answer("{}", { "content-type": type }),
      415,
      "unsupported_media_type",
    );
  }
  const gzip = await answer("{}", { "content-encoding": "gzip" });
  await assertProblem(gzip, 415, "unsupported_encoding");
  await assertProblem(await answer(`{"a":"${"x".repeat(93)}"}`), 413, "body_too_large");
  assert.equal(calls.length, 0);
  assert.equal((await answer(`{"a":"${"x".repeat(92)}"}`)).status, 200, "exactly the limit");
  const charset = await answer("{}", { "content-type": "application/json; charset=UTF-8" });
  assert.equal(charset.status, 200);
});

Deno.test("createHttpHandler() refuses deadlines that are none, and parameters it does not know", async () => {
  const handler = createHttpHandler(fakeRuntime().runtime, { maxTimeoutMs: 1000 });
  for (const value of ["0", "-1", "1.5", "1e3", "abc", "", "1001", "99999999999"]) {
    const answer = await handler(post(`/tools/echo/call?timeoutMs=${value}`, "{}"));
    await assertProblem(answer, 400, "invalid_timeout");
  }
  const typo = await handler(post("/tools/echo/call?timeout=5", "{}"));
  await assertProblem(typo, 400, "unknown_parameter");
});

Deno.test("createHttpHandler() answers an unexpected error without telling of the inside", async () => {
  const records: HttpRecord[] = [];
  const { runtime } = fakeRuntime({
    answer: () => {
      throw new Error("secret path /home/me");
    },
  });
  const handler = createHttpHandler(runtime, { onRequest: (record) => records.push(record) });
  const answer = await handler(post("/tools/echo/call", "{}"));
  const text = await answer.clone().text();
  assert.ok(!text.includes("secret"), text);
  await assertProblem(answer, 500, "internal");
  assert.deepEqual(
    records.map(({ method, path, status, error }) => [method, path, status, error]),
    [["POST", "/tools/echo/call", 500, "Error: secret path /home/me"]],
  );
});

Deno.test("createHttpHandler() answers 429 when too many calls are under way, and stays ready", async () => {
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const { runtime } = fakeRuntime({
    answer: async ({ name }) => {
      entered.resolve();
      await gate.promise;
      return failure(name, "tool_error");
    },
  });
  const handler = createHttpHandler(runtime, { maxConcurrentCalls: 1 });
  const first = handler(post("/tools/echo/call", "{}"));
  await entered.promise;
  const second = await handler(post("/tools/echo/call", "{}"));
  assert.equal(second.headers.get("retry-after"), "1");
  await assertProblem(second, 429, "overloaded");
  assert.equal((await handler(new Request(BASE + "/readyz"))).status, 200);
  gate.resolve();
  assert.equal((await first).status, 422);
  assert.equal(
    (await handler(post("/tools/echo/call", "{}"))).status,
    422,
    "the place is free again",
  );
});

Deno.test("createHttpHandler() sets the security headers on answers and refusals", async () => {
  const handler = createHttpHandler(fakeRuntime().runtime);
  for (const path of ["/", "/tools", "/nothing"]) {
    const { headers } = await handler(new Request(BASE + path));
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assert.equal(headers.get("x-frame-options"), "DENY");
    assert.equal(headers.get("server"), null);
  }
});
