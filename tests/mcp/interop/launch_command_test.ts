import assert from "node:assert/strict";
import { launchCommand, type LaunchInput } from "../../../mcp/interop/launch_command.ts";
import { serverNeeds } from "../../../mcp/interop/server_needs.ts";

const INPUT: LaunchInput = {
  deno: "deno",
  main: "/opt/cloister/cli/main.ts",
  workspace: "/home/me/work",
  roots: ["/home/me/tools", "/home/me/more tools"],
  config: "/home/me/cloister.json",
  write: ["/home/me/.cache/cloister", "/tmp"],
  hosts: ["mcp.example.com", "127.0.0.1"],
  programs: ["uvx"],
  variables: ["API_TOKEN", "PATH"],
};

Deno.test("launchCommand() names every path and grant", () => {
  const { command, args } = launchCommand(INPUT);
  assert.equal(command, "deno");
  assert.deepEqual(args, [
    "run",
    "--quiet",
    "--no-prompt",
    "--allow-read",
    "--allow-write=/home/me/work,/home/me/.cache/cloister,/tmp",
    "--allow-run=deno,unshare,sh,uvx",
    "--allow-sys=systemMemoryInfo",
    "--allow-net=127.0.0.1,[::1],localhost,mcp.example.com",
    "--allow-env=HOME,USERPROFILE,XDG_CACHE_HOME,XDG_CONFIG_HOME,LOCALAPPDATA,PATH,DENO_DIR,NODE_V8_COVERAGE," +
    "LANG,TERM,DENO_CERT,DENO_TLS_CA_STORE,NO_COLOR,CLOISTER_CACHE,API_TOKEN",
    "/opt/cloister/cli/main.ts",
    "mcp",
    "--workspace",
    "/home/me/work",
    "--root",
    "/home/me/tools",
    "--root",
    "/home/me/more tools",
    "--config",
    "/home/me/cloister.json",
  ]);
});

Deno.test("launchCommand() grants to run the Deno that it starts", () => {
  const { command, args } = launchCommand({ ...INPUT, deno: "/opt/deno/deno", programs: [] });
  assert.equal(command, "/opt/deno/deno");
  assert.ok(args.includes("--allow-run=/opt/deno/deno,unshare,sh"));
});

Deno.test("launchCommand() refuses what a flag cannot carry", () => {
  assert.throws(() => launchCommand({ ...INPUT, workspace: "/home/me/a,b" }), {
    name: "RangeError",
    message:
      'Cannot write --allow-write for "/home/me/a,b": a flag of Deno cannot carry a comma; ' +
      "move or link the folder to a path without one",
  });
});

Deno.test("serverNeeds() finds hosts, programs and variables of what is enabled", () => {
  const needs = serverNeeds({
    docs: {
      url: "https://mcp.example.com/mcp",
      headers: { authorization: "Bearer ${DOCS_TOKEN}" },
    },
    local: { url: "http://127.0.0.1:9000/mcp" },
    git: { command: "uvx", args: ["mcp-server-git"], env: { KEY: "${GIT_KEY}" } },
    memory: { command: "npm:@modelcontextprotocol/server-memory@2026.8.31" },
    off: { command: "never", enabled: false, env: { A: "${NEVER}" } },
    broken: { url: "no address", command: 7 },
  });
  assert.deepEqual(needs, {
    hosts: ["mcp.example.com", "127.0.0.1:9000"],
    programs: ["uvx"],
    variables: ["DOCS_TOKEN", "GIT_KEY"],
  });
  assert.deepEqual(serverNeeds(), { hosts: [], programs: [], variables: [] });
});
