import assert from "node:assert/strict";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { startRuntime } from "./_runtime.ts";

/** A table with two tools of the program's own. */
function twoTools(): ToolRegistry {
  const registry = new ToolRegistry();
  const schema = { type: "object", properties: { text: { type: "string" } } } as const;
  const base = { toolset: "test", description: "A test tool.", schema };
  registry.register({ ...base, name: "beta", handler: () => "b" });
  registry.register({ ...base, name: "alpha", handler: () => new Promise<string>(() => {}) });
  return registry;
}

Deno.test("Runtime.getDefinitions() [case 6] gives a function for each tool, sorted", async () => {
  await using arena = await startRuntime({ registry: twoTools() });
  const { tools } = await arena.runtime.getDefinitions();
  assert.deepEqual(tools.map((tool) => [tool.type, tool.function.name]), [
    ["function", "alpha"],
    ["function", "beta"],
  ]);
});

Deno.test("Runtime.dispatch() [case 67] names the tool that nobody has", async () => {
  await using arena = await startRuntime({ registry: twoTools() });
  const result = await arena.call("gamma_ray", {});
  assert.equal(result.error?.code, "unknown_tool");
  assert.match(result.content, /gamma_ray/);
});

Deno.test("Runtime.dispatch() [case 68] answers a text that is no object, and rejects misuse", async () => {
  await using arena = await startRuntime({ registry: twoTools() });
  for (const text of ["null", "[]", "1", "true", '"text"']) {
    const result = await arena.call("beta", text);
    assert.equal(result.error?.code, "invalid_arguments", text);
    assert.equal(typeof JSON.parse(result.content).error, "string");
  }
  for (const args of [null, undefined, 1, []]) {
    await assert.rejects(async () => await arena.call("beta", args as never), TypeError);
  }
});

Deno.test("Runtime.dispatch() [case 82] ends an asynchronous handler that never does with a timeout", async () => {
  await using arena = await startRuntime({ registry: twoTools() });
  const result = await arena.call("alpha", {}, { timeoutMs: 50 });
  assert.equal(result.error?.code, "timeout");
  assert.equal(result.end, "unsettled");
});
