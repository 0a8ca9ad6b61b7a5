import assert from "node:assert/strict";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Selection } from "../../runtime/runtime_types.ts";
import { tool } from "../registry/table_support.ts";
import { startRuntime, toolFile } from "./_runtime.ts";

function table(): ToolRegistry {
  const registry = new ToolRegistry({ onEvent: () => {} });
  for (const name of ["read_file", "patch"]) registry.register(tool(name, { toolset: "file" }));
  registry.register(tool("terminal", { toolset: "terminal" }));
  registry.register(tool("telegram_send", { toolset: "hermes-telegram" }));
  return registry;
}

async function offered(config: Record<string, unknown>, selection?: Selection): Promise<string[]> {
  await using test = await startRuntime({ registry: table(), config: config as never });
  const { tools } = await test.runtime.getDefinitions(selection);
  return tools.map((one) => one.function.name);
}

Deno.test("Runtime.getDefinitions() [case 79] takes what is disabled out of an enabled bundle", async () => {
  const disabled = { enabledToolsets: ["hermes-cli"], disabledToolsets: ["terminal"] };
  assert.deepEqual(await offered(disabled), ["patch", "read_file"]);
  assert.deepEqual(
    await offered({}, { toolsets: ["hermes-cli"], disabledToolsets: ["terminal"] }),
    ["patch", "read_file"],
  );
  // A selection never brings back what the configuration disables.
  assert.deepEqual(await offered(disabled, { toolsets: ["all"], names: ["terminal"] }), [
    "patch",
    "read_file",
  ]);
});

Deno.test("Runtime.getDefinitions() [case 80] keeps the shared tools when a bundle is disabled", async () => {
  assert.deepEqual(await offered({ disabledToolsets: ["hermes-telegram"] }), [
    "patch",
    "read_file",
    "terminal",
  ]);
});

Deno.test("Runtime.getDefinitions() takes toolsets of the configuration, and * for all", async () => {
  const toolsets = { mine: { description: "Mine", tools: ["patch"], includes: ["terminal"] } };
  assert.deepEqual(await offered({ toolsets, enabledToolsets: ["mine"] }), ["patch", "terminal"]);
  for (const all of ["all", "*"]) {
    assert.equal((await offered({ toolsets, enabledToolsets: [all] })).length, 4);
    assert.deepEqual(await offered({ disabledToolsets: [all] }), []);
  }
  assert.deepEqual(await offered({ enabledToolsets: [] }), []);
});

Deno.test("Runtime.getDefinitions() [case 77] gives lists that a caller cannot change for others", async () => {
  await using test = await startRuntime({ registry: table() });
  const { tools } = await test.runtime.getDefinitions();
  assert.throws(() => (tools as unknown[]).push("x"), TypeError);
  assert.equal((await test.runtime.getDefinitions()).tools.length, 4);
});

Deno.test("ToolRegistry.getToolsetForTool() [case 76] knows nothing of an unknown tool", () => {
  assert.equal(table().getToolsetForTool("nobody"), undefined);
  assert.equal(table().getToolsetForTool("constructor"), undefined);
});

Deno.test("Runtime.explain() says whether a tool is offered, and which toolsets list it", async () => {
  await using test = await startRuntime({
    registry: table(),
    config: { toolsets: { mine: { tools: ["telegram_send"] } }, disabledToolsets: ["mine"] },
  });
  const { selection } = await test.runtime.explain("telegram_send");
  assert.deepEqual(selection, {
    enabled: false,
    reason: 'the configuration disables toolset "mine"',
    listedBy: ["mine", "hermes-gateway", "hermes-telegram"],
  });
  const patch = await test.runtime.explain("patch");
  assert.equal(patch.selection?.enabled, true);
  assert.ok(patch.selection.listedBy.includes("file"));
  const refused = await test.call("telegram_send", {});
  assert.equal(
    refused.error?.message,
    'Tool "telegram_send" is not enabled: the configuration disables toolset "mine"',
  );
});

Deno.test("Runtime.resolveToolset() gives what a name stands for, whatever is offered", async () => {
  await using test = await startRuntime({
    registry: table(),
    config: { enabledToolsets: [], toolsets: { mine: { includes: ["file"] } } },
  });
  assert.deepEqual(test.runtime.resolveToolset("mine").tools.includes("patch"), true);
  assert.equal(test.runtime.resolveToolset("nothing").found, false);
});

Deno.test("createRuntime() says once, with the place, what the configuration names and nothing has", async () => {
  const text = `{
  // a comment
  "toolsets": {
    "mine": { "tools": ["shout", "shuot"], "includes": ["fiel"] }
  },
  "enabledToolsets": ["own", "mnie", "mcp-later", "docs"],
  "disabledToolsets": ["coding"],
  "mcpServers": { "docs": { "command": "docs" } }
}`;
  const folder = await Deno.makeTempDir({ prefix: "cloister-config-" });
  try {
    const config = `${folder}/cloister.json`;
    await Deno.writeTextFile(config, text);
    await using test = await startRuntime({
      config,
      files: { "shout.ts": toolFile("shout", "x") },
    });
    const { logs } = test;
    const about = logs.map(({ level, message }) => `${level} ${message.replace(config, "")}`)
      .filter((line) => line.includes("nknown") || line.includes("bundle"));
    assert.deepEqual(about, [
      'warning :4:34: Unknown tool "shuot" in "toolsets.mine.tools". Did you mean "shout"?',
      'warning :4:57: Unknown toolset "fiel" in "toolsets.mine.includes". Did you mean "file"?',
      'warning :6:30: Unknown toolset "mnie" in "enabledToolsets". Did you mean "mine"?',
      'info :7:24: Disabling the bundle "coding" keeps the tools that all bundles share. ' +
      'Disable toolsets such as "terminal" or "file" to take those away',
    ]);
    const events: Diagnostic[] = [];
    test.runtime.on("diagnostic", (diagnostic) => events.push(diagnostic));
    await test.runtime.discover();
    assert.deepEqual(events, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("Runtime.getDefinitions() warns once of names in a selection that nothing has", async () => {
  await using test = await startRuntime({ registry: table() });
  await test.runtime.getDefinitions({ toolsets: ["fiel"], names: ["pach"] });
  await test.runtime.getDefinitions({ toolsets: ["fiel"] });
  const session = test.runtime.session({ disabledToolsets: ["terminl"] });
  await session.getDefinitions();
  const warnings = test.logs.filter(({ level }) => level === "warning").map(({ message }) =>
    message
  );
  assert.deepEqual(warnings, [
    'Unknown toolset "fiel" in "toolsets" of the selection. Did you mean "file"?',
    'Unknown tool "pach" in "names" of the selection. Did you mean "patch"?',
    'Unknown toolset "terminl" in "disabledToolsets" of this session. Did you mean "terminal"?',
  ]);
});

Deno.test("Runtime.permissionFlags() leaves out what only tools that are not offered need", async () => {
  const rest = 'requiresEnv: ["ONLY_THIS_TOOL"],';
  const files = { "own.ts": toolFile("shout", "x", { rest }) };
  await using offers = await startRuntime({ files });
  assert.ok(offers.runtime.permissionFlags().join(" ").includes("ONLY_THIS_TOOL"));
  await using not = await startRuntime({ files, config: { disabledToolsets: ["own"] } });
  assert.ok(!not.runtime.permissionFlags().join(" ").includes("ONLY_THIS_TOOL"));
});
