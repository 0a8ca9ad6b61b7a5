import assert from "node:assert/strict";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { startRuntime, type TestRuntimeOptions } from "./_runtime.ts";

const fixtures = new URL("../fixtures/", import.meta.url).pathname;

/** The user's tool `greet`, plugin `acme` that may replace it, and plugin `other`. */
function options(registry: ToolRegistry): TestRuntimeOptions {
  return {
    registry,
    roots: [`${fixtures}plugin_tools`],
    pluginFolder: `${fixtures}plugins`,
    config: {
      plugins: [{ id: "acme", path: `${fixtures}plugins/acme/tools`, allowToolOverride: true }],
    },
  };
}

function greeting(registry: ToolRegistry, owner: "program" | "plugin:acme", override = false) {
  return registry.register({
    name: "greet",
    toolset: "own",
    description: "Greets.",
    schema: { type: "object" },
    handler: () => "hello",
  }, { owner, override });
}

Deno.test("Runtime[Symbol.asyncDispose]() takes what it found out of a table that lives on, and nothing else", async () => {
  const registry = new ToolRegistry();
  {
    await using test = await startRuntime(options(registry));
    assert.deepEqual(registry.getAllToolNames(), ["acme_who", "greet", "other_who"]);
    greeting(registry, "program");
    assert.equal(registry.getEntry("greet")?.owner, "plugin:acme");
    await test.runtime[Symbol.asyncDispose]();
    await assert.rejects(test.runtime.discover(), /the runtime was disposed of/);
  }
  assert.deepEqual(registry.getAllToolNames(), ["greet"]);
  assert.deepEqual(
    registry.explainClaims("greet").claims.map(({ entry }) => entry.owner),
    ["program"],
  );
});

Deno.test("Runtime[Symbol.asyncDispose]() takes back what it allowed plugins to replace", async () => {
  const registry = new ToolRegistry();
  greeting(registry, "program");
  const take = () => greeting(registry, "plugin:acme", true).status;
  {
    await using _test = await startRuntime({ ...options(registry), roots: [] });
    assert.equal(registry.getEntry("greet")?.owner, "plugin:acme");
  }
  assert.equal(registry.getEntry("greet")?.owner, "program");
  assert.throws(take, { name: "PermissionError", message: /allowToolOverride/ });
});

Deno.test("Runtime[Symbol.asyncDispose]() leaves what another runtime over the same table has found too", async () => {
  const registry = new ToolRegistry();
  await using first = await startRuntime(options(registry));
  const cacheDir = `${first.base}/cache`;
  const second = await startRuntime({ ...options(registry), cacheDir });
  await second[Symbol.asyncDispose]();
  assert.deepEqual(registry.getAllToolNames(), ["acme_who", "greet", "other_who"]);
  assert.equal(registry.getEntry("greet")?.owner, "plugin:acme");
  assert.match((await first.call("greet", {})).content, /^acme:/);
});
