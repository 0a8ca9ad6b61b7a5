import assert from "node:assert/strict";
import type { ToolResult } from "../../../core/result.ts";
import { startRuntime, type TestRuntime } from "../_runtime.ts";

const FILES = {
  "long.ts": `import { registry } from "@cloister/cloister/tool";
registry.register({
  name: "long",
  toolset: "own",
  description: "Gives much.",
  schema: { type: "object" },
  maxResultSizeChars: 10,
  handler: () => "the customer's secret",
});
`,
};

function start(): Promise<TestRuntime> {
  return startRuntime({ files: FILES, builtins: true });
}

function refused(result: ToolResult): string {
  assert.equal(result.ok, false, result.content);
  assert.doesNotMatch(result.content, /the customer/);
  return result.error!.message;
}

Deno.test("read_file reads a session's own spilled results, and no other session's", async () => {
  await using test = await start();
  const { runtime } = test;
  using own = runtime.session();
  using other = runtime.session();
  // The program chooses the id, and both sessions know it.
  const { path } = (await own.dispatch("long", {}, { callId: "1" })).spilled!;
  const { path: others } = (await other.dispatch("long", {}, { callId: "1" })).spilled!;
  assert.match((await own.dispatch("read_file", { path })).content, /^1\|the customer's secret/);
  for (const name of [path, `${others}/../../${path.split("/").slice(-2).join("/")}`]) {
    assert.match(
      refused(await other.dispatch("read_file", { path: name })),
      /leaves the workspace/,
    );
  }
  assert.match(refused(await test.call("read_file", { path })), /leaves the workspace/);
  // A program that takes a session up again by its id takes its results up too.
  using again = runtime.session({ id: own.id });
  assert.match((await again.dispatch("read_file", { path })).content, /the customer/);
});

Deno.test("read_file reads results of calls without a session there only, and by their whole names", async () => {
  await using test = await start();
  const { path } = (await test.call("long", {}, { callId: "1" })).spilled!;
  assert.match((await test.call("read_file", { path })).content, /the customer/);
  using session = test.runtime.session();
  assert.match(refused(await session.dispatch("read_file", { path })), /leaves the workspace/);
  const guess = path.replace(/[0-9a-f]{32}/, "0".repeat(32));
  const message = refused(await test.call("read_file", { path: guess }));
  assert.match(message, /^There is no result "long-0+\.txt", or it is gone/);
  assert.doesNotMatch(message, new RegExp(/long-([0-9a-f]{32})/.exec(path)![1]!));
});
