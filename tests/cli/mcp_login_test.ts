import assert from "node:assert/strict";
import { agree, loginArena } from "../mcp/oauth/_login_arena.ts";
import { type Home, linesOf, makeHome } from "./child.ts";

async function homeWith(servers: Record<string, unknown>): Promise<{ home: Home; config: string }> {
  const home = await makeHome();
  const config = `${home.dir}/cloister.json`;
  await Deno.writeTextFile(config, JSON.stringify({ mcpServers: servers }));
  return { home, config };
}

/** Starts a login and gives the address that it prints. */
async function startLogin(home: Home, config: string) {
  const child = home.spawn(["mcp", "login", "docs", "--config", config]);
  const lines = linesOf(child.stderr);
  const seen: string[] = [];
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    seen.push(next.value);
    if (/^ {2}http/.test(next.value)) {
      const stdout = new Response(child.stdout).text();
      return { child, stdout, page: new URL(next.value.trim()), rest: () => drain(lines, seen) };
    }
  }
  throw new Error(`No address: ${seen.join("\n")}`);
}

async function drain(lines: AsyncGenerator<string>, seen: string[]): Promise<string> {
  for await (const line of lines) seen.push(line);
  return seen.join("\n");
}

Deno.test("mcp login prints the page, waits for the browser, and tells no secret", async () => {
  await using arena = await loginArena({}, { scope: "docs:read" });
  const { home, config } = await homeWith({ docs: { url: arena.server.url } });
  await using _home = home;
  const { child, stdout, page, rest } = await startLogin(home, config);
  assert.equal(page.origin, arena.issuer.issuer);
  await agree(page);
  const { code } = await child.status;
  const stderr = await rest();
  assert.equal(code, 0, stderr);
  assert.equal(await stdout, `Signed in to "docs" at ${arena.issuer.issuer} (docs:read)\n`);
  const file = `${home.dir}/.cache/cloister/mcp-logins.json`;
  const [{ tokens }] = Object.values(JSON.parse(await Deno.readTextFile(file)).servers) as [
    { tokens: Record<string, string> },
  ];
  for (const secret of [tokens.access_token!, tokens.refresh_token!]) {
    assert.ok(!stderr.includes(secret) && !(await stdout).includes(secret));
  }
  const out = await home.run("mcp", "logout", "docs", "--config", config, "--json");
  assert.equal(out.code, 0, out.stderr);
  assert.deepEqual(JSON.parse(out.stdout), { server: "docs", wasSignedIn: true, revoked: false });
});

Deno.test("mcp login fails with the reason when the person refuses", async () => {
  await using arena = await loginArena({ error: "access_denied" });
  const { home, config } = await homeWith({ docs: { url: arena.server.url } });
  await using _home = home;
  const { child, page, rest, stdout } = await startLogin(home, config);
  await agree(page);
  assert.equal((await child.status).code, 1);
  assert.match(
    await rest(),
    /error: Cannot sign in to MCP server "docs": the authorization server answered "access_denied"/,
  );
  assert.equal(await stdout, "");
});

Deno.test("mcp login ends with 130 when it is interrupted", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using arena = await loginArena();
  const { home, config } = await homeWith({ docs: { url: arena.server.url } });
  await using _home = home;
  const { child, rest, stdout } = await startLogin(home, config);
  child.kill("SIGINT");
  assert.equal((await child.status).code, 130);
  await Promise.all([rest(), stdout]);
});

Deno.test("mcp login and logout say what they take", async () => {
  const { home, config } = await homeWith({
    docs: { url: "https://mcp.example/mcp" },
    local: { command: "some-server" },
  });
  await using _home = home;
  const cases = [
    [["mcp", "login"], /"mcp login" takes the name of one server/],
    [["mcp", "login", "a", "b"], /"mcp login" takes the name of one server/],
    [["mcp", "login", "doc"], /no usable MCP server "doc"; did you mean docs\?/],
    [["mcp", "logout", "local"], /"local" is a program of this machine/],
  ] as const;
  for (const [words, expected] of cases) {
    const { code, stderr } = await home.run(...words, "--config", config);
    assert.equal(code, 2, stderr);
    assert.match(stderr, expected);
  }
  const none = await home.run("mcp", "logout", "docs", "--config", config);
  assert.deepEqual([none.code, none.stdout], [0, 'There was no login at "docs"\n']);
});

Deno.test("mcp list names the command for a server that wants a login", async () => {
  await using arena = await loginArena();
  const { home, config } = await homeWith({ docs: { url: arena.server.url } });
  await using _home = home;
  const { stdout } = await home.run("mcp", "list", "--config", config, "--json");
  assert.match(stdout, /run \\"cloister mcp login docs\\"/);
  assert.deepEqual(arena.issuer.requests, []);
});
