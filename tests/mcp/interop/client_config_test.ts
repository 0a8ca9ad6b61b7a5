import assert from "node:assert/strict";
import { parse } from "npm:smol-toml@1.4.2";
import { clientConfig, type ServerAddress } from "../../../mcp/interop/client_config.ts";
import { CLIENT_NAMES, clientFiles } from "../../../mcp/interop/client_names.ts";

const LAUNCH = {
  command: "deno",
  args: ["run", "--allow-read", "/opt/cloister/cli/main.ts", "mcp"],
};
const STDIO: ServerAddress = { kind: "stdio", launch: LAUNCH };
const URL_TEXT = "http://127.0.0.1:8787/mcp";
const HTTP: ServerAddress = { kind: "http", url: URL_TEXT, tokenVariable: "CLOISTER_TOKEN" };
const OPEN: ServerAddress = { kind: "http", url: URL_TEXT };

const EXPECTED = {
  claude: {
    stdio: { mcpServers: { tools: LAUNCH } },
    http: {
      mcpServers: {
        tools: {
          type: "http",
          url: URL_TEXT,
          headers: { Authorization: "Bearer ${CLOISTER_TOKEN}" },
        },
      },
    },
    open: { mcpServers: { tools: { type: "http", url: URL_TEXT } } },
  },
  vscode: {
    stdio: { servers: { tools: { type: "stdio", ...LAUNCH } } },
    http: {
      inputs: [
        {
          type: "promptString",
          id: "tools-token",
          description: "Token of tools",
          password: true,
        },
      ],
      servers: {
        tools: {
          type: "http",
          url: URL_TEXT,
          headers: { Authorization: "Bearer ${input:tools-token}" },
        },
      },
    },
    open: { servers: { tools: { type: "http", url: URL_TEXT } } },
  },
  cursor: {
    stdio: { mcpServers: { tools: LAUNCH } },
    http: {
      mcpServers: {
        tools: { url: URL_TEXT, headers: { Authorization: "Bearer ${env:CLOISTER_TOKEN}" } },
      },
    },
    open: { mcpServers: { tools: { url: URL_TEXT } } },
  },
  codex: {
    stdio: { mcp_servers: { tools: LAUNCH } },
    http: { mcp_servers: { tools: { url: URL_TEXT, bearer_token_env_var: "CLOISTER_TOKEN" } } },
    open: { mcp_servers: { tools: { url: URL_TEXT } } },
  },
  gemini: {
    stdio: { mcpServers: { tools: LAUNCH } },
    http: {
      mcpServers: {
        tools: { httpUrl: URL_TEXT, headers: { Authorization: "Bearer $CLOISTER_TOKEN" } },
      },
    },
    open: { mcpServers: { tools: { httpUrl: URL_TEXT } } },
  },
} as const;

for (const client of CLIENT_NAMES) {
  Deno.test(`clientConfig() writes what ${client} reads`, () => {
    const read = client === "codex" ? parse : JSON.parse;
    for (const [key, address] of [["stdio", STDIO], ["http", HTTP], ["open", OPEN]] as const) {
      const made = clientConfig(client, "tools", address);
      assert.deepEqual(read(made.text), EXPECTED[client][key]);
      assert.deepEqual(made.config, EXPECTED[client][key]);
      assert.equal(made.format, client === "codex" ? "toml" : "json");
      assert.ok(made.text.endsWith("\n"));
      assert.ok(made.files.length > 0);
    }
  });
}

Deno.test("clientConfig() writes every text so that a TOML reader gets it back", () => {
  const args = [
    "C:\\Users\\Zoë\\my tools",
    'a "quoted" word',
    "line\nbreak\ttab\u0000\u007f",
    "hidden \u200b \u202e \u{e0041} end",
    "emoji 🦖",
    "",
  ];
  const { text, config } = clientConfig("codex", "tools", {
    kind: "stdio",
    launch: { command: "deno", args },
  });
  assert.deepEqual(parse(text), config);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f\u200b\u202e]|\u{e0041}/u);
});

Deno.test("clientConfig() refuses names that a client would refuse", () => {
  for (const name of ["", "1st", "a b", "a.b", "a/b", "ä", "a".repeat(65), "x\n", "__proto__"]) {
    assert.throws(() => clientConfig("claude", name, STDIO), {
      name: "RangeError",
      message: /^Cannot name the server /,
    });
  }
  const { text } = clientConfig("claude", "constructor", STDIO);
  assert.deepEqual(JSON.parse(text), { mcpServers: { constructor: LAUNCH } });
});

Deno.test("clientConfig() tells where each client gets the token", () => {
  const notes = (client: (typeof CLIENT_NAMES)[number]) => clientConfig(client, "x", HTTP).notes;
  assert.match(notes("vscode").join(), /asks for the token/);
  for (const client of ["claude", "cursor", "codex", "gemini"] as const) {
    assert.match(notes(client).join(), /read from CLOISTER_TOKEN/);
  }
  assert.match(notes("claude").join(), /Claude Desktop takes no address/);
  assert.deepEqual(clientConfig("cursor", "x", OPEN).notes, []);
});

Deno.test("clientFiles() names a file for every system", () => {
  for (const client of CLIENT_NAMES) {
    for (const transport of ["stdio", "http"] as const) {
      for (const system of ["linux", "darwin", "windows"] as const) {
        const files = clientFiles(client, transport);
        const here = files.filter(({ os }) => os === undefined || os === system);
        assert.ok(here.some(({ scope }) => scope === "user"), `${client} ${transport} ${system}`);
        assert.ok(here.some(({ scope }) => scope === "project"), `${client} ${transport}`);
      }
    }
  }
});

Deno.test("clientFiles() leaves Claude Desktop out for an address", () => {
  const programs = (transport: "stdio" | "http") =>
    new Set(clientFiles("claude", transport).map(({ program }) => program));
  assert.deepEqual([...programs("stdio")], ["Claude Desktop", "Claude Code"]);
  assert.deepEqual([...programs("http")], ["Claude Code"]);
});
