import assert from "node:assert/strict";
import fc from "fast-check";
import { LEGACY_TOOLSETS } from "../../../registry/toolsets/legacy_toolsets.ts";
import type { OwnToolset } from "../../../registry/toolsets/composition.ts";
import { SHIPPED, toolsets } from "./_support.ts";

Deno.test("resolveToolset() takes a composition's tools and those of its includes, sorted, each once", () => {
  const { tools } = toolsets({ a: ["a1", "a2"], b: ["b1"] }, {
    mine: { tools: ["b1", "a1"], includes: ["a"] },
  });
  assert.deepEqual(tools("mine"), ["a1", "a2", "b1"]);
});

Deno.test("resolveToolset() passes over what it saw, in cycles and in diamonds", () => {
  const { tools } = toolsets({ base: ["t"] }, {
    self: { tools: ["s"], includes: ["self"] },
    one: { tools: ["o"], includes: ["two"] },
    two: { tools: ["w"], includes: ["one"] },
    top: { includes: ["left", "right"] },
    left: { tools: ["l"], includes: ["base"] },
    right: { tools: ["r"], includes: ["base"] },
  });
  assert.deepEqual(tools("self"), ["s"]);
  assert.deepEqual(tools("one"), ["o", "w"]);
  assert.deepEqual(tools("two"), ["o", "w"]);
  assert.deepEqual(tools("top"), ["l", "r", "t"]);
});

Deno.test("resolveToolset() goes through includes that nest deeper than a stack", () => {
  const own: Record<string, OwnToolset> = {};
  for (let level = 0; level < 50_000; level++) own[`n${level}`] = { includes: [`n${level + 1}`] };
  own.n50000 = { tools: ["deep"] };
  assert.deepEqual(toolsets({}, own).tools("n0"), ["deep"]);
});

Deno.test("resolveToolset() takes all and * for every tool of the table", () => {
  const { tools } = toolsets({ a: ["a1"], b: ["b1"] }, { mine: { includes: ["*"] } });
  for (const name of ["all", "*", "mine"]) assert.deepEqual(tools(name), ["a1", "b1"]);
});

Deno.test("resolveToolset() adds what is registered under a composition's name", () => {
  const { tools, table } = toolsets({ browser: ["navigate"], "browser-cdp": ["dialog"] }, {
    browser: { tools: ["dialog"] },
  });
  // The toolset that a tool was registered in and the ones that list it are different things.
  assert.deepEqual(tools("browser"), ["dialog", "navigate"]);
  assert.deepEqual(tools("browser-cdp"), ["dialog"]);
  assert.equal(table.getToolsetForTool("dialog"), "browser-cdp");
  assert.deepEqual(table.getToolNamesForToolset("browser"), ["navigate"]);
});

Deno.test("resolveToolset() follows an alias by one step, and adds to what has the name already", () => {
  const { table, tools } = toolsets({ a: ["a1"], b: ["b1"], c: ["c1"] }, {
    composed: { tools: ["own"] },
  });
  table.registerToolsetAlias("x", "a");
  table.registerToolsetAlias("y", "x");
  table.registerToolsetAlias("b", "c");
  table.registerToolsetAlias("composed", "a");
  table.registerToolsetAlias("p", "q");
  table.registerToolsetAlias("q", "p");
  assert.deepEqual(tools("x"), ["a1"]);
  assert.deepEqual(tools("y"), []);
  assert.deepEqual(tools("b"), ["b1", "c1"]);
  assert.deepEqual(tools("composed"), ["a1", "own"]);
  assert.deepEqual(tools("p"), []);
});

Deno.test("resolveToolset() [case 44] follows an alias where it was moved to, with a warning", () => {
  const { table, tools } = toolsets({ a: ["a1"], b: ["b1"] });
  const warnings: string[] = [];
  table.setEventSink(({ level, message }) => void warnings.push(`${level}: ${message}`));
  table.registerToolsetAlias("x", "a");
  table.registerToolsetAlias("x", "a");
  assert.deepEqual([tools("x"), warnings], [["a1"], []]);
  table.registerToolsetAlias("x", "b");
  assert.deepEqual(tools("x"), ["b1"]);
  assert.deepEqual(warnings, ['warning: Toolset alias "x" moves from "a" to "b"']);
});

Deno.test("resolveToolset() says which names nothing has, and where they are", () => {
  const { catalogue, table } = toolsets({ a: ["a1"] }, {
    mine: { tools: ["a1", "a9"], includes: ["a", "aa"] },
  });
  const resolve = (name: string) => catalogue.resolve(table.snapshot(), name);
  assert.deepEqual(resolve("mine"), {
    name: "mine",
    found: true,
    tools: ["a1", "a9"],
    unknown: [
      { kind: "tool", name: "a9", within: "mine" },
      { kind: "toolset", name: "aa", within: "mine" },
    ],
  });
  for (const name of ["nothing", "", "constructor", "__proto__", "ALL"]) {
    const { found, tools, unknown } = resolve(name);
    assert.deepEqual([found, tools, unknown], [false, [], [{ kind: "toolset", name }]]);
  }
});

Deno.test("resolveToolset() [case 75] maps the old names of toolsets to lists of names", () => {
  const { tools, catalogue, table } = toolsets(SHIPPED);
  assert.ok(LEGACY_TOOLSETS.size > 0);
  for (const [name, list] of LEGACY_TOOLSETS) {
    assert.ok(Array.isArray(list) && list.every((one) => typeof one === "string"));
    assert.deepEqual(tools(name), [...list].sort());
    assert.ok(catalogue.resolve(table.snapshot(), name).found);
  }
  assert.deepEqual(tools("web_tools"), ["web_extract"]);
  // Whoever has the name now goes before.
  assert.deepEqual(toolsets({ web_tools: ["mine"] }).tools("web_tools"), ["mine"]);
});

Deno.test("resolveToolset() terminates on any graph, and gives what can be reached", () => {
  const name = fc.constantFrom("t0", "t1", "t2", "t3", "t4", "t5");
  const graph = fc.dictionary(
    name,
    fc.record({ tools: fc.array(fc.constantFrom("u", "v", "w", "x")), includes: fc.array(name) }),
  );
  fc.assert(fc.property(graph, name, (own, start) => {
    const { tools } = toolsets({}, own);
    const reached = new Set([start]);
    for (const one of reached) own[one]?.includes.forEach((next) => reached.add(next));
    const expected = new Set([...reached].flatMap((one) => own[one]?.tools ?? []));
    assert.deepEqual(tools(start), [...expected].sort());
    assert.deepEqual(tools(start), tools(start));
  }));
});
