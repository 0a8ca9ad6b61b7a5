import assert from "node:assert/strict";
import fc from "fast-check";
import { BoundSelection } from "../../../registry/toolsets/bound_selection.ts";
import type { ToolsetSelection } from "../../../registry/toolsets/tool_selection.ts";
import { tool } from "../table_support.ts";
import { toolsets } from "./_support.ts";

const REGISTERED = { a: ["a1", "a2"], b: ["b1"] };

Deno.test("BoundSelection.narrowed() never adds to what the one before left", () => {
  const { catalogue, table } = toolsets(REGISTERED);
  const name = fc.constantFrom("a", "b", "all", "nothing");
  const selection: fc.Arbitrary<ToolsetSelection> = fc.record({
    toolsets: fc.array(name),
    disabledToolsets: fc.array(name),
    names: fc.array(fc.constantFrom("a1", "a2", "b1")),
  }, { requiredKeys: [] });
  fc.assert(fc.property(selection, selection, (first, second) => {
    const snapshot = table.snapshot();
    const outer = new BoundSelection(catalogue, [{ source: "one", selection: first }]);
    const inner = outer.narrowed("two", second);
    const alone = new BoundSelection(catalogue, [{ source: "two", selection: second }]);
    const both = outer.names(snapshot).filter((one) => alone.has(snapshot, one));
    assert.deepEqual(inner.names(snapshot), both);
    for (const one of ["a1", "a2", "b1"]) {
      assert.equal(inner.whyNot(snapshot, one) === undefined, inner.has(snapshot, one));
    }
  }));
});

Deno.test("BoundSelection.has() follows the table and its aliases", () => {
  const { catalogue, table } = toolsets(REGISTERED, { mine: { tools: ["later"] } });
  const bound = new BoundSelection(catalogue, [{
    source: "this session",
    selection: { toolsets: ["mine", "short"] },
  }]);
  const names = () => bound.names(table.snapshot());
  assert.deepEqual(names(), []);
  const { key } = bound;
  table.registerToolsetAlias("short", "b");
  assert.deepEqual(names(), ["b1"]);
  // The table's generation is the same, so that the key has to tell.
  assert.notEqual(bound.key, key);
  const before = table.snapshot();
  table.register(tool("later", { toolset: "other" }));
  assert.deepEqual(names(), ["b1", "later"]);
  assert.deepEqual(bound.names(before), ["b1"]);
  table.deregister("b1");
  assert.deepEqual(names(), ["later"]);
});

Deno.test("BoundSelection.whyNot() says who leaves a tool out, and how", () => {
  const { catalogue, table } = toolsets(REGISTERED, { mine: { includes: ["a"] } });
  const bound = new BoundSelection(catalogue, [
    { source: "the configuration", selection: { disabledToolsets: ["mine"] } },
  ]).narrowed("this session", { names: ["a1"] });
  const why = (name: string) => bound.whyNot(table.snapshot(), name);
  assert.equal(why("a1"), 'the configuration disables toolset "mine"');
  assert.equal(why("b1"), 'this session does not select it (toolset "b")');
  assert.equal(new BoundSelection(catalogue, []).whyNot(table.snapshot(), "a1"), undefined);
});

Deno.test("BoundSelection.key tells a toolset from a name, and [] from nothing said", () => {
  const { catalogue } = toolsets(REGISTERED);
  const selections: ToolsetSelection[] = [
    {},
    { toolsets: [] },
    { names: [] },
    { toolsets: ["a"] },
    { names: ["a"] },
    { disabledToolsets: ["a"] },
    { toolsets: ["a"], names: ["a"] },
  ];
  const keys = selections.map((selection) =>
    new BoundSelection(catalogue, [{ source: "x", selection }]).key
  );
  assert.equal(new Set(keys).size, selections.length);
});

Deno.test("ToolsetCatalogue.listing() gives every toolset that lists a tool, bundles last, and follows the table", () => {
  const { catalogue, table } = toolsets({ file: ["patch"] }, { mine: { includes: ["short"] } });
  const listing = (name: string) => catalogue.listing(table.snapshot(), name);
  const bundles = catalogue.names(table.snapshot()).filter((name) => catalogue.isBundle(name));
  const core = bundles.filter((name) => name !== "hermes-webhook");
  assert.deepEqual(listing("patch"), ["debugging", "file", ...core]);
  table.registerToolsetAlias("short", "file");
  assert.deepEqual(listing("patch"), ["debugging", "file", "mine", "short", ...core]);
  assert.deepEqual(listing("late"), []);
  table.register(tool("late", { toolset: "mine" }));
  assert.deepEqual(listing("late"), ["mine"]);
});
