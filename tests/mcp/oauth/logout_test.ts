import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { logout } from "../../../mcp/oauth/logout.ts";
import { loginArena } from "./_login_arena.ts";

Deno.test("logout() forgets the login and the registration behind it", async () => {
  await using arena = await loginArena();
  await arena.signIn();
  const { store, server } = arena;
  deepStrictEqual(await logout({ serverUrl: server.url, store }), {
    wasSignedIn: true,
    revoked: false,
  });
  deepStrictEqual(await store.read(), { version: 1, servers: {}, clients: {} });
  deepStrictEqual(await logout({ serverUrl: server.url, store }), {
    wasSignedIn: false,
    revoked: false,
  });
});

Deno.test("logout() keeps a registration that another login needs", async () => {
  await using arena = await loginArena();
  await arena.signIn();
  const { tokens } = await arena.store.login(arena.server.url);
  await arena.store.changeLogin("https://other.example/mcp", () => ({ tokens: tokens! }));
  await logout({ serverUrl: arena.server.url, store: arena.store });
  deepStrictEqual(Object.keys((await arena.store.read()).clients), [arena.issuer.issuer]);
});

Deno.test("logout() tells the authorization server where that takes it", async () => {
  const revoked: URLSearchParams[] = [];
  await using endpoint = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      revoked.push(new URLSearchParams(await request.text()));
      return new Response();
    },
  );
  const address = `http://127.0.0.1:${endpoint.addr.port}/revoke`;
  await using arena = await loginArena({ metadata: { revocation_endpoint: address } });
  await arena.signIn();
  const { refresh_token: token } = (await arena.store.login(arena.server.url)).tokens!;
  const result = await logout({ serverUrl: arena.server.url, store: arena.store });
  strictEqual(result.revoked, true);
  strictEqual(revoked.length, 1);
  strictEqual(revoked[0]!.get("token"), token);
});
