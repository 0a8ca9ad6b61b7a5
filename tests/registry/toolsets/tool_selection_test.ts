import assert from "node:assert/strict";
import fc from "fast-check";
import { CORE_TOOLS } from "../../../registry/toolsets/builtin_toolsets.ts";
import { BUILTINS } from "../../../tools/_builtins.ts";
import { SHIPPED, toolsets } from "./_support.ts";

const ALL = ["patch", "read_file", "search_files", "terminal", "web_extract", "write_file"];

Deno.test("selectTools() takes everything where nothing is said, and nothing for []", () => {
  const { select } = toolsets({ a: ["a1"], b: ["b1"] });
  assert.deepEqual(select({}), ["a1", "b1"]);
  assert.deepEqual(select({ toolsets: [] }), []);
  assert.deepEqual(select({ names: [] }), []);
  assert.deepEqual(select({ toolsets: [], names: ["b1"] }), ["b1"]);
  assert.deepEqual(select({ disabledToolsets: [] }), ["a1", "b1"]);
  assert.deepEqual(select({ toolsets: ["nothing"], names: ["nobody"] }), []);
});

Deno.test("selectTools() [case 79] subtracts what is disabled from a bundle", () => {
  const { select } = toolsets(SHIPPED);
  assert.deepEqual(select({ toolsets: ["hermes-cli"] }), ALL);
  assert.deepEqual(
    select({ toolsets: ["hermes-cli"], disabledToolsets: ["terminal"] }),
    ALL.filter((name) => name !== "terminal"),
  );
  // By name, by another toolset and by all: what is disabled wins.
  for (const more of [{ names: ["terminal"] }, { toolsets: ["all", "terminal", "debugging"] }]) {
    const { toolsets: chosen = ["hermes-cli"], names } = more as {
      toolsets?: string[];
      names?: string[];
    };
    const left = select({ toolsets: chosen, names, disabledToolsets: ["terminal"] });
    assert.ok(!left.includes("terminal"), JSON.stringify(left));
  }
});

Deno.test("selectTools() [case 80] keeps the shared tools when a bundle is disabled", () => {
  const { select, table } = toolsets({ ...SHIPPED, "hermes-telegram": ["telegram_send"] });
  assert.deepEqual(select({}), [...ALL, "telegram_send"].sort());
  assert.deepEqual(select({ disabledToolsets: ["hermes-telegram"] }), ALL);
  assert.deepEqual(select({ disabledToolsets: ["coding"] }).length, 7);
  table.registerToolsetAlias("telegram", "hermes-telegram");
  assert.deepEqual(select({ disabledToolsets: ["telegram"] }), ALL);
  // A toolset that is no bundle gives up everything, whether or not bundles share it.
  assert.deepEqual(select({ disabledToolsets: ["file", "hermes-telegram"] }), [
    "terminal",
    "web_extract",
  ]);
});

Deno.test("selectTools() takes the built-in compositions for what they are", () => {
  const { select } = toolsets(SHIPPED);
  assert.deepEqual(select({ toolsets: ["safe"] }), ["web_extract"]);
  assert.deepEqual(select({ toolsets: ["hermes-webhook"] }), ["web_extract"]);
  for (const name of ["debugging", "coding", "hermes-acp", "hermes-gateway"]) {
    assert.deepEqual(select({ toolsets: [name] }), ALL, name);
  }
});

Deno.test("CORE_TOOLS holds every tool that comes with the package", () => {
  const shipped = Object.values(BUILTINS).flatMap(({ declarations }) =>
    declarations.map(({ name }) => name)
  );
  assert.ok(shipped.length >= 6);
  assert.deepEqual(shipped.filter((name) => !CORE_TOOLS.has(name)), []);
});

const REGISTERED = { a: ["a1", "a2"], b: ["b1"], c: ["c1", "c2"], "hermes-sms": ["sms"] };
const OWN = {
  mine: { tools: ["a1"], includes: ["b", "loop"] },
  loop: { tools: ["c1"], includes: ["mine"] },
};
const toolsetName = fc.constantFrom(
  "a",
  "b",
  "c",
  "mine",
  "loop",
  "short",
  "all",
  "*",
  "nothing",
  "hermes-sms",
  "coding",
);
const toolName = fc.constantFrom("a1", "a2", "b1", "c1", "c2", "sms", "nobody");
const selection = fc.record({
  toolsets: fc.array(toolsetName),
  disabledToolsets: fc.array(toolsetName),
  names: fc.array(toolName),
}, { requiredKeys: [] });

function world() {
  const made = toolsets(REGISTERED, OWN);
  made.table.registerToolsetAlias("short", "c");
  made.table.registerToolsetAlias("b", "a");
  return made;
}

Deno.test("selectTools() gives the same whatever the order and however often a name is said", () => {
  const { select } = world();
  fc.assert(fc.property(selection, fc.infiniteStream(fc.nat()), (one, numbers) => {
    const shuffled = <T>(list: readonly T[] | undefined): T[] | undefined =>
      list && [...list, ...list].map((value) => ({ value, at: numbers.next().value as number }))
        .sort((left, right) => left.at - right.at).map(({ value }) => value);
    assert.deepEqual(
      select({
        ...(one.toolsets && { toolsets: shuffled(one.toolsets) }),
        ...(one.disabledToolsets && { disabledToolsets: shuffled(one.disabledToolsets) }),
        ...(one.names && { names: shuffled(one.names) }),
      }),
      select(one),
    );
  }));
});

Deno.test("selectTools() does not depend on the order of registration", () => {
  fc.assert(fc.property(
    selection,
    fc.shuffledSubarray(Object.entries(REGISTERED), { minLength: 4 }),
    fc.shuffledSubarray(Object.entries(OWN), { minLength: 2 }),
    (one, registered, own) => {
      const other = toolsets(Object.fromEntries(registered), Object.fromEntries(own));
      other.table.registerToolsetAlias("b", "a");
      other.table.registerToolsetAlias("short", "c");
      assert.deepEqual(other.select(one), world().select(one));
    },
  ));
});

Deno.test("selectTools() lets what is disabled win always, and is idempotent", () => {
  const { select, catalogue, table } = world();
  fc.assert(fc.property(selection, (one) => {
    const chosen = select(one);
    for (const name of one.disabledToolsets ?? []) {
      const removed = catalogue.removedBy(table.snapshot(), name);
      assert.deepEqual(chosen.filter((tool) => removed.has(tool)), []);
      // Only what bundles share survives the toolset that lists it.
      const listed = catalogue.resolve(table.snapshot(), name).tools;
      for (const tool of chosen) assert.ok(!listed.includes(tool) || CORE_TOOLS.has(tool));
    }
    // What a selection gives, selected by name under the same subtraction, is the same again.
    const { disabledToolsets } = one;
    assert.deepEqual(
      select({ names: chosen, ...(disabledToolsets && { disabledToolsets }) }),
      chosen,
    );
  }));
});
