import assert from "node:assert/strict";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { createRuntime } from "../../runtime/create_runtime.ts";
import type { Dispatcher } from "../../runtime/dispatcher.ts";
import { LazyDispatcher } from "../../runtime/lazy_dispatcher.ts";

Deno.test("LazyDispatcher.dispatch() opens once and hands on what it gets", async () => {
  const calls: unknown[][] = [];
  let opened = 0;
  const dispatcher = {
    dispatch: (...call: unknown[]) => Promise.resolve(calls.push(call)),
  } as unknown as Dispatcher;
  const registry = new ToolRegistry();
  const lazy = new LazyDispatcher({
    snapshot: () => registry.snapshot(),
    open: () => Promise.resolve(++opened).then(() => dispatcher),
  });
  assert.equal(opened, 0);
  const now = registry.snapshot();
  const options = { callId: "c1" };
  await Promise.all([lazy.dispatch("a", {}, options), lazy.dispatch("b", "{}")]);
  await lazy.dispatch("c", {});
  assert.equal(opened, 1);
  assert.deepEqual(calls, [["a", {}, options, now], ["b", "{}", undefined, now], [
    "c",
    {},
    undefined,
  ]]);
});

Deno.test("Runtime.dispatch() calls the tool that was there when the first call was made", async () => {
  const registry = new ToolRegistry();
  const schema = { type: "object" } as const;
  const tool = { name: "old", toolset: "t", description: "Says old.", schema };
  registry.register({ ...tool, handler: () => "old" });
  const cacheDir = await Deno.makeTempDir({ prefix: "cloister_lazy_" });
  try {
    await using runtime = await createRuntime({ registry, discover: false, config: {}, cacheDir });
    const first = runtime.dispatch("old", {});
    registry.deregister("old");
    assert.equal((await first).content, "old");
    assert.equal((await runtime.dispatch("old", {})).error?.code, "unknown_tool");
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});
