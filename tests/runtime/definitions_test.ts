import assert from "node:assert/strict";
import type { ToolEntry } from "../../core/entry.ts";
import type { Availability } from "../../registry/prober.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { makeDefinitions } from "../../runtime/definitions.ts";
import type { Dialect, Selection } from "../../runtime/runtime_types.ts";
import { ToolSelector } from "../../runtime/tool_selector.ts";
import { tool } from "../registry/table_support.ts";
import { startRuntime } from "./_runtime.ts";

function table(): ToolRegistry {
  const registry = new ToolRegistry();
  registry.register(tool("beta", { toolset: "text" }));
  registry.register(tool("alpha", { toolset: "text", title: "Alpha" }));
  registry.register(tool("gamma", { toolset: "web", annotations: { readOnlyHint: true } }));
  registry.register(tool("dotted.name", { toolset: "web" }));
  return registry;
}

function define<D extends Dialect>(
  dialect: D,
  selection: Selection = {},
  judge: (entry: ToolEntry) => Availability = () => ({ available: true }),
) {
  const registry = table();
  const bound = new ToolSelector(registry, {}).configured.narrowed("the caller", selection);
  return makeDefinitions({ snapshot: registry.snapshot(), selection: bound, judge }, dialect);
}

Deno.test("makeDefinitions() [case 6] writes tools as OpenAI takes them, sorted by name", async () => {
  const { tools, omitted, names, losses } = await define("openai", { toolsets: ["text"] });
  assert.deepEqual(tools, [
    {
      type: "function",
      function: {
        name: "alpha",
        description: "The tool alpha.",
        parameters: { type: "object", properties: {} },
      },
    },
    {
      type: "function",
      function: {
        name: "beta",
        description: "The tool beta.",
        parameters: { type: "object", properties: {} },
      },
    },
  ]);
  assert.deepEqual([[...names], omitted, losses], [[["alpha", "alpha"], ["beta", "beta"]], [], []]);
});

Deno.test("makeDefinitions() writes tools as the Model Context Protocol lists them", async () => {
  const { tools, names } = await define("mcp", { names: ["alpha", "gamma", "dotted.name"] });
  assert.equal(names.get("dotted_name"), "dotted.name");
  assert.deepEqual(tools, [
    {
      name: "alpha",
      title: "Alpha",
      description: "The tool alpha.",
      inputSchema: { type: "object" },
    },
    { name: "dotted_name", description: "The tool dotted.name.", inputSchema: { type: "object" } },
    {
      name: "gamma",
      description: "The tool gamma.",
      inputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
    },
  ]);
});

Deno.test("makeDefinitions() [case 7] leaves out what cannot be used, with the reason", async () => {
  const { tools, omitted } = await define(
    "openai",
    {},
    ({ name }) =>
      name === "beta" ? { available: false, reason: "No key" } : { available: name !== "gamma" },
  );
  assert.deepEqual(tools.map((one) => one.function.name), ["alpha", "dotted_name"]);
  assert.deepEqual(omitted, [
    { name: "beta", reason: "No key" },
    { name: "gamma", reason: "Its check says that it is not available" },
  ]);
});

Deno.test("makeDefinitions() gives frozen lists of the table's generation", async () => {
  const list = await define("openai");
  assert.equal(list.generation, table().generation);
  assert.ok(Object.isFrozen(list) && Object.isFrozen(list.tools) && Object.isFrozen(list.tools[0]));
  assert.throws(() => (list.names as Map<string, string>).set("x", "y"), TypeError);
});

Deno.test("Runtime.getDefinitions() offers what can be dispatched, and forgets a list when the table changes", async () => {
  await using test = await startRuntime({ fixtures: ["needs"] });
  const first = await test.runtime.getDefinitions();
  assert.deepEqual(first.tools.map((one) => one.function.name), ["needs_nothing"]);
  assert.deepEqual(first.omitted.map(({ name }) => name), [
    "needs_file",
    "needs_luck",
    "needs_proc",
    "needs_program",
    "needs_variable",
  ]);
  for (const { name } of first.omitted) {
    const { error } = await test.call(name, {});
    if (name !== "needs_luck") assert.equal(error?.code, "unavailable", name);
  }
  test.runtime.registry.register(tool("added"));
  const second = await test.runtime.getDefinitions();
  assert.equal(second.generation, first.generation + 1);
  assert.deepEqual(second.tools.map((one) => one.function.name), ["added", "needs_nothing"]);
});

