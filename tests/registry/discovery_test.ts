import assert from "node:assert/strict";
import type { DeclarationEvaluator, EvaluationOutcome } from "../../registry/discovery_types.ts";
import type { ModuleGraph } from "../../registry/graph.ts";
import { errorsOf, moduleAt, Playground, toolNames, toolText } from "./discovery_support.ts";

/** An evaluator that answers the same for every module and counts. */
class StubEvaluator implements DeclarationEvaluator {
  readonly asked: string[] = [];
  readonly #answer: () => Promise<EvaluationOutcome>;

  constructor(answer: () => Promise<EvaluationOutcome>) {
    this.#answer = answer;
  }

  evaluate(module: { readonly path: string }): Promise<EvaluationOutcome> {
    this.asked.push(module.path);
    return this.#answer();
  }
}

function answering(declarations: readonly unknown[]): StubEvaluator {
  return new StubEvaluator(() => Promise.resolve({ ok: true, declarations }));
}

function declaration(name: string, extra: Record<string, unknown> = {}): Record<string, unknown> {
  return { name, toolset: "units", description: "Convert.", schema: { type: "object" }, ...extra };
}

Deno.test("Discovery.discover() [case 49] only the module that registers has tools", async () => {
  using place = new Playground("basic");
  const outcome = await place.discover();
  assert.deepEqual(outcome.modules.map((item) => [item.path, item.status, toolNames(item)]), [
    [`${place.dir}/alpha.ts`, "registered", ["alpha"]],
    [`${place.dir}/beta.ts`, "no_tools", []],
    [`${place.dir}/gamma.mjs`, "registered", ["gamma"]],
    [`${place.dir}/weather/tool.ts`, "registered", ["weather"]],
  ]);
  assert.deepEqual(outcome.cache, { hits: 0, misses: 4 });
});

Deno.test("discover() gives declaration, place and admitted copy of a tool", async () => {
  using place = new Playground("basic");
  const module = moduleAt(await place.discover(), "weather/tool.ts");
  const [tool] = module.tools;
  assert.equal(tool?.line, 3);
  assert.equal(tool?.declaration.description, "A tool of the discovery tests.");
  assert.deepEqual(tool?.declaration.schema.required, ["text"]);
  const admitted = module.admitted;
  assert.deepEqual(admitted?.files.map(({ path }) => path), [
    `${place.dir}/weather/tool.ts`,
    `${place.dir}/weather/_unit.ts`,
  ]);
  const store = `${place.cacheDir}/store/${admitted?.integrity}`;
  assert.equal(admitted?.url, `file://${store}/weather/tool.ts`);
  assert.deepEqual(admitted?.files.map(({ stored }) => stored), [
    `${store}/weather/tool.ts`,
    `${store}/weather/_unit.ts`,
  ]);
  for (const { path, stored } of admitted?.files ?? []) {
    assert.equal(Deno.readTextFileSync(stored), Deno.readTextFileSync(path));
  }
});

Deno.test("case 52: a module that fails costs a warning, keeps its reason and harms no other", async () => {
  using place = new Playground("broken");
  const outcome = await place.discover();
  assert.deepEqual(toolNames(moduleAt(outcome, "good.ts")), ["good"]);
  const failed = moduleAt(outcome, "misspelled.ts");
  assert.equal(failed.status, "failed");
  assert.equal(failed.admitted, undefined);
  assert.deepEqual(failed.tools, []);
  const [error, warning] = failed.diagnostics;
  assert.equal(error?.code, "invalid_declaration");
  assert.equal(error?.line, 3);
  assert.match(error?.message ?? "", /inputSchema.*schema/);
  assert.equal(warning?.severity, "warning");
  assert.equal(warning?.message, `Could not import tool module ${failed.path}: ${error?.message}`);
});

Deno.test("case 53: a syntax error is a diagnostic with its place, not silence", async () => {
  using place = new Playground("broken");
  const module = moduleAt(await place.discover(), "syntax.ts");
  assert.equal(module.status, "failed");
  assert.equal(module.diagnostics[0]?.severity, "error");
  assert.equal(module.diagnostics[0]?.line, 3);
  assert.equal(module.diagnostics.some(({ code }) => code === "module_failed"), true);
});

