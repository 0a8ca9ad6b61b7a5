import assert from "node:assert/strict";
import type { JsonObject } from "../../../core/json.ts";
import { joinServerLists, readServers } from "../../../mcp/config/read_servers.ts";
import type { McpServerConfig, McpServerSpec } from "../../../mcp/config/server_config.ts";
import { loadConfig } from "../../../runtime/config.ts";
import { configJsonSchema } from "../../../runtime/config/config_schema.ts";

const VARIABLES: Readonly<Record<string, string>> = {
  PORT: "8080",
  HOST: "example.com",
  NEST: "${PORT}",
};
const environment = (name: string): string | undefined =>
  Object.hasOwn(VARIABLES, name) ? VARIABLES[name] : undefined;

function read(section: unknown, origin: McpServerSpec["origin"] = "config") {
  return readServers(section, { environment, origin });
}

function one(
  entry: JsonObject,
): { readonly server: McpServerSpec; readonly codes: readonly string[] } {
  const { servers, faults } = read({ it: entry });
  assert.equal(servers.length, 1, JSON.stringify(faults));
  return { server: servers[0]!, codes: faults.map(({ severity, code }) => `${severity} ${code}`) };
}

function faultOf(entry: JsonObject): string {
  const { servers, faults } = read({ it: entry });
  assert.deepEqual(servers, []);
  return faults.map(({ message, hint }) => `${message} | ${hint ?? ""}`).join("\n");
}

Deno.test("readServers() takes what is no object for no servers [case 99]", () => {
  for (const section of [undefined, null, 5, "x", true, [], ["a"]]) {
    assert.deepEqual(read(section), { servers: [], faults: [] });
  }
  const { servers } = read({ b: { command: "b" }, a: { url: "https://a.example/" } });
  assert.deepEqual(servers.map(({ name }) => name), ["b", "a"]);
});

Deno.test("readServers() fills in every default", () => {
  assert.deepEqual(one({ command: "tool", args: ["-x"] }).server, {
    name: "it",
    origin: "config",
    launch: { kind: "command", command: "tool", args: ["-x"], env: {} },
    enabled: true,
    lazy: false,
    exclude: [],
    resources: true,
    prompts: true,
    timeoutMs: 300_000,
    connectTimeoutMs: 60_000,
    keepaliveMs: 180_000,
    parallel: false,
    trust: "full",
  });
});

Deno.test("readServers() puts variables into args, env, headers, url and cwd, at any depth [case 100]", () => {
  const { server } = one({
    command: "tool",
    args: ["--port=${PORT}", "${env:HOST}", "${GONE:-else}", "$PORT", "${NEST}"],
    env: { A: "${HOST}:${PORT}" },
    cwd: "/srv/${HOST}",
  });
  assert.deepEqual(server.launch, {
    kind: "command",
    command: "tool",
    // What a variable holds is not looked at again.
    args: ["--port=8080", "example.com", "else", "$PORT", "${PORT}"],
    env: { A: "example.com:8080" },
    cwd: "/srv/example.com",
  });
  const remote = one({ url: "https://${HOST}:${PORT}/mcp", headers: { "X-Port": "${PORT}" } });
  assert.deepEqual(remote.server.launch, {
    kind: "http",
    url: "https://example.com:8080/mcp",
    headers: { "X-Port": "8080" },
  });
});

Deno.test("readServers() leaves what is not set as it is, with one warning [case 100]", () => {
  const { servers, faults } = read({
    it: { command: "x", args: ["${GONE}", "${GONE}", "${AWAY}"] },
  });
  assert.deepEqual(servers[0]!.launch.kind === "command" && servers[0]!.launch.args, [
    "${GONE}",
    "${GONE}",
    "${AWAY}",
  ]);
  assert.equal(faults.length, 1);
  assert.match(faults[0]!.message, /\$\{GONE\}, \$\{AWAY\} stays as it is/);
});

Deno.test("readServers() puts no variable into what a plugin brings [case 100]", () => {
  const { servers, faults } = read({ it: { command: "x", args: ["${PORT}"] } }, "plugin:acme");
  assert.deepEqual(servers[0]!.launch.kind === "command" && servers[0]!.launch.args, ["${PORT}"]);
  assert.deepEqual(faults, []);
  assert.equal(servers[0]!.origin, "plugin:acme");
});

Deno.test("joinServerLists() lets the operator's server win a name [case 100]", () => {
  const own = read({ a: { command: "mine" } }).servers;
  const theirs = read({ a: { command: "theirs" }, b: { command: "b" } }, "plugin:acme").servers;
  const { servers, faults } = joinServerLists([own, theirs]);
  assert.deepEqual(servers.map(({ name, origin }) => `${name} ${origin}`), [
    "a config",
    "b plugin:acme",
  ]);
  assert.deepEqual(faults.map(({ severity, server }) => `${severity} ${server}`), ["warning a"]);
});