Deno.test("Runtime.getDefinitions() starts from what the configuration enables", async () => {
  await using test = await startRuntime({
    fixtures: ["needs", "grants"],
    config: { disabledToolsets: ["grants"] },
  });
  const names = async (selection?: Selection) =>
    (await test.runtime.getDefinitions(selection)).tools.map((one) => one.function.name);
  assert.deepEqual(await names(), ["needs_nothing"]);
  assert.deepEqual(await names({ names: ["needs_nothing"] }), ["needs_nothing"]);
});

Deno.test("makeDefinitions() writes each dialect's own shape", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const registry = new ToolRegistry();
  registry.register(tool("one", { schema }));
  const selection = new ToolSelector(registry, {}).configured;
  const snapshot = registry.snapshot();
  const first = async <D extends Dialect>(dialect: D) =>
    (await makeDefinitions({ snapshot, selection, judge: () => ({ available: true }) }, dialect))
      .tools[0];
  const words = { name: "one", description: "The tool one." };
  const strict = { ...schema, additionalProperties: false };
  assert.deepEqual(await first("openai"), {
    type: "function",
    function: { ...words, parameters: schema },
  });
  assert.deepEqual(await first("openai-strict"), {
    type: "function",
    function: { ...words, parameters: strict, strict: true },
  });
  assert.deepEqual(await first("anthropic"), { ...words, input_schema: schema });
  assert.deepEqual(await first("gemini"), { ...words, parameters: schema });
  assert.deepEqual(await first("mcp"), { ...words, inputSchema: schema });
});

Deno.test("makeDefinitions() tells gemini of no parameters in the one way that it takes", async () => {
  const { tools } = await define("gemini", { names: ["alpha"] });
  assert.deepEqual(tools, [{
    name: "alpha",
    description: "The tool alpha.",
    parametersJsonSchema: { type: "object", properties: {} },
  }]);
});

Deno.test("makeDefinitions() leaves out one tool that a provider cannot be told of, and tells it of the rest", async () => {
  const registry = new ToolRegistry();
  registry.register(tool("far", {
    schema: { type: "object", properties: { a: { $ref: "https://example.org/a.json" } } },
  }));
  registry.register(tool("lossy", {
    schema: { type: "object", properties: { a: { type: "string", format: "uri" } } },
  }));
  const input = {
    snapshot: registry.snapshot(),
    selection: new ToolSelector(registry, {}).configured,
    judge: () => ({ available: true }),
  };
  const { tools, omitted, losses, names } = await makeDefinitions(input, "gemini");
  assert.deepEqual(tools.map(({ name }) => name), ["lossy"]);
  assert.deepEqual([...names.values()], ["lossy"]);
  assert.deepEqual(omitted, [{
    name: "far",
    reason:
      'Its schema cannot be written for gemini: it refers to "https://example.org/a.json", which is ' +
      "outside of it and is never fetched",
  }]);
  assert.deepEqual(losses, [{
    name: "lossy",
    path: "/properties/a/format",
    message: '"format" is not told; it is checked when the tool is called',
  }]);
  assert.ok(Object.isFrozen(losses) && Object.isFrozen(losses[0]) && Object.isFrozen(omitted[0]));
  assert.equal((await makeDefinitions(input, "mcp")).tools.length, 2);
});

Deno.test("Runtime.getDefinitions() refuses a dialect that there is not, and names those that there are", async () => {
  await using test = await startRuntime();
  await assert.rejects(
    test.runtime.getDefinitions({}, { dialect: "ollama" as Dialect }),
    (error: Error) =>
      error instanceof RangeError && /"ollama": expected one of "openai", /.test(error.message),
  );
});

Deno.test("Runtime.getDefinitions() [case 81] has no built-in tool that speaks of another one", async () => {
  await using test = await startRuntime({ builtins: true });
  const { tools } = await test.runtime.getDefinitions({}, { dialect: "mcp" });
  assert.ok(tools.length >= 5, `${tools.length}`);
  // "patch" and "terminal" are words of the language too: of those, only the way to name a tool counts.
  for (const { name, description, inputSchema } of tools) {
    const text = `${description} ${JSON.stringify(inputSchema)}`;
    for (const other of test.runtime.registry.getAllToolNames()) {
      if (other === name) continue;
      const mention = other.includes("_")
        ? new RegExp(`\\b${other}\\b`)
        : new RegExp(`\\b(?:use|call|with|the tool) ${other}\\b`, "i");
      assert.ok(!mention.test(text), `${name} speaks of ${other}`);
    }
  }
});
