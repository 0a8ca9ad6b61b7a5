import assert from "node:assert/strict";
import type { RuntimeEvents } from "../../runtime/runtime_types.ts";
import { FolderWatch } from "../../runtime/watcher.ts";
import { soon, until } from "../workers/_wait.ts";
import { startRuntime, type TestRuntime, toolFile } from "./_runtime.ts";

function nextChange(test: TestRuntime): Promise<RuntimeEvents["table-change"]> {
  const { promise, resolve } = Promise.withResolvers<RuntimeEvents["table-change"]>();
  const stop = test.runtime.on("table-change", (change) => {
    stop();
    resolve(change);
  });
  return soon("the table's change", promise);
}

Deno.test("Runtime.watch() takes up files that are added, changed and removed", async () => {
  await using test = await startRuntime({ files: { "a.ts": toolFile("tool_a", "old") } });
  await using _watch = test.runtime.watch();
  const added = nextChange(test);
  await test.write("b.ts", toolFile("tool_b", "b"));
  assert.deepEqual((await added).added, ["tool_b"]);
  const changed = nextChange(test);
  await test.write("a.ts", toolFile("tool_a", "new"));
  assert.deepEqual((await changed).changed, ["tool_a"]);
  assert.equal((await test.call("tool_a", {})).content, "new");
  const removed = nextChange(test);
  await Deno.remove(`${test.tools}/b.ts`);
  assert.deepEqual((await removed).removed, ["tool_b"]);
});

Deno.test("Runtime.watch() has calls run what was admitted last, and look at changed files again within moments", async () => {
  await using test = await startRuntime({ files: { "a.ts": toolFile("tool_a", "old") } });
  const watch = test.runtime.watch();
  const first = await test.call("tool_a", {});
  assert.equal(first.content, "old");
  await test.write("a.ts", toolFile("tool_a", "new"));
  await until("a call runs the new code", async () => {
    const { content, generation } = await test.call("tool_a", {});
    // Never old code under a new table, nor the other way round.
    assert.equal(content === "old", generation === first.generation);
    return content === "new";
  });
  await watch[Symbol.asyncDispose]();
  await test.write("a.ts", toolFile("tool_a", "newer"));
  assert.equal((await test.call("tool_a", {})).content, "newer");
});

Deno.test("FolderWatch tells of an event at once, and looks later", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cloister-watch-" });
  const told: string[] = [];
  const watch = new FolderWatch([folder], {
    onEvent: () => void told.push("event"),
    onChange: () => Promise.resolve(told.push("change")),
    onFault: () => {},
  });
  await Deno.writeTextFile(`${folder}/a`, "x");
  await until("it looks", () => told.includes("change"));
  assert.equal(told[0], "event");
  await watch[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("FolderWatch looks once when many files change together, and not after it has stopped", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cloister-watch-" });
  let looked = 0;
  const watch = new FolderWatch([folder, `${folder}/missing`], {
    onChange: () => Promise.resolve(looked++),
    onFault: () => {},
  });
  for (let file = 0; file < 20; file++) await Deno.writeTextFile(`${folder}/${file}`, "x");
  await until("it looks", () => looked > 0);
  assert.ok(looked <= 2, `${looked} times`);
  await watch[Symbol.asyncDispose]();
  const before = looked;
  await Deno.writeTextFile(`${folder}/late`, "x");
  await Deno.remove(folder, { recursive: true });
  assert.equal(looked, before);
});

Deno.test("FolderWatch looks although the folder never rests", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cloister-watch-" });
  let looked = 0;
  const watch = new FolderWatch([folder], {
    onChange: () => Promise.resolve(looked++),
    onFault: () => {},
  });
  let file = 0;
  await until("it looks", async () => {
    await Deno.writeTextFile(`${folder}/${file++ % 10}`, "x");
    return looked > 0;
  });
  await watch[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("FolderWatch outlives a look that fails, and tells of it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cloister-watch-" });
  const faults: unknown[] = [];
  const fault = new Error("Not this time");
  const watch = new FolderWatch([folder], {
    onChange: () => Promise.reject(fault),
    onFault: (error) => faults.push(error),
  });
  await Deno.writeTextFile(`${folder}/a`, "x");
  await until("it looks", () => faults.length === 1);
  await Deno.writeTextFile(`${folder}/b`, "x");
  await until("it looks again", () => faults.length === 2);
  assert.deepEqual(faults, [fault, fault]);
  await watch[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("FolderWatch does nothing without any folder", async () => {
  const handlers = { onChange: () => Promise.resolve(), onFault: () => {} };
  await new FolderWatch(["/no/such/folder"], handlers)[Symbol.asyncDispose]();
});