Deno.test("case 54: a register call in a function, an if or a try registers nothing and is said", async () => {
  using place = new Playground("broken");
  const outcome = await place.discover();
  for (const [file, line] of [["in_function.ts", 4], ["in_condition.ts", 4], ["in_try.ts", 4]]) {
    const module = moduleAt(outcome, String(file));
    assert.deepEqual(module.tools, []);
    assert.equal(module.diagnostics.some((item) => item.line === line), true, String(file));
  }
});

Deno.test("case 55: a register call inside a module-level for is found; its names come by evaluation", async () => {
  using place = new Playground("dynamic");
  const evaluator = answering([declaration("to_metre"), declaration("to_mile")]);
  const outcome = await place.discover({ evaluator });
  const module = moduleAt(outcome, "table.ts");
  assert.deepEqual(errorsOf(module), []);
  assert.deepEqual(toolNames(module), ["to_metre", "to_mile"]);
  assert.deepEqual(module.tools.map(({ line }) => line), [4, 4]);
  // The literal one is not evaluated.
  assert.deepEqual(evaluator.asked, [module.path]);
  // What was evaluated is kept like everything else.
  const again = answering([]);
  const second = await place.discover({ evaluator: again });
  assert.deepEqual(toolNames(moduleAt(second, "table.ts")), ["to_metre", "to_mile"]);
  assert.deepEqual([again.asked, second.cache], [[], { hits: 2, misses: 0 }]);
});

Deno.test("discover() says not_evaluated without an evaluator and asks again with one", async () => {
  using place = new Playground("dynamic");
  const module = moduleAt(await place.discover(), "table.ts");
  assert.deepEqual(errorsOf(module), ["not_evaluated:4"]);
  const outcome = await place.discover({ evaluator: answering([declaration("to_metre")]) });
  assert.deepEqual(toolNames(moduleAt(outcome, "table.ts")), ["to_metre"]);
});

const BAD_EVALUATIONS: Readonly<Record<string, [() => Promise<EvaluationOutcome>, string]>> = {
  "hangs": [() => new Promise(() => {}), "evaluation_failed:4"],
  "throws": [() => Promise.resolve({ ok: false, reason: "it threw" }), "evaluation_failed:4"],
  "rejects": [() => Promise.reject(new Error("broken evaluator")), "evaluation_failed:4"],
  "registers 100,000 tools": [
    () => Promise.resolve({ ok: true, declarations: new Array(100_000).fill(declaration("x")) }),
    "too_many_tools:4",
  ],
  "registers the same name twice": [
    () => Promise.resolve({ ok: true, declarations: [declaration("x"), declaration("x")] }),
    "duplicate_name:4",
  ],
  "registers nonsense": [
    () => Promise.resolve({ ok: true, declarations: [{ name: "x", handler: 1 }] }),
    "invalid_declaration:4",
  ],
};

for (const [what, [answer, expected]] of Object.entries(BAD_EVALUATIONS)) {
  Deno.test(`A16: a module that ${what} fails within the deadline and alone`, async () => {
    using place = new Playground("dynamic");
    const outcome = await place.discover({ evaluator: new StubEvaluator(answer), deadlineMs: 300 });
    const module = moduleAt(outcome, "table.ts");
    assert.deepEqual([module.status, errorsOf(module), module.tools], ["failed", [expected], []]);
    assert.deepEqual(toolNames(moduleAt(outcome, "literal.ts")), ["literal"]);
  });
}

