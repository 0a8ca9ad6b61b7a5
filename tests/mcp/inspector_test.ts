/** The inspector of the Model Context Protocol, without its pages, against both transports. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { startFixtureServer } from "../../scripts/conformance/fixture_server.ts";
import { type PeerResult, runPeer } from "../../scripts/conformance/peers.ts";
import { FIXTURE_TOOLS } from "../conformance/_fixtures.ts";
import { requirePeer } from "../conformance/_peer.ts";

const CLI = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
const BUILTINS = ["patch", "read_file", "search_files", "terminal", "web_extract", "write_file"];
const ignore = await requirePeer("inspector");

function inspect(args: readonly string[]): Promise<PeerResult> {
  return runPeer("inspector", ["--cli", ...args], 60_000);
}

async function inspectHttp(words: readonly string[], ...serve: string[]): Promise<PeerResult> {
  await using server = await startFixtureServer(serve);
  return await inspect([server.url, "--transport", "http", ...words]);
}

/** Lets the inspector start `cloister mcp` over the fixtures, in folders that are removed afterwards. */
async function inspectStdio(words: readonly string[]): Promise<PeerResult> {
  const base = await Deno.makeTempDir({ prefix: "cloister-inspector-" });
  try {
    await Deno.mkdir(`${base}/space`);
    const server = {
      command: Deno.execPath(),
      args: [
        ...["run", "-A", "--config", CONFIG, CLI, "mcp"],
        ...["--workspace", `${base}/space`, "--root", FIXTURE_TOOLS],
      ],
      env: { CLOISTER_CACHE: `${base}/cache` },
    };
    const file = `${base}/servers.json`;
    await Deno.writeTextFile(file, JSON.stringify({ mcpServers: { cloister: server } }));
    return await inspect(["--config", file, "--server", "cloister", ...words]);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

function names({ stdout }: PeerResult): readonly string[] {
  const { tools } = JSON.parse(stdout) as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name);
}

/** With `--strict` the inspector ends with 6 when a client could not take a tool's schema. */
function assertClean({ code, stderr }: PeerResult): void {
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stderr, /portability|Error: tool|Warning: tool/);
}

const LIST = ["--method", "tools/list", "--strict"];
const CALL = ["--method", "tools/call", "--tool-name", "test_header_parameter"];

Deno.test({
  name: "inspector finds nothing against the built-in tools over HTTP",
  ignore,
  fn: async () => {
    const listed = await inspectHttp(LIST, "--builtins");
    assertClean(listed);
    assert.deepEqual(names(listed), BUILTINS);
  },
});

Deno.test({
  name: "inspector finds nothing against the fixtures over HTTP",
  ignore,
  fn: async () => {
    const listed = await inspectHttp(LIST);
    assertClean(listed);
    assert.equal(names(listed).filter((name) => name.startsWith("test_")).length, 25);
  },
});

Deno.test({
  name: "inspector calls a sandboxed tool over HTTP",
  ignore,
  fn: async () => {
    const { code, stdout, stderr } = await inspectHttp([...CALL, "--tool-arg", "region=north"]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout).content, [{ type: "text", text: "Region: north" }]);
  },
});

Deno.test({
  name: "inspector finds nothing against built-in tools and fixtures over stdio",
  ignore,
  fn: async () => {
    const listed = await inspectStdio(LIST);
    assertClean(listed);
    assert.deepEqual(BUILTINS.filter((name) => !names(listed).includes(name)), []);
    assert.equal(names(listed).filter((name) => name.startsWith("test_")).length, 24);
  },
});

Deno.test({
  name: "inspector calls a sandboxed tool over stdio",
  ignore,
  fn: async () => {
    const { code, stdout, stderr } = await inspectStdio([...CALL, "--tool-arg", "region=north"]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout).content, [{ type: "text", text: "Region: north" }]);
  },
});

Deno.test({
  name: "inspector shows a call that fails as an error of the tool",
  ignore,
  fn: async () => {
    const { stdout } = await inspectHttp([
      ...["--method", "tools/call", "--tool-name", "test_error_handling"],
    ]);
    const { isError, content } = JSON.parse(stdout);
    assert.equal(isError, true);
    assert.match(content[0].text, /This tool intentionally returns an error for testing/);
  },
});
