import assert from "node:assert/strict";
import type { JsonObject } from "../../core/json.ts";
import { soon } from "../workers/_wait.ts";
import { fixtureRoot, startRuntime, type TestRuntime } from "./_runtime.ts";

const NEAR = { allow: { net: ["127.0.0.1:9"] } };

/** Tools that take a lock, which others see who are in the same process. */
function start(): Promise<TestRuntime> {
  return startRuntime({
    fixtures: ["cells"],
    config: {
      plugins: [{ id: "other", path: fixtureRoot("cells_plugin") }],
      permissions: { tools: { near: NEAR, near_too: NEAR } },
    },
  });
}

/** Whether a call sees another one that is under way: they share a process. */
async function share(
  test: TestRuntime,
  first: readonly [tool: string, args?: JsonObject],
  second: readonly [tool: string, args?: JsonObject],
): Promise<boolean> {
  const over = new AbortController();
  const begun = Promise.withResolvers<void>();
  const staying = test.call(first[0], { ...first[1], stays: true }, {
    callId: "first",
    signal: over.signal,
    onProgress: () => begun.resolve(),
  });
  const early = staying.then(({ content }) => assert.fail(`${first[0]} ended: ${content}`));
  try {
    await soon(first[0], Promise.race([begun.promise, early]), 20_000);
    const result = await test.call(second[0], second[1] ?? {}, { callId: "second" });
    assert.ok(result.ok, `${second[0]}: ${result.content}`);
    const seen = result.structured as readonly string[];
    assert.ok(seen.every((one) => one === "first"), JSON.stringify(seen));
    return seen.length > 0;
  } finally {
    early.catch(() => {});
    over.abort();
    await staying;
  }
}

Deno.test("createRuntime() puts tools of one owner and one class into one cell, tools of two owners never", async () => {
  await using test = await start();
  for (const tool of ["plain", "files", "net"]) {
    assert.equal(await share(test, [tool], [`${tool}_too`]), true, tool);
    assert.equal(await share(test, [tool], [`other_${tool}`]), false, `other_${tool}`);
  }
  assert.equal(await share(test, ["plain"], ["files"]), false, "classes");
  assert.equal(await share(test, ["files"], ["net"]), false, "classes");
});

Deno.test({
  name:
    "createRuntime() gives a tool with programs, private addresses or process isolation a cell of its own",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using test = await start();
    for (const tool of ["program", "near", "process"]) {
      assert.equal(await share(test, [tool], [tool]), true, tool);
      assert.equal(await share(test, [tool], [`${tool}_too`]), false, `${tool}_too`);
      assert.equal(await share(test, [tool], ["plain"]), false, `plain beside ${tool}`);
    }
  },
});

Deno.test("createRuntime() gives each call whose argument decides a grant a cell of its own", async () => {
  await using test = await start();
  const here = `${test.workspace}/here`, there = `${test.workspace}/there`;
  await Deno.writeTextFile(here, "");
  await Deno.writeTextFile(there, "");
  const cases: readonly [tool: string, one: JsonObject, two: JsonObject, neighbour: string][] = [
    ["host", { url: "https://a.example/" }, { url: "https://b.example/" }, "net"],
    ["path", { path: here }, { path: there }, "files"],
  ];
  for (const [tool, one, two, neighbour] of cases) {
    assert.equal(await share(test, [tool, one], [tool, two]), false, `${tool}, another argument`);
    assert.equal(await share(test, [tool, one], [tool, one]), false, `${tool}, the same argument`);
    assert.equal(await share(test, [tool, one], [neighbour]), false, `${tool} and ${neighbour}`);
    assert.equal(await share(test, [neighbour], [`${neighbour}_too`]), true, neighbour);
  }
});
