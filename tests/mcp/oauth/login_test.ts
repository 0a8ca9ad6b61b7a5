import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { AuthorizationServer } from "../../fixtures/mcp/authorization_server.ts";
import { agree, loginArena } from "./_login_arena.ts";

Deno.test("login() registers, proves its key, names the resource and keeps the tokens", async () => {
  await using arena = await loginArena({}, { scope: "docs:read" });
  const result = await arena.signIn();
  deepStrictEqual(result, { issuer: arena.issuer.issuer, scope: "docs:read", renewable: true });
  const { tokens } = await arena.store.login(arena.server.url);
  ok(arena.issuer.tokens.has(tokens!.access_token));
  strictEqual(tokens!.issuer, arena.issuer.issuer);
  const authorize = arena.issuer.requests.find(({ path }) => path === "/authorize")!.form;
  const token = arena.issuer.requests.find(({ path }) => path === "/token")!.form;
  strictEqual(authorize.get("code_challenge_method"), "S256");
  strictEqual(authorize.get("resource"), arena.server.url);
  strictEqual(token.get("resource"), arena.server.url);
  match(authorize.get("redirect_uri")!, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  match(authorize.get("state")!, /^[0-9a-f]{64}$/);
});

Deno.test("login() registers once for an authorization server, and comes back to the same port", async () => {
  await using arena = await loginArena();
  await arena.signIn();
  await arena.signIn();
  const registrations = arena.issuer.requests.filter(({ path }) => path === "/register");
  strictEqual(registrations.length, 1);
});

Deno.test("login() uses the configured client and registers none", async () => {
  await using arena = await loginArena();
  await arena.signIn({ config: { clientId: "mine", clientSecret: "hush-hush" } });
  strictEqual(arena.issuer.requests.some(({ path }) => path === "/register"), false);
  const token = arena.issuer.requests.find(({ path }) => path === "/token")!;
  strictEqual(token.headers.get("authorization"), `Basic ${btoa("mine:hush-hush")}`);
  ok(!(await Deno.readTextFile(arena.store.path)).includes("hush-hush"));
});

Deno.test("login() names itself by its metadata document where the server takes them", async () => {
  const id = "https://client.example/cloister.json";
  await using arena = await loginArena({
    metadata: { client_id_metadata_document_supported: true },
  });
  await arena.signIn({ config: { clientId: id } });
  const authorize = arena.issuer.requests.find(({ path }) => path === "/authorize")!.form;
  strictEqual(authorize.get("client_id"), id);
  strictEqual(arena.issuer.requests.some(({ path }) => path === "/register"), false);
});

Deno.test("login() asks for the configured scopes beside what the server asks for", async () => {
  await using arena = await loginArena({}, { scope: "docs:read" });
  await arena.signIn({ config: { scopes: ["docs:write"] } });
  const authorize = arena.issuer.requests.find(({ path }) => path === "/authorize")!.form;
  deepStrictEqual(authorize.get("scope")!.split(" ").toSorted(), ["docs:read", "docs:write"]);
});

Deno.test("login() fails with the server's reason when the person refuses", async () => {
  await using arena = await loginArena({ error: "access_denied" });
  await rejects(
    arena.signIn(),
    /^Error: Cannot sign in to MCP server "docs": the authorization server answered "access_denied"$/,
  );
  deepStrictEqual(await arena.store.login(arena.server.url), {});
});

Deno.test("login() gives up when the browser does not come back", async () => {
  await using arena = await loginArena();
  await rejects(
    arena.signIn({ openBrowser: () => {}, timeoutMs: 20 }),
    /the browser did not come back within 20 ms/,
  );
});

Deno.test("login() refuses an authorization server that takes no proof keys", async () => {
  await using arena = await loginArena({
    metadata: { code_challenge_methods_supported: undefined },
  });
  let opened = 0;
  await rejects(
    arena.signIn({ openBrowser: () => void opened++ }),
    /expected an authorization server that takes proof keys/,
  );
  strictEqual(opened, 0);
});

Deno.test("login() opens no page that is neither https nor on this machine", async () => {
  for (
    const page of ["javascript:alert(1)", "file:///etc/passwd", "http://evil.example/authorize"]
  ) {
    await using arena = await loginArena({ metadata: { authorization_endpoint: page } });
    let opened = 0;
    await rejects(arena.signIn({ openBrowser: () => void opened++ }), /Cannot sign in/);
    strictEqual(opened, 0, page);
  }
});

Deno.test("login() keeps the client of a login with the authorization server it was used at", async () => {
  await using arena = await loginArena();
  const config = { clientId: "mine", clientSecret: "hush-hush" };
  await arena.signIn({ config });
  await using other = new AuthorizationServer();
  const issuers = [other.issuer];
  await using moved = await loginArena({}, { issuers: () => issuers });
  await moved.store.changeLogin(moved.server.url, () => ({
    tokens: { access_token: "old", token_type: "Bearer", issuer: arena.issuer.issuer },
  }));
  await rejects(moved.signIn({ config }), /it was used at ".+" before; sign out first/);
  strictEqual(other.requests.some(({ path }) => path === "/token"), false);
});

Deno.test("login() registers anew when the server moved to another authorization server", async () => {
  await using second = new AuthorizationServer();
  let issuers: readonly string[] = [];
  await using arena = await loginArena({}, { issuers: () => issuers });
  issuers = [arena.issuer.issuer];
  await arena.signIn();
  issuers = [second.issuer];
  const { issuer } = await arena.signIn();
  strictEqual(issuer, second.issuer);
  strictEqual(second.requests.filter(({ path }) => path === "/register").length, 1);
  const { clients } = await arena.store.read();
  deepStrictEqual(
    Object.keys(clients).toSorted(),
    [arena.issuer.issuer, second.issuer].toSorted(),
  );
});

Deno.test("login() asks for more rights on top of those it has after a call lacked one", async () => {
  await using arena = await loginArena({}, { scope: "docs:read" });
  await arena.signIn();
  await arena.store.changeLogin(arena.server.url, (old) => ({
    ...old,
    challenge: { scope: "docs:write", insufficient: true },
  }));
  const { scope } = await arena.signIn({ openBrowser: agree });
  deepStrictEqual(scope!.split(" ").toSorted(), ["docs:read", "docs:write"]);
});
