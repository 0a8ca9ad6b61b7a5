import assert from "node:assert/strict";
import type { ToolRegistration } from "../../../core/registration.ts";
import { InlineProber } from "../../../registry/inline_prober.ts";
import { ToolRegistry } from "../../../registry/tool_registry.ts";
import { tool } from "../table_support.ts";
import { FakeClock } from "./_fake_clock.ts";

function tableOf(...tools: ToolRegistration[]): ToolRegistry {
  const table = new ToolRegistry();
  for (const one of tools) table.register(one);
  return table;
}

function raise(error: Error): () => never {
  return () => {
    throw error;
  };
}

/** A check that does not answer until it is told to. */
function gate(): {
  readonly checkFn: () => Promise<boolean>;
  open(): void;
  readonly asked: Promise<void>;
} {
  const answer = Promise.withResolvers<boolean>(), asked = Promise.withResolvers<void>();
  return {
    checkFn: () => {
      asked.resolve();
      return answer.promise;
    },
    open: () => answer.resolve(true),
    asked: asked.promise,
  };
}

Deno.test("ToolRegistry.checkToolsetRequirements() [case 18] says no only of the toolset whose check throws", async () => {
  const table = tableOf(
    tool("a", { toolset: "broken", checkFn: raise(new TypeError("Cannot load a module")) }),
    tool("b", { toolset: "fine", checkFn: () => true }),
    tool("c", { toolset: "plain" }),
  );
  assert.deepEqual(await table.checkToolsetRequirements(), {
    broken: false,
    fine: true,
    plain: true,
  });
});

Deno.test("ToolRegistry.register() [case 27] completes while a check does not answer", async () => {
  const gated = gate();
  const table = tableOf(tool("slow", { toolset: "gated", checkFn: gated.checkFn }));
  const report = table.checkToolAvailability();
  await gated.asked;
  assert.equal(table.register(tool("late")).status, "registered");
  assert.deepEqual(table.getAllToolNames(), ["late", "slow"]);
  gated.open();
  assert.deepEqual(await report, { available: ["gated"], unavailable: [] });
});

Deno.test("ToolRegistry.deregister() [case 28] completes while a check does not answer; the answer is the snapshot's", async () => {
  const gated = gate();
  const table = tableOf(tool("slow", { toolset: "gated", checkFn: gated.checkFn }), tool("other"));
  const report = table.checkToolAvailability();
  await gated.asked;
  assert.equal(table.deregister("slow"), true);
  assert.deepEqual(table.getAllToolNames(), ["other"]);
  gated.open();
  assert.deepEqual(await report, { available: ["gated", "text"], unavailable: [] });
});

Deno.test("ToolRegistry.checkToolAvailability() [case 30] reports a toolset none of whose tools can be used", async () => {
  const table = tableOf(
    tool("a", { toolset: "off", checkFn: () => ({ available: false, reason: "No key" }) }),
    tool("b", { toolset: "off", checkFn: () => false }),
  );
  assert.equal(await table.isToolsetAvailable("off"), false);
  assert.deepEqual(await table.checkToolAvailability(), {
    available: [],
    unavailable: [{ name: "off", envVars: [], tools: ["a", "b"], reasons: ["No key"] }],
  });
});

Deno.test("InlineProber.probe() keeps verdicts as every cache of verdicts does", async () => {
  const clock = new FakeClock();
  const table = new ToolRegistry();
  table.setProber(new InlineProber(clock));
  let up = true, runs = 0;
  const checkFn = () => {
    runs++;
    return up;
  };
  table.register(tool("a", { toolset: "net", checkFn }));
  table.register(tool("b", { toolset: "net", checkFn }));
  const seen: [available: boolean, runs: number][] = [];
  const look = async (afterMs: number) => {
    await clock.advance(afterMs);
    const available = await table.isToolsetAvailable("net");
    await clock.advance(0);
    seen.push([available, runs]);
  };
  await look(0);
  await look(29_000);
  up = false;
  await look(1_000);
  await look(29_999);
  await look(1);
  // One question a look: the two tools share their function [case 8].
  assert.deepEqual(seen, [[true, 1], [true, 1], [true, 2], [true, 3], [false, 4]]);
  table.invalidateCheckCache();
  assert.equal(table.peekAvailability("a"), undefined);
});

Deno.test("InlineProber.probe() says of a check that says nothing that its tool is not available", async () => {
  const table = tableOf(tool("a", { checkFn: () => undefined as never }));
  assert.equal(await table.isToolsetAvailable("text"), false);
});
