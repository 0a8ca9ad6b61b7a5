import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createRuntime } from "../../../mcp/create_runtime.ts";
import { mcpServersOf } from "../../../mcp/servers_of.ts";
import type { Runtime } from "../../../runtime/runtime_types.ts";
import type { ResourceServerOptions } from "../../fixtures/mcp/authorization_server.ts";
import { type LoginArena, loginArena } from "./_login_arena.ts";

function start({ server, folder }: LoginArena, logged: string[] = []): Promise<Runtime> {
  return createRuntime({
    config: { mcpServers: { docs: { url: server.url, headers: { "x-team": "team-key-1" } } } },
    cacheDir: folder,
    workspace: folder,
    discover: false,
    builtins: false,
    logger: { log: (_level, message) => void logged.push(message) },
  });
}

async function arenaWithFolder(
  resource: Partial<ResourceServerOptions> = {},
): Promise<LoginArena> {
  const arena = await loginArena({}, resource);
  await Deno.mkdir(arena.folder);
  return arena;
}

Deno.test("createRuntime() goes on without a server that wants a login, and says what to run", async () => {
  await using arena = await arenaWithFolder();
  await using runtime = await start(arena);
  const [status] = mcpServersOf(runtime)!.servers();
  ok(status!.state === "failed" || status!.state === "parked", status!.state);
  match(status!.error!, /run "cloister mcp login docs"/);
  strictEqual((await runtime.getDefinitions()).tools.length, 0);
  deepStrictEqual(arena.issuer.requests, []);
});

Deno.test("createRuntime() has the tools of a server after a login, and renews it by itself", async () => {
  await using arena = await arenaWithFolder();
  await arena.signIn();
  const logged: string[] = [];
  await using runtime = await start(arena, logged);
  const name = "mcp__docs__whoami";
  ok((await runtime.dispatch(name, {})).ok);
  arena.issuer.tokens.clear();
  const result = await runtime.dispatch(name, {});
  ok(result.ok, result.content);
  const { access_token: access, refresh_token: refresh } = (await arena.store.login(
    arena.server.url,
  )).tokens!;
  for (const line of logged) ok(!line.includes(access) && !line.includes(refresh!), line);
});

Deno.test("createRuntime() sends a server's configured headers to no authorization server", async () => {
  await using arena = await arenaWithFolder();
  await arena.signIn();
  await using runtime = await start(arena);
  arena.issuer.tokens.clear();
  ok((await runtime.dispatch("mcp__docs__whoami", {})).ok);
  const team = arena.server.requests.map(({ headers }) => headers.get("x-team"));
  ok(team.includes("team-key-1"));
  ok(arena.issuer.requests.some(({ path }) => path === "/token"));
  ok(arena.issuer.requests.every(({ headers }) => !headers.has("x-team")));
});

Deno.test("createRuntime() keeps a connection when one call lacks a right", async () => {
  const wide = new Set<string>();
  await using arena = await arenaWithFolder({
    scope: "docs:read",
    callScope: { scope: "docs:write", has: (token) => wide.has(token) },
  });
  await arena.signIn();
  await using runtime = await start(arena);
  const name = "mcp__docs__whoami";
  const refused = await runtime.dispatch(name, {});
  match(
    refused.content,
    /the stored login lacks a right that this needs; run \\?"cloister mcp login docs/,
  );
  strictEqual(mcpServersOf(runtime)!.servers()[0]!.state, "connected");
  await arena.signIn();
  wide.add((await arena.store.login(arena.server.url)).tokens!.access_token);
  const result = await runtime.dispatch(name, {});
  ok(result.ok, result.content);
});