Deno.test("readServers() lets url win over command, with a warning", () => {
  const { server, codes } = one({ command: "x", url: "https://a.example/mcp" });
  assert.equal(server.launch.kind, "http");
  assert.deepEqual(codes, ["warning server_url_wins"]);
});

Deno.test("readServers() wants an exact version of a package, and names what finds it", () => {
  for (const version of ["", "@^1", "@latest", "@1", "@1.2", "@*", "@1.x", "@>=1.0.0"]) {
    const fault = faultOf({ command: `npm:@scope/pack${version}` });
    assert.match(fault, /no exact version/, version);
    assert.ok(fault.includes(`cloister mcp add NAME npm:@scope/pack${version}`), fault);
  }
  for (
    const command of [
      "npm:",
      "npm:../evil@1.0.0",
      "npm:a b@1.0.0",
      "npm:a@1.0.0/../x",
      "npm:-x;y@1.0.0",
    ]
  ) {
    assert.match(faultOf({ command }), /names no package/, command);
  }
  const { server } = one({
    command: "npm:@scope/pack@1.2.3-rc.1",
    permissions: { read: ["$DATA"] },
  });
  assert.deepEqual(server.launch, {
    kind: "npm",
    package: "@scope/pack@1.2.3-rc.1",
    args: [],
    env: {},
    permissions: { read: ["$DATA"] },
  });
});

