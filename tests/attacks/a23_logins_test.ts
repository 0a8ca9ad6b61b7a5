import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { request } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import { openLoopbackRedirect } from "../../mcp/oauth/loopback_redirect.ts";
import { createServerAuth } from "../../mcp/oauth/server_auth.ts";
import { AuthorizationServer } from "../fixtures/mcp/authorization_server.ts";
import { loginArena } from "../mcp/oauth/_login_arena.ts";

/** Sends a request with a Host of its own; fetch sets the true one. */
function withHost(url: string, host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(url, { headers: { host } }, (response) => {
    response.resume();
    resolve(response.statusCode!);
  }).on("error", reject).end();
  return promise;
}

Deno.test("[A23] an answer with another state is refused and ends nothing", async () => {
  await using redirect = openLoopbackRedirect();
  const answered = redirect.wait();
  const last = redirect.state.at(-1) === "0" ? "1" : "0";
  const forged = [
    "",
    "?code=evil",
    "?code=evil&state=",
    `?code=evil&state=${"0".repeat(64)}`,
    `?code=evil&state=${redirect.state.slice(0, -1)}${last}`,
    `?code=evil&state=${redirect.state}&state=${redirect.state}`,
    `?code=evil&state=${redirect.state}0`,
  ];
  for (const query of forged) {
    const response = await fetch(redirect.url + query);
    await response.body?.cancel();
    strictEqual(response.status, 400, query);
  }
  // The true answer still counts.
  await (await fetch(`${redirect.url}?code=good&state=${redirect.state}`)).body?.cancel();
  strictEqual((await answered).get("code"), "good");
});

Deno.test("[A23] a page of another site cannot reach the listener by a name of its own", async () => {
  await using redirect = openLoopbackRedirect();
  const answered = redirect.wait();
  const url = `${redirect.url}?code=evil&state=${redirect.state}`;
  const port = new URL(redirect.url).port;
  for (const host of ["evil.example", `evil.example:${port}`, `localhost:${port}`, "127.0.0.1"]) {
    strictEqual(await withHost(url, host), 421, host);
  }
  strictEqual(await withHost(url.replace("evil", "good"), `127.0.0.1:${port}`), 200);
  strictEqual((await answered).get("code"), "good");
});

Deno.test("[A23] a login refuses a state that its authorization server did not get", async () => {
  await using arena = await loginArena({ state: "f".repeat(64) });
  await rejects(arena.signIn({ timeoutMs: 300 }), /the browser did not come back within 300 ms/);
  strictEqual(arena.issuer.requests.some(({ path }) => path === "/token"), false);
});

Deno.test("[A23] a login sends no code when the answer names another issuer, or none", async () => {
  for (const iss of ["https://evil.example", "none"]) {
    await using arena = await loginArena({ iss });
    await rejects(arena.signIn(), /^Error: Cannot sign in to MCP server "docs": .*iss/i);
    strictEqual(arena.issuer.requests.some(({ path }) => path === "/token"), false, iss);
    deepStrictEqual(await arena.store.login(arena.server.url), {});
  }
  await using arena = await loginArena({ iss: "own" });
  ok((await arena.signIn()).issuer);
});

Deno.test("[A23] a login does not show the text of an answer of another issuer", async () => {
  await using arena = await loginArena({ iss: "https://evil.example", error: "call +1-900-EVIL" });
  await rejects(arena.signIn(), (error: Error) => {
    ok(!error.message.includes("1-900"), error.message);
    return true;
  });
});

Deno.test("[A23] metadata in the name of another issuer is refused before the person is asked", async () => {
  await using honest = new AuthorizationServer();
  await using arena = await loginArena({ metadata: { issuer: honest.issuer } });
  let opened = 0;
  await rejects(arena.signIn({ openBrowser: () => void opened++ }), /issuer/i);
  strictEqual(opened, 0);
  deepStrictEqual(honest.requests, []);
});

Deno.test("[A23] a code of one authorization server never goes to another that answers in its place", async () => {
  // The mix-up: the server at the redirect is the attacker's, the login was begun at the honest one.
  await using attacker = new AuthorizationServer();
  await using arena = await loginArena();
  await rejects(
    arena.signIn({
      openBrowser: async (url) => {
        const away = new URL(attacker.issuer + url.pathname + url.search);
        await (await fetch(away)).body?.cancel();
      },
    }),
    /iss/i,
  );
  strictEqual(attacker.requests.some(({ path }) => path === "/token"), false);
  strictEqual(arena.issuer.requests.some(({ path }) => path === "/token"), false);
});

Deno.test("[A23] a server that calls itself another resource gets no login", async () => {
  await using arena = await loginArena({}, { resource: "https://bank.example/mcp" });
  await rejects(arena.signIn(), /bank\.example/);
  deepStrictEqual(
    arena.issuer.requests.map(({ path }) => path),
    ["/.well-known/oauth-authorization-server"],
  );
});

async function call(url: string, arena: Awaited<ReturnType<typeof loginArena>>): Promise<void> {
  const auth = createServerAuth({ name: "docs", serverUrl: url, store: arena.store });
  const client = new Client({ name: "test", version: "1.0.0" }, {
    versionNegotiation: { mode: "auto" },
    jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    authProvider: auth,
    fetch: auth.watch(),
  });
  try {
    await client.connect(transport);
    await client.listTools();
  } finally {
    await client.close();
  }
}

Deno.test("[A23] a token goes to its own server only, whatever that server redirects to", async () => {
  const seen: Headers[] = [];
  await using elsewhere = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (asked) => {
    seen.push(asked.headers);
    return new Response(null, { status: 404 });
  });
  let isEvil = false;
  const target = `http://127.0.0.1:${elsewhere.addr.port}/mcp`;
  await using arena = await loginArena({}, {
    first: () =>
      isEvil ? new Response(null, { status: 307, headers: { location: target } }) : undefined,
  });
  await arena.signIn();
  await call(arena.server.url, arena);
  ok(arena.server.requests.some(({ headers }) => headers.has("authorization")));
  isEvil = true;
  await rejects(call(arena.server.url, arena));
  deepStrictEqual(seen.filter((headers) => headers.has("authorization")), []);
});

Deno.test("[A23] the login of one server is none for another, also on the same machine", async () => {
  await using arena = await loginArena();
  await using other = await loginArena();
  await arena.signIn();
  await rejects(call(other.server.url, arena), /it asks for a login and none is stored/);
  ok(other.server.requests.every(({ headers }) => !headers.has("authorization")));
});

Deno.test("[A23] a refresh token goes to the issuer that gave it, not to the one a server names now", async () => {
  await using evil = new AuthorizationServer();
  let issuers: readonly string[] = [];
  await using arena = await loginArena({}, { issuers: () => issuers });
  issuers = [arena.issuer.issuer];
  await arena.signIn();
  issuers = [evil.issuer];
  arena.issuer.tokens.clear();
  await call(arena.server.url, arena);
  deepStrictEqual(evil.requests, []);
  match(arena.issuer.requests.at(-1)!.form.get("grant_type")!, /refresh_token/);
});
