import { deepStrictEqual, match, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import { LoginRequiredError } from "../../../mcp/oauth/login_required.ts";
import { createServerAuth, loginRequired } from "../../../mcp/oauth/server_auth.ts";
import type { LoginArena } from "./_login_arena.ts";
import { loginArena } from "./_login_arena.ts";

async function connect({ server, store }: Pick<LoginArena, "server" | "store">): Promise<Client> {
  const auth = createServerAuth({ name: "docs", serverUrl: server.url, store });
  const client = new Client({ name: "test", version: "1.0.0" }, {
    versionNegotiation: { mode: "auto" },
    jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.url), {
      authProvider: auth,
      fetch: auth.watch(),
    }),
  );
  return client;
}

/** Makes every access token that was given so far worthless. */
function revoke({ issuer }: LoginArena): void {
  issuer.tokens.clear();
}

Deno.test("createServerAuth() fails with the command to run when nobody signed in", async () => {
  await using arena = await loginArena();
  await rejects(connect(arena), (error) => {
    ok(error instanceof LoginRequiredError);
    strictEqual(
      error.message,
      'Cannot use MCP server "docs": it asks for a login and none is stored; ' +
        'run "cloister mcp login docs"',
    );
    return true;
  });
  // Neither registered nor asked for anything: a run leaves the authorization server alone.
  deepStrictEqual(arena.issuer.requests, []);
});

Deno.test("createServerAuth() sends the stored token in the Authorization header only", async () => {
  await using arena = await loginArena();
  await arena.signIn();
  const client = await connect(arena);
  await client.listTools();
  await client.close();
  const { access_token: token } = (await arena.store.login(arena.server.url)).tokens!;
  const carried = arena.server.requests.filter(({ headers }) => headers.has("authorization"));
  ok(carried.length >= 2);
  for (const { headers } of carried) strictEqual(headers.get("authorization"), `Bearer ${token}`);
  for (const { path } of arena.server.requests) ok(!path.includes(token));
});

Deno.test("createServerAuth() renews a token that the server refuses, and goes on", async () => {
  await using arena = await loginArena();
  await arena.signIn();
  const before = (await arena.store.login(arena.server.url)).tokens!;
  const client = await connect(arena);
  revoke(arena);
  const { tools } = await client.listTools();
  await client.close();
  deepStrictEqual(tools.map(({ name }) => name), ["whoami"]);
  const after = (await arena.store.login(arena.server.url)).tokens!;
  ok(after.access_token !== before.access_token);
  ok(after.refresh_token !== before.refresh_token);
  strictEqual(after.issuer, before.issuer);
});

Deno.test("createServerAuth() renews a token before it ends", async () => {
  await using arena = await loginArena({ expiresIn: 10 });
  await arena.signIn();
  const auth = createServerAuth({ name: "docs", serverUrl: arena.server.url, store: arena.store });
  const old = (await arena.store.login(arena.server.url)).tokens!.access_token;
  ok(await auth.token() !== old);
  const refreshes = arena.issuer.requests.filter(({ form }) =>
    form.get("grant_type") === "refresh_token"
  );
  strictEqual(refreshes.length, 1);
  strictEqual(refreshes[0]!.form.get("resource"), arena.server.url);
});

Deno.test("createServerAuth() renews once for calls that need it at the same time", async () => {
  await using arena = await loginArena();
  await arena.signIn();
  const [one, other] = await Promise.all([connect(arena), connect(arena)]);
  revoke(arena);
  await Promise.all([one.listTools(), one.callTool({ name: "whoami" }), other.listTools()]);
  await Promise.all([one.close(), other.close()]);
  const refreshes = arena.issuer.requests.filter(({ form }) =>
    form.get("grant_type") === "refresh_token"
  );
  strictEqual(refreshes.length, 1);
});