Deno.test("discover() refuses an evaluation that contradicts the literal part", async () => {
  using place = new Playground("dynamic");
  const both = Deno.readTextFileSync(`${place.dir}/table.ts`) +
    toolText("fixed").replace(/^import.*$/m, "").replace(
      "schema:",
      'permissions: { read: ["$WORKSPACE"] },\n  schema:',
    );
  place.write("both.ts", both);
  const attempts = [
    [declaration("to_metre"), declaration("fixed", { permissions: { read: ["$WORKSPACE"] } })],
    [declaration("to_metre"), declaration("fixed", { permissions: { net: ["example.com"] } })],
    [declaration("to_metre")],
  ];
  const seen = [];
  for (const declarations of attempts) {
    using fresh = new Playground();
    fresh.write("both.ts", both);
    const [module] = (await fresh.discover({ evaluator: answering(declarations) })).modules;
    seen.push(
      module && module.status === "registered" ? toolNames(module) : module && errorsOf(module),
    );
  }
  assert.deepEqual(seen, [
    ["to_metre", "fixed"],
    ["declaration_disagreement:14"],
    ["declaration_disagreement:14"],
  ]);
});

Deno.test("discover() lets the first file of an owner hold a name and takes nothing of the second", async () => {
  using place = new Playground("duplicates");
  const outcome = await place.discover();
  const [first, second, third] = outcome.modules;
  assert.deepEqual(first && toolNames(first), ["twin"]);
  assert.deepEqual([second?.status, second?.tools, second?.admitted], ["failed", [], undefined]);
  assert.deepEqual(second?.diagnostics.map(({ code }) => code), [
    "duplicate_name",
    "module_failed",
  ]);
  // A module that failed holds no name: its other tool is free for the next file.
  assert.deepEqual(third && toolNames(third), ["lonely"]);
  // The manifest keeps each file's own verdict: when the first goes, the second comes.
  Deno.removeSync(`${place.dir}/a_first.ts`);
  const next = await place.discover();
  assert.deepEqual(next.modules.map(toolNames), [["twin", "lonely"], []]);
});

Deno.test("discover() leaves the same name of two owners to the policy", async () => {
  using place = new Playground("duplicates");
  using discovery = place.discovery();
  const outcome = await discovery.discover([place.root, { dir: place.dir, owner: "plugin:x" }]);
  assert.deepEqual(outcome.modules.map(toolNames), [["twin"], [], ["lonely"], ["twin"], [], [
    "lonely",
  ]]);
});

Deno.test("discover() refuses a module with more than 256 registrations", async () => {
  using place = new Playground();
  const calls = Array.from(
    { length: 257 },
    (_, index) => toolText(`tool_${index}`).replace(/^import.*\n/, ""),
  );
  place.write("many.ts", `import { registry } from "@cloister/cloister/tool";\n${calls.join("")}`);
  const [module] = (await place.discover()).modules;
  assert.deepEqual([module?.status, module?.tools], ["failed", []]);
  assert.equal(module?.diagnostics[0]?.code, "too_many_tools");
});

Deno.test("discover() survives a graph that throws, and only what it was asked about fails", async () => {
  using place = new Playground();
  place.write("none.ts", "export {};");
  place.write("one.ts", toolText("one"));
  const graph: ModuleGraph = { name: "broken", read: () => Promise.reject(new Error("no graph")) };
  const [none, one] = (await place.discover({ graph })).modules;
  assert.deepEqual([none?.status, one?.status], ["no_tools", "failed"]);
  assert.equal(
    one?.diagnostics[0]?.message,
    'Cannot read the imports of "one.ts": no graph',
  );
});

Deno.test("rescan() sees an edited, a repaired and a removed file", async () => {
  using place = new Playground();
  const path = place.write("one.ts", toolText("one"));
  using discovery = place.discovery();
  const [before] = (await discovery.discover([place.root])).modules;
  assert.ok(before);
  place.write("one.ts", toolText("uno"));
  const edited = await discovery.rescan(before);
  assert.deepEqual(toolNames(edited), ["uno"]);
  assert.notEqual(edited.admitted?.integrity, before.admitted?.integrity);
  place.write("one.ts", "registry.register(");
  assert.equal((await discovery.rescan(edited)).status, "failed");
  place.write("one.ts", toolText("one"));
  assert.equal((await discovery.rescan(edited)).admitted?.integrity, before.admitted?.integrity);
  Deno.removeSync(path);
  const removed = await discovery.rescan(before);
  assert.deepEqual([removed.status, removed.diagnostics[0]?.code], ["failed", "import_not_found"]);
});
