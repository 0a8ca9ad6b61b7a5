import assert from "node:assert/strict";
import fc from "fast-check";
import type { Owner } from "../../core/entry.ts";
import { PermissionError } from "../../core/errors.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { tool } from "./table_support.ts";

/** One step of an owner; the operator is one more owner, whose steps are grants and orders. */
type Step =
  | {
    readonly kind: "register";
    readonly owner: Owner;
    readonly name: string;
    readonly override: boolean;
    readonly mark: string;
  }
  | { readonly kind: "deregister"; readonly owner: Owner; readonly name: string }
  | { readonly kind: "replace"; readonly owner: Owner }
  | { readonly kind: "grant"; readonly plugin: string; readonly allowed: boolean }
  | { readonly kind: "order"; readonly plugins: readonly string[] };

const OWNERS: readonly Owner[] = [
  "builtin",
  "program",
  "user",
  "plugin:acme",
  "plugin:acme/sub",
  "plugin:zeta",
  "mcp:srv",
];
const PLUGINS = ["plugin:acme", "plugin:acme/sub", "plugin:zeta"];
const NAMES = ["x", "X", "do_it", "Do-It"];

function stepsOf(owner: Owner): fc.Arbitrary<readonly Step[]> {
  const name = fc.constantFrom(...NAMES);
  const register = fc.record({ name, override: fc.boolean(), mark: fc.string({ maxLength: 3 }) });
  return fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: register.map((step): Step => ({ kind: "register", owner, ...step })),
      },
      { weight: 2, arbitrary: name.map((name): Step => ({ kind: "deregister", owner, name })) },
      { weight: 1, arbitrary: fc.constant<Step>({ kind: "replace", owner }) },
    ),
    { maxLength: 4 },
  );
}

const OPERATOR: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ plugin: fc.constantFrom(...PLUGINS), allowed: fc.boolean() })
      .map((step): Step => ({ kind: "grant", ...step })),
    fc.shuffledSubarray(PLUGINS).map((plugins): Step => ({ kind: "order", plugins })),
  ),
  { maxLength: 4 },
);

/** At least three owners, each with its steps, and the operator. */
const SCRIPTS: fc.Arbitrary<readonly (readonly Step[])[]> = fc
  .shuffledSubarray([...OWNERS], { minLength: 3 })
  .chain((owners) => fc.tuple(OPERATOR, ...owners.map(stepsOf)));

function play(steps: readonly Step[]): ToolRegistry {
  const table = new ToolRegistry({ onEvent: () => {} });
  for (const step of steps) {
    try {
      act(table, step);
    } catch (error) {
      assert.ok(error instanceof PermissionError, String(error));
    }
  }
  return table;
}

function act(table: ToolRegistry, step: Step): void {
  switch (step.kind) {
    case "register": {
      const { owner, name, override, mark } = step;
      return void table.register(tool(name, { description: mark }), { owner, override });
    }
    case "deregister":
      return void table.deregister(step.name, { owner: step.owner });
    case "replace":
      return void table.replaceOwnerClaims(step.owner, []);
    case "grant":
      return table.registerPluginOverridePolicy(step.plugin, { allowToolOverride: step.allowed });
    case "order":
      return table.setPluginOrder(step.plugins);
  }
}

/** Merges the scripts, each in its own order, by a list of choices. */
function interleave(
  scripts: readonly (readonly Step[])[],
  choices: readonly number[],
): readonly Step[] {
  const rest = scripts.map((script) => [...script]);
  const merged: Step[] = [];
  for (let turn = 0; rest.some((script) => script.length > 0); turn++) {
    const open = rest.filter((script) => script.length > 0);
    merged.push(open[choices[turn % choices.length]! % open.length]!.shift()!);
  }
  return merged;
}

function show(table: ToolRegistry): readonly string[] {
  return table.snapshot().entries().map((entry) =>
    `${entry.name} ${entry.owner} ${entry.description}`
  );
}

function hasConflict(table: ToolRegistry): boolean {
  return NAMES.some((name) => table.explainClaims(name).claims.length >= 3);
}

const CHOICES = fc.array(fc.nat(99), { minLength: 1, maxLength: 40 });

Deno.test("ownership rule 10: every interleaving of the owners ends in the same table", () => {
  let runs = 0;
  let conflicts = 0;
  let differentPaths = 0;
  fc.assert(
    fc.property(SCRIPTS, fc.array(CHOICES, { minLength: 5, maxLength: 5 }), (scripts, orders) => {
      const expected = play(scripts.flat());
      runs++;
      if (hasConflict(expected)) conflicts++;
      for (const order of orders) {
        const table = play(interleave(scripts, order));
        if (table.generation !== expected.generation) differentPaths++;
        assert.deepEqual(show(table), show(expected));
      }
    }),
    { numRuns: 2000 },
  );
  console.log(
    `ownership: ${runs} runs of six interleavings, ${conflicts} with three or more owners on one name, ` +
      `${differentPaths} tables reached over another number of generations`,
  );
  assert.ok(conflicts > runs / 4, "too few conflicts to say anything");
});

Deno.test("ownership rule 10: the sole exception is two servers on one name", () => {
  const a: Step = { kind: "register", owner: "mcp:a", name: "x", override: false, mark: "a" };
  const b: Step = { kind: "register", owner: "mcp:b", name: "x", override: false, mark: "b" };
  assert.deepEqual(show(play([a, b])), ["x mcp:b b"]);
  assert.deepEqual(show(play([b, a])), ["x mcp:a a"]);
});

Deno.test("ownership: advertised names never fold together, and the generation counts changes", () => {
  fc.assert(
    fc.property(SCRIPTS, CHOICES, (scripts, order) => {
      const table = new ToolRegistry({ onEvent: () => {} });
      let told = 0;
      table.subscribe(() => told++);
      for (const step of interleave(scripts, order)) {
        const before = show(table).join();
        const { generation } = table;
        try {
          act(table, step);
        } catch (error) {
          assert.ok(error instanceof PermissionError);
        }
        if (show(table).join() !== before) assert.equal(table.generation, generation + 1);
        const folded = table.getAllToolNames().map((name) =>
          name.toLowerCase().replaceAll("-", "_")
        );
        assert.equal(new Set(folded).size, folded.length);
      }
      assert.equal(told, table.generation);
    }),
    { numRuns: 500 },
  );
});
