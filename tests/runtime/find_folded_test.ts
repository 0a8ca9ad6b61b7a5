import assert from "node:assert/strict";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { findFolded } from "../../runtime/find_folded.ts";
import { startRuntime, toolFile } from "./_runtime.ts";

function tableOf(...names: readonly string[]): ToolRegistry {
  const table = new ToolRegistry();
  for (const name of names) {
    table.register({
      name,
      toolset: "own",
      description: "A tool of a test.",
      schema: { type: "object" },
      handler: () => name,
    });
  }
  return table;
}

Deno.test("findFolded() finds another spelling of a name, and nothing that is merely near", () => {
  const snapshot = tableOf("read_file", "todo").snapshot();
  for (const name of ["Read-File", "READ_FILE", "read.file", "re\u0430d_file"]) {
    assert.equal(findFolded(snapshot, name)?.name, "read_file", name);
  }
  const others = ["readfile", "read_files", "TodoTool_tool", "", " ", "x".repeat(1_000_000)];
  for (const name of others) assert.equal(findFolded(snapshot, name), undefined);
});

Deno.test("Dispatcher.dispatch() [case 118] takes another spelling for the name, and only that", async () => {
  await using test = await startRuntime({
    files: { "a.ts": toolFile("read_file", "read"), "b.ts": toolFile("todo", "noted") },
  });
  const spelled = await test.call("Read-File", {}, { callId: "c1" });
  assert.deepEqual([spelled.ok, spelled.content, spelled.name], [true, "read", "Read-File"]);
  const cases: [name: string, message: string][] = [
    // The reference would call `todo`; a repair that drops words could as well mean another tool.
    ["TodoTool_tool", 'Unknown tool: "TodoTool_tool". Did you mean "todo"?'],
    ["xyz", 'Unknown tool: "xyz". Tools: read_file, todo'],
    ["", 'Unknown tool: ""'],
  ];
  for (const [name, message] of cases) {
    const result = await test.call(name, {});
    assert.deepEqual([result.error?.code, result.error?.message], ["unknown_tool", message]);
  }
});

Deno.test("Dispatcher.dispatch() refuses another spelling of a tool that is not enabled", async () => {
  await using test = await startRuntime({
    files: { "a.ts": toolFile("read_file", "read") },
    config: { disabledToolsets: ["own"] },
  });
  assert.equal((await test.call("Read-File", {})).error?.code, "not_enabled");
});

Deno.test("Dispatcher.dispatch() hands the handler defaults and coerced arguments", async () => {
  await using test = await startRuntime({
    files: {
      "a.ts": `import { registry } from "@cloister/cloister/tool";
registry.register({
  name: "show",
  toolset: "own",
  description: "Shows its arguments.",
  schema: { type: "object", properties: { n: { type: "integer" }, m: { type: "string", default: "d" } } },
  handler: (args) => JSON.stringify(args),
});
`,
    },
  });
  assert.equal((await test.call("show", { n: "42" })).content, '{"n":42,"m":"d"}');
  const repaired = await test.call("show", "Sure:\n```json\n{'n': 7,}\n```");
  assert.equal(repaired.content, '{"n":7,"m":"d"}');
  assert.equal(test.logs.filter(({ message }) => message.includes("was repaired")).length, 1);
  const cut = await test.call("show", '{"n":');
  assert.deepEqual([cut.error?.code, cut.end], ["invalid_arguments", "never_started"]);
  assert.match(cut.content, /cut off; nothing was done/);
});