Deno.test("createServerAuth() asks for a person when the login is no longer renewed", async () => {
  await using arena = await loginArena();
  await arena.signIn();
  const client = await connect(arena);
  revoke(arena);
  arena.issuer.refreshTokens.clear();
  await rejects(
    client.listTools(),
    /no longer renews the stored login; run "cloister mcp login docs"/,
  );
  await client.close();
  strictEqual((await arena.store.login(arena.server.url)).tokens!.refresh_token, undefined);
});

Deno.test("createServerAuth() keeps the login when the authorization server only fails", async () => {
  await using arena = await loginArena({
    onToken: (form) =>
      form.get("grant_type") === "refresh_token"
        ? Response.json({ error: "server_error", error_description: "token=abc123def456" }, {
          status: 500,
        })
        : undefined,
  });
  await arena.signIn();
  const before = (await arena.store.login(arena.server.url)).tokens!;
  const client = await connect(arena);
  revoke(arena);
  await rejects(client.listTools(), (error: Error) => {
    match(error.message, /^Cannot renew the login at "http:\/\/127\.0\.0\.1:\d+\/?": /);
    ok(!error.message.includes("abc123def456"));
    ok(!error.message.includes(before.refresh_token!));
    return true;
  });
  await client.close();
  strictEqual(
    (await arena.store.login(arena.server.url)).tokens!.refresh_token,
    before.refresh_token,
  );
});

Deno.test("createServerAuth() takes a login of another process", async () => {
  await using arena = await loginArena();
  await arena.signIn();
  const client = await connect(arena);
  revoke(arena);
  arena.issuer.refreshTokens.clear();
  await arena.signIn();
  const { tools } = await client.listTools();
  await client.close();
  strictEqual(tools.length, 1);
});

Deno.test("createServerAuth() takes a login of another process also where nothing can be renewed", async () => {
  await using arena = await loginArena({ refresh: false });
  await arena.signIn();
  const client = await connect(arena);
  revoke(arena);
  const auth = createServerAuth({ name: "docs", serverUrl: arena.server.url, store: arena.store });
  const send = auth.watch();
  const stale = await auth.token();
  const headers = { authorization: `Bearer ${stale}`, "content-type": "application/json" };
  const refused = await send(arena.server.url, { method: "POST", headers, body: "{}" });
  await refused.body?.cancel();
  await arena.signIn();
  // Another call was given the new token before the refusal of the old one is dealt with.
  const fresh = await auth.token();
  ok(fresh !== stale);
  await auth.onUnauthorized!({
    response: refused,
    serverUrl: new URL(arena.server.url),
    fetchFn: fetch,
  });
  strictEqual(await auth.token(), fresh);
  strictEqual((await client.listTools()).tools.length, 1);
  await client.close();
});

Deno.test("createServerAuth() remembers a right that a call lacks, for the next login", async () => {
  const wide = new Set<string>();
  await using arena = await loginArena({}, {
    scope: "docs:read",
    callScope: { scope: "docs:write", has: (token) => wide.has(token) },
  });
  await arena.signIn();
  const client = await connect(arena);
  await rejects(client.callTool({ name: "whoami" }), (error) => {
    strictEqual(
      loginRequired(error, "docs")?.message,
      'Cannot use MCP server "docs": the stored login lacks a right that this needs; ' +
        'run "cloister mcp login docs"',
    );
    return true;
  });
  const { scope } = await arena.signIn();
  deepStrictEqual(scope!.split(" ").toSorted(), ["docs:read", "docs:write"]);
  wide.add((await arena.store.login(arena.server.url)).tokens!.access_token);
  deepStrictEqual((await client.callTool({ name: "whoami" })).content, [{
    type: "text",
    text: "you",
  }]);
  await client.close();
});

Deno.test("createServerAuth() refuses a server that is reached without encryption", async () => {
  await using arena = await loginArena();
  throws(
    () => createServerAuth({ name: "x", serverUrl: "http://mcp.example/mcp", store: arena.store }),
    /expected an https URL/,
  );
});

Deno.test("loginRequired() leaves other errors alone", () => {
  strictEqual(loginRequired(new Error("connection refused"), "docs"), undefined);
  strictEqual(loginRequired("text", "docs"), undefined);
});
