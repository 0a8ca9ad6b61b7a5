import assert from "node:assert/strict";
import type { ToolRegistration } from "../../core/registration.ts";
import { FakeClock } from "../registry/availability/_fake_clock.ts";
import { tool } from "../registry/table_support.ts";
import { startRuntime, type TestRuntime } from "./_runtime.ts";

async function descriptions(test: TestRuntime, names?: string[]): Promise<Record<string, string>> {
  const { tools } = await test.runtime.getDefinitions(names ? { names } : {});
  return Object.fromEntries(tools.map(({ function: f }) => [f.name, f.description]));
}

/** The time for which what one tool said holds. */
const REST_MS = 800;

function start(clock?: FakeClock): Promise<TestRuntime> {
  return startRuntime({
    fixtures: ["overrides"],
    clock,
    config: { tools: { says_config: { word: "Hello" } }, disabledToolsets: ["slow"] },
    environment: (name) => name === "SAYS" ? "there" : Deno.env.get(name),
  });
}

Deno.test("Runtime.getDefinitions() [case 45] merges what a tool says of itself, and keeps the static words where it throws or gives no object", async () => {
  await using test = await start();
  assert.deepEqual(await descriptions(test), {
    gives_function: "As it was registered.",
    gives_list: "As it was registered.",
    gives_other_type: "As it was registered.",
    says_another_name: "New.",
    says_config: "Hello there 1",
    says_nothing_new: "As it was registered.",
    throws: "As it was registered.",
  });
  const warnings = test.logs.filter(({ level }) => level === "warning").map(({ message }) =>
    message
  );
  const about = (name: string) => warnings.filter((text) => text.startsWith(`Tool "${name}": `));
  assert.match(
    about("throws").join(),
    /failed: .*No connection.*Its own description and schema are used/,
  );
  assert.match(about("gives_list").join(), /gave a list, expected/);
  assert.match(about("gives_other_type").join(), /"array", expected "object"/);
  assert.match(about("gives_function").join(), /failed: .*BigInt/);
  assert.equal(warnings.length, 4);
});

Deno.test("Runtime.getDefinitions() asks a tool again 800 ms later, in its warm worker, and gives the same list for the same words", async () => {
  const clock = new FakeClock();
  await using test = await start(clock);
  const names = ["says_config"];
  assert.ok((await test.call("says_config", {})).ok);
  assert.deepEqual(await descriptions(test, names), { says_config: "Hello there 1" });
  await clock.advance(REST_MS - 1);
  assert.deepEqual(await descriptions(test, names), { says_config: "Hello there 1" });
  await clock.advance(1);
  assert.deepEqual(await descriptions(test, names), { says_config: "Hello there 2" });
  const same = { names: ["says_another_name"] };
  const first = await test.runtime.getDefinitions(same);
  assert.equal(await test.runtime.getDefinitions(same), first);
});

Deno.test("Runtime.getDefinitions() forces the name whatever a tool says", async () => {
  await using test = await start();
  const { tools, names } = await test.runtime.getDefinitions({ names: ["says_another_name"] });
  assert.equal(tools[0]!.function.name, "says_another_name");
  assert.deepEqual([...names], [["says_another_name", "says_another_name"]]);
});

Deno.test("Runtime.getDefinitions() [case 81] tells a tool which others are offered, so that it speaks of no other", async () => {
  await using test = await start();
  const told = async (names: string[]) => {
    const { tools } = await test.runtime.getDefinitions({ names });
    const { parameters } = tools.find((one) => one.function.name === "says_config")!.function;
    return (parameters.properties!.tool as { enum: string[] }).enum;
  };
  assert.deepEqual(await told(["says_config"]), ["says_config"]);
  assert.deepEqual(await told(["says_config", "throws", "no_such_tool"]), [
    "says_config",
    "throws",
  ]);
});

Deno.test("Runtime.getDefinitions() uses the last good answer, with a warning, while a tool is slow", async () => {
  const clock = new FakeClock();
  await using test = await startRuntime({ fixtures: ["overrides"], clock });
  const names = ["slow"];
  assert.ok((await test.call("slow", {})).ok);
  assert.deepEqual(await descriptions(test, names), { slow: "Answer 1" });
  await clock.advance(REST_MS);
  const began = performance.now();
  assert.deepEqual(await descriptions(test, names), { slow: "Answer 1" });
  assert.ok(performance.now() - began < 900, "it waited for the slow answer");
  const expected =
    'Tool "slow": dynamicSchemaOverrides did not answer within 250 ms. Its last answer is used';
  assert.deepEqual(test.logs.filter(({ message }) => message === expected).length, 1);
});

Deno.test("Runtime.getDefinitions() asks inline tools in place, all of them at once", async () => {
  await using test = await startRuntime({ config: { tools: { one: { word: "first" } } } });
  const waiting: (() => void)[] = [];
  const say: ToolRegistration["dynamicSchemaOverrides"] = async ({ config, tools }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    // Both are there before any of them answers.
    if (waiting.length === 2) { for (const go of waiting) go(); }
    await promise;
    return { description: `${config.word} of ${[...tools].join(" and ")}` };
  };
  for (const name of ["one", "two"]) {
    test.runtime.registry.register(tool(name, { dynamicSchemaOverrides: say }));
  }
  assert.deepEqual(await descriptions(test), {
    one: "first of one and two",
    two: "undefined of one and two",
  });
});

Deno.test("Runtime.getDefinitions() gives frozen overrides that a tool cannot change later", async () => {
  await using test = await startRuntime();
  const parameters = { type: "object", properties: { a: { type: "string" } } };
  test.runtime.registry.register(
    tool("changes", { dynamicSchemaOverrides: () => ({ parameters }) }),
  );
  const { tools } = await test.runtime.getDefinitions({}, { dialect: "mcp" });
  parameters.properties.a.type = "number";
  assert.deepEqual(tools[0]!.inputSchema, {
    type: "object",
    properties: { a: { type: "string" } },
  });
  assert.ok(Object.isFrozen(tools[0]!.inputSchema.properties));
});