Deno.test("readServers() refuses permissions that mean nothing to a server", () => {
  const command = "npm:a@1.0.0";
  assert.match(faultOf({ command, permissions: { read: ["$TOOL_DIR"] } }), /\$TOOL_DIR" means/);
  assert.match(faultOf({ command, permissions: { read: ["$ARG.path"] } }), /\$ARG\.path" means/);
  assert.match(faultOf({ command, permissions: { reed: ["/x"] } }), /unknown key "reed"/);
  assert.match(faultOf({ command, permissions: { net: true } }), /"net" is not a list/);
  assert.match(faultOf({ command, permissions: [] }), /not an object/);
});

Deno.test("readServers() takes texts for booleans, one text for a list, and args as one text", () => {
  const { server } = one({
    command: "x",
    args: '--name \'two words\' "a \\"b\\"" plain\\ one',
    enabled: "no",
    lazy: "True",
    supportsParallelToolCalls: "1",
    tools: { include: "read_*", exclude: ["a"], prompts: "off" },
  });
  assert.deepEqual(server.launch.kind === "command" && server.launch.args, [
    "--name",
    "two words",
    'a "b"',
    "plain one",
  ]);
  assert.deepEqual([server.enabled, server.lazy, server.parallel], [false, true, true]);
  assert.deepEqual(server.include, ["read_*"]);
  assert.deepEqual([server.exclude, server.prompts, server.resources], [["a"], false, true]);
});

Deno.test("readServers() reads lists in one text as JSON and Python write them, and refuses broken ones", () => {
  const argsOf = (args: string) => {
    const { launch } = one({ command: "x", args }).server;
    return launch.kind === "command" ? launch.args : [];
  };
  assert.deepEqual(argsOf('["a", "b\\n"]'), ["a", "b\n"]);
  assert.deepEqual(argsOf("['it\\'s', \"c\",]"), ["it's", "c"]);
  assert.deepEqual(argsOf("[]"), []);
  for (const args of ['["a"', "['a' 'b']", "[a]", "{'a': 1}", "say 'open"]) {
    assert.match(faultOf({ command: "x", args }), /"args" is .*expected a list of texts; /, args);
  }
});

Deno.test("readServers() takes [] for no tools at all", () => {
  assert.deepEqual(one({ command: "x", tools: { include: [] } }).server.include, []);
  assert.equal(one({ command: "x", tools: {} }).server.include, undefined);
});

Deno.test("readServers() keeps the floor under the keepalive", () => {
  const { server, codes } = one({ command: "x", keepaliveMs: 10 });
  assert.equal(server.keepaliveMs, 5_000);
  assert.deepEqual(codes, ["warning server_keepalive"]);
});

Deno.test("readServers() warns once of blanks and hidden characters at the ends, and changes none", () => {
  const { server, codes } = one({ command: "x", env: { KEY: "abc\u200b", OTHER: " d" } });
  assert.deepEqual(server.launch.kind === "command" && server.launch.env, {
    KEY: "abc\u200b",
    OTHER: " d",
  });
  assert.deepEqual(codes, ["warning server_hidden_whitespace"]);
});

Deno.test("readServers() refuses names that nothing could be called by", () => {
  for (const name of ["", "-a", "a b", "a/b", ".a", "x".repeat(65), "ä", "a\n"]) {
    assert.deepEqual(read({ [name]: { command: "x" } }).servers, [], JSON.stringify(name));
  }
  for (const name of ["a", "9", "my.server_1-x", "x".repeat(64), "constructor"]) {
    assert.equal(read({ [name]: { command: "x" } }).servers.length, 1, name);
  }
});

Deno.test("readServers() trusts nobody whose trust it does not know", () => {
  const trustOf = (trust: JsonObject[string]) => one({ command: "x", trust }).server.trust;
  assert.deepEqual(["full", true, "untrusted", false, "ful", 1].map(trustOf), [
    "full",
    "full",
    "untrusted",
    "untrusted",
    "untrusted",
    "untrusted",
  ]);
});

Deno.test("readServers() refuses addresses and headers that cannot be used, and shows no secret", () => {
  for (const url of ["example.com", "ftp://a.example/", "https://user:hidden@a.example/"]) {
    const fault = faultOf({ url });
    assert.match(fault, /"url" is not an http/);
    assert.doesNotMatch(fault, /hidden/);
  }
  const fault = faultOf({ url: "https://a.example/", headers: { A: "se\ncret" } });
  assert.match(fault, /the header "A" cannot be sent/);
  assert.doesNotMatch(fault, /cret/);
});

Deno.test("readServers() takes what other clients write as it is", () => {
  const cline = one({
    command: "npx",
    args: ["-y", "some-server"],
    env: { PORT: 1, ON: true },
    disabled: true,
    timeout: 60,
    alwaysAllow: ["a"],
    autoApprove: [],
  });
  assert.equal(cline.server.enabled, false);
  assert.equal(cline.server.timeoutMs, 60_000);
  assert.deepEqual(cline.server.launch.kind === "command" && cline.server.launch.env, {
    PORT: "1",
    ON: "true",
  });
  assert.deepEqual(cline.codes, [
    "warning server_key_unused",
    "warning server_key_unused",
    "info server_unsandboxed",
    "info server_timeout_unit",
  ]);
  const gemini = one({
    httpUrl: "https://a.example/mcp",
    timeout: 600_000,
    trust: false,
    includeTools: ["a"],
    excludeTools: ["b"],
    description: "d",
  });
  assert.equal(gemini.server.timeoutMs, 600_000);
  assert.equal(gemini.server.trust, "untrusted");
  assert.deepEqual([gemini.server.include, gemini.server.exclude], [["a"], ["b"]]);
  assert.equal(
    one({ type: "streamableHttp", url: "https://a.example/" }).server.launch.kind,
    "http",
  );
  assert.equal(one({ serverUrl: "https://a.example/" }).server.launch.kind, "http");
  const sse = one({ type: "sse", url: "https://a.example/sse" }).server.launch;
  assert.equal(sse.kind === "http" && sse.transport, "sse");
  const copilot = one({ type: "local", command: "x", args: [], tools: ["*"] }).server;
  assert.deepEqual(copilot.include, ["*"]);
});

Deno.test("cloister.schema.json knows every key of McpServerConfig, and those of other clients", async () => {
  // A key that is added to the interface and not here does not compile.
  const every: Required<McpServerConfig> = {
    type: "http",
    command: "x",
    args: ["a"],
    env: { A: "b" },
    cwd: "/x",
    url: "https://a.example/",
    headers: { A: "b" },
    auth: "oauth",
    oauth: { clientId: "i", clientSecret: "s", scopes: ["a"], redirectPort: 8000 },
    enabled: true,
    lazy: false,
    permissions: { read: ["/x"] },
    tools: { include: ["a"], exclude: "b", resources: true, prompts: true },
    timeoutMs: 1,
    connectTimeoutMs: 1,
    keepaliveMs: 1,
    idleTimeoutMs: 1,
    maxLifetimeMs: 1,
    supportsParallelToolCalls: true,
    trust: "full",
  };
  const config = { mcpServers: { it: every } } as unknown as JsonObject;
  assert.deepEqual((await loadConfig(config)).diagnostics, []);
  const schema = JSON.parse(JSON.stringify(configJsonSchema()));
  const keys = Object.keys(schema.properties.mcpServers.additionalProperties.properties);
  const others = keys.filter((key) => !Object.hasOwn(every, key)).toSorted();
  assert.deepEqual(others, [
    "alwaysAllow",
    "autoApprove",
    "description",
    "dev",
    "disabled",
    "disabledTools",
    "envFile",
    "excludeTools",
    "gallery",
    "headersHelper",
    "httpUrl",
    "icon",
    "iconPath",
    "id",
    "includeTools",
    "name",
    "sandboxEnabled",
    "serverUrl",
    "source",
    "timeout",
    "transport",
    "version",
    "watchPaths",
  ]);
});

Deno.test("loadConfig() finds unknown keys of a server, with a suggestion", async () => {
  const servers = { it: { comand: "x", tools: { includ: [] } } };
  const { diagnostics } = await loadConfig({ mcpServers: servers });
  assert.deepEqual(diagnostics.map(({ hint }) => hint).toSorted(), [
    'Did you mean "command"?',
    'Did you mean "include"?',
  ]);
});
