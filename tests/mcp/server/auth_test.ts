import assert from "node:assert/strict";
import { type AuthInfo, OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import { callTool, post, serveHttp, startTools } from "./_server.ts";

const RESOURCE = new URL("https://tools.example/mcp");
const SOON = Math.floor(Date.now() / 1_000) + 3_600;

/** Knows tokens as `user:audience:scopes`. */
const verifier = {
  verifyAccessToken(token: string): Promise<AuthInfo> {
    const [sub, audience, scopes] = token.split("|");
    if (audience === undefined) {
      return Promise.reject(new OAuthError(OAuthErrorCode.InvalidToken, "Unknown token"));
    }
    return Promise.resolve({
      token,
      clientId: "client",
      scopes: scopes?.split(" ") ?? [],
      expiresAt: sub === "late" ? 1 : SOON,
      resource: new URL(audience),
      extra: { sub },
    });
  },
};
const AUTH = {
  verifier,
  authorizationServers: ["https://login.example"],
  resource: RESOURCE,
  scopes: ["tools:call"],
};
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const GOOD = bearer(`ada|${RESOURCE}|tools:call`);

Deno.test("createMcpHttpHandler() lets only the one token in, where it is given one", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { token: "s3cret" });
  assert.equal(served.handler.checksTokens, true);
  const status = async (more: object) =>
    (await post({ url: served.url, method: "tools/list", ...more })).status;
  assert.equal(await status(bearer("s3cret")), 200);
  assert.equal(await status({ headers: { authorization: "bearer s3cret" } }), 200);
  for (const token of ["s3cre", "s3cret2", "S3CRET", ""]) {
    assert.equal(await status(bearer(token)), 401);
  }
  const none = await post({ url: served.url, method: "tools/list" });
  assert.equal(none.status, 401);
  assert.equal(none.headers.get("www-authenticate"), 'Bearer realm="cloister"');
});

Deno.test("createMcpHttpHandler() lets in tokens that are meant for it and have the scopes", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { auth: AUTH });
  const answer = async (more: object) => {
    const { status, headers } = await post({ url: served.url, method: "tools/list", ...more });
    return [status, /error="([^"]+)"/.exec(headers.get("www-authenticate") ?? "")?.[1]];
  };
  assert.deepEqual(await answer(GOOD), [200, undefined]);
  assert.deepEqual(await answer({}), [401, "invalid_token"]);
  assert.deepEqual(await answer(bearer("unknown")), [401, "invalid_token"]);
  assert.deepEqual(await answer(bearer("ada|https://other.example/mcp|tools:call")), [
    401,
    "invalid_token",
  ], "another audience");
  assert.deepEqual(await answer(bearer(`late|${RESOURCE}|tools:call`)), [401, "invalid_token"]);
  assert.deepEqual(await answer(bearer(`ada|${RESOURCE}|other`)), [403, "insufficient_scope"]);
});

Deno.test("createMcpHttpHandler() says where tokens come from [A24]", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { auth: AUTH });
  const { headers } = await post({ url: served.url, method: "tools/list" });
  assert.match(
    headers.get("www-authenticate")!,
    /resource_metadata="https:\/\/tools\.example\/\.well-known\/oauth-protected-resource\/mcp"/,
  );
  const metadata = async (path: string, method = "GET") => {
    const response = await fetch(new URL(path, served.url), { method });
    return [response.status, await response.json()];
  };
  const expected = {
    resource: "https://tools.example/mcp",
    authorization_servers: ["https://login.example"],
    scopes_supported: ["tools:call"],
    bearer_methods_supported: ["header"],
    resource_name: "cloister",
  };
  const base = "/.well-known/oauth-protected-resource";
  assert.deepEqual(await metadata(`${base}/mcp`), [200, expected]);
  assert.deepEqual(await metadata(base), [200, expected]);
  assert.equal((await metadata(`${base}/other`))[0], 404);
  assert.equal((await metadata(base, "POST"))[0], 405);
  await using open = serveHttp(test);
  const response = await fetch(new URL(base, open.url));
  assert.equal(response.status, 404);
  await response.text();
});

Deno.test("createMcpHttpHandler() keeps what one person's calls left from another's requests", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { auth: AUTH });
  const eve = bearer(`eve|${RESOURCE}|tools:call`);
  const long = await callTool(served.url, "long", { chars: 150_000 }, GOOD);
  const { uri } = long.body.result.content[1];
  const read = async (who: object) =>
    (await post({ url: served.url, method: "resources/read", params: { uri }, ...who })).body;
  assert.equal((await read(eve)).error.code, -32602);
  assert.equal((await read(GOOD)).result.contents[0].text.length, 150_000);
  const id = /id "([^"]+)"/.exec(long.body.result.content[0].text)![1];
  const foreign = await callTool(served.url, "read_result", { id }, eve);
  assert.equal(foreign.body.result.isError, true);
  const capabilities = { elicitation: {} };
  const asked = await callTool(served.url, "ask", {}, { capabilities, ...GOOD });
  const retry = {
    requestState: asked.body.result.requestState,
    inputResponses: { who: { action: "decline" } },
  };
  const stolen = await callTool(served.url, "ask", {}, { capabilities, retry, ...eve });
  assert.equal(stolen.body.error.code, -32602);
  const own = await callTool(served.url, "ask", {}, { capabilities, retry, ...GOOD });
  assert.equal(own.body.result.content[0].text, '{"action":"decline"}');
});

Deno.test("createMcpHttpHandler() shows a legacy session to nobody but its own principal", async () => {
  await using test = await startTools();
  await using served = serveHttp(test, { auth: AUTH });
  const send = async (token: string, session: string | null, body: unknown) => {
    const response = await fetch(served.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
        ...(session === null ? {} : { "mcp-session-id": session }),
      },
      body: JSON.stringify(body),
    });
    await response.text();
    return response;
  };
  const ada = `ada|${RESOURCE}|tools:call`;
  const clientInfo = { name: "test", version: "0" };
  const opened = await send(ada, null, {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
  });
  const session = opened.headers.get("mcp-session-id");
  const ping = { jsonrpc: "2.0", id: 2, method: "ping" };
  assert.equal((await send(`eve|${RESOURCE}|tools:call`, session, ping)).status, 404);
  assert.equal((await send(ada, session, ping)).status, 200);
});

Deno.test("createMcpHttpHandler() refuses a token together with an authorization server", async () => {
  await using test = await startTools();
  assert.throws(() => serveHttp(test, { token: "a", auth: AUTH }), {
    name: "TypeError",
    message: 'Cannot serve MCP with both "token" and "auth": leave one of them out',
  });
});
