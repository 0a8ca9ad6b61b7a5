import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { parse } from "npm:smol-toml@1.4.2";
import { RecordingTransport } from "../../attacks/_mcp_arena.ts";
import { GOOD, type Home, makeHome } from "../../cli/child.ts";

interface Started {
  readonly command: string;
  readonly args: readonly string[];
}

async function printed(home: Home, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.run("mcp", "config", ...words);
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Starts what was printed in a folder of the client's own choice, with the environment that clients give. */
async function listTools({ command, args }: Started, home: Home): Promise<readonly string[]> {
  assert.equal(command, Deno.execPath());
  const own = Deno.env.toObject();
  const child = new Deno.Command(command, {
    args: [...args],
    cwd: "/",
    env: {
      HOME: home.dir,
      PATH: own.PATH!,
      DENO_DIR: own.DENO_DIR ?? `${own.HOME}/.cache/deno`,
    },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const transport = new RecordingTransport(child);
  const client = new Client({ name: "interop", version: "1.0.0" });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const result = await client.callTool({ name: "fixture_echo", arguments: { text: "hi" } });
    assert.deepEqual(result.content, [{ type: "text", text: '{"text":"hi"}' }]);
    return tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

for (const client of ["claude", "codex"] as const) {
  Deno.test(`runMcpConfig() prints for ${client} a command that starts, lists and calls`, async () => {
    await using home = await makeHome();
    const options = ["--client", client, "--root", GOOD, "--workspace", home.dir];
    const text = await printed(home, ...options, "--deno", Deno.execPath());
    const value = client === "codex" ? parse(text) : JSON.parse(text);
    const servers = client === "codex" ? value.mcp_servers : value.mcpServers;
    const names = await listTools(servers.cloister, home);
    assert.ok(names.includes("fixture_echo"), names.join());
    assert.ok(names.includes("read_file"), names.join());
  });
}

Deno.test("runMcpConfig() names files and notes on stderr, and only what to paste on stdout", async () => {
  await using home = await makeHome();
  const words = ["--client", "cursor", "--http", "https://tools.example.com", "--name", "mine"];
  const { stdout, stderr } = await home.run("mcp", "config", ...words);
  assert.deepEqual(JSON.parse(stdout), {
    mcpServers: {
      mine: {
        url: "https://tools.example.com/mcp",
        headers: { Authorization: "Bearer ${env:CLOISTER_TOKEN}" },
      },
    },
  });
  assert.match(stderr, /~\/\.cursor\/mcp\.json {2}\(Cursor, all your projects\)/);
  assert.match(stderr, /read from CLOISTER_TOKEN/);
});

Deno.test("runMcpConfig() prints a form for programs with --json", async () => {
  await using home = await makeHome();
  const http = "http://127.0.0.1:9000/mcp";
  const words = ["--client", "vscode", "--http", http, "--no-token", "--json"];
  const value = JSON.parse(await printed(home, ...words));
  assert.deepEqual(Object.keys(value), [
    "client",
    "transport",
    "format",
    "config",
    "text",
    "files",
    "notes",
  ]);
  assert.deepEqual(value.config, { servers: { cloister: { type: "http", url: http } } });
  assert.deepEqual(JSON.parse(value.text), value.config);
  assert.deepEqual(value.files[0], {
    program: "VS Code",
    scope: "project",
    path: ".vscode/mcp.json",
  });
});

Deno.test("runMcpConfig() grants what the configured servers need", async () => {
  await using home = await makeHome();
  const config = `${home.dir}/cloister.json`;
  const docs = {
    url: "https://docs.example.com/mcp",
    headers: { Authorization: "Bearer ${DOCS_TOKEN}" },
  };
  await Deno.writeTextFile(config, JSON.stringify({ mcpServers: { docs } }));
  const text = await printed(home, "--client", "claude", "--config", config, "--quiet");
  const { args } = JSON.parse(text).mcpServers.cloister as Started;
  const flag = (name: string) => args.find((arg) => arg.startsWith(`--allow-${name}=`)) ?? "";
  assert.match(flag("net"), /,docs\.example\.com$/);
  assert.match(flag("env"), /,DOCS_TOKEN$/);
  assert.ok(flag("write").split(/[=,]/).includes(home.dir), flag("write"));
  assert.deepEqual(args.slice(-2), ["--config", config]);
});

Deno.test("runMcpConfig() refuses what makes no sense", async () => {
  await using home = await makeHome();
  const cases: readonly (readonly [words: readonly string[], says: RegExp])[] = [
    [[], /Name a client with --client: one of claude, vscode, cursor, codex, gemini/],
    [["--client", "emacs"], /The client "emacs" is unknown/],
    [["--client", "claude", "--http", "ftp://x"], /is not an http: or https: URL/],
    [["--client", "claude", "--http", "http://a:b@x"], /without a password in it/],
    [["--client", "claude", "--name", "a b"], /Cannot name the server "a b"/],
    [["--client", "claude", "--no-token"], /--no-token means nothing without --http/],
    [["--client", "claude", "more"], /Cannot run "mcp config" with "more"/],
  ];
  for (const [words, says] of cases) {
    const { code, stdout, stderr } = await home.run("mcp", "config", ...words);
    assert.deepEqual([code, stdout], [2, ""], stderr);
    assert.match(stderr, says);
  }
});
