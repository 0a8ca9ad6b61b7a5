import assert from "node:assert/strict";
import type { AvailabilityChange } from "../../../runtime/runtime_types.ts";
import { tool } from "../../registry/table_support.ts";
import { type ServiceBench, startService } from "./_service.ts";

/** Listens, and lets the first look end. */
async function listen(
  bench: ServiceBench,
): Promise<{ readonly heard: AvailabilityChange[]; stop(): void }> {
  const heard: AvailabilityChange[] = [];
  const stop = bench.test.runtime.on("availability-change", (change) => void heard.push(change));
  await bench.clock.advance(0);
  return { heard, stop };
}

const LOST = { name: "service", available: false, reason: "The service is down" };
const BACK = { name: "service", available: true };

Deno.test("Runtime.on() tells that a tool was lost when its grace is over, and that it is back within 30 seconds", async () => {
  await using bench = await startService(true);
  const { heard } = await listen(bench);
  bench.service.up = false;
  await bench.clock.advance(59_999);
  assert.deepEqual(heard, []);
  await bench.clock.advance(5_000);
  assert.deepEqual(heard, [LOST]);
  bench.service.up = true;
  await bench.clock.advance(30_000);
  assert.deepEqual(heard, [LOST, BACK]);
});

Deno.test("Runtime.on() tells no flip of what is found first, and each flip once to every listener", async () => {
  await using bench = await startService(false);
  const first = await listen(bench);
  const second = await listen(bench);
  await bench.clock.advance(120_000);
  assert.deepEqual(first.heard, []);
  bench.service.up = true;
  await bench.clock.advance(30_000);
  assert.deepEqual([first.heard, second.heard], [[BACK], [BACK]]);
});

Deno.test("Runtime.on() tells at once what another reader's question has brought to light", async () => {
  await using bench = await startService(false);
  const { heard } = await listen(bench);
  bench.service.up = true;
  const { registry } = bench.test.runtime;
  registry.invalidateCheckCache();
  await registry.isToolsetAvailable("net");
  assert.deepEqual(heard, [BACK]);
});

Deno.test("Runtime.on() tells of files and variables, which no check is asked about", async () => {
  await using bench = await startService(true);
  bench.test.runtime.registry.register(tool("filed", { requires: { files: ["needed.txt"] } }));
  const { heard } = await listen(bench);
  await Deno.writeTextFile(`${bench.test.workspace}/needed.txt`, "");
  await bench.clock.advance(5_000);
  await Deno.remove(`${bench.test.workspace}/needed.txt`);
  await bench.clock.advance(5_000);
  assert.deepEqual(heard, [
    { name: "filed", available: true },
    { name: "filed", available: false, reason: 'File "needed.txt" does not exist' },
  ]);
});

Deno.test("Runtime.on() looks only while somebody listens, and keeps no program from ending", async () => {
  await using bench = await startService(true);
  const { clock, service } = bench;
  await clock.advance(300_000);
  assert.deepEqual([clock.waiting, service.runs], [[], 0]);
  const first = await listen(bench), second = await listen(bench);
  assert.deepEqual(clock.waiting, [{ inMs: 5_000, background: true }]);
  first.stop();
  first.stop();
  assert.equal(clock.waiting.length, 1);
  second.stop();
  assert.deepEqual(clock.waiting, []);
  const { runs } = service;
  await clock.advance(300_000);
  assert.equal(service.runs, runs);
});

Deno.test("Runtime.on() looks again when somebody listens again, and never twice at a time", async () => {
  await using bench = await startService(true);
  (await listen(bench)).stop();
  const stop = bench.test.runtime.on("availability-change", () => {});
  stop();
  const { heard } = await listen(bench);
  assert.equal(bench.clock.waiting.length, 1);
  bench.service.up = false;
  await bench.clock.advance(65_000);
  assert.deepEqual(heard, [LOST]);
});

Deno.test("Runtime.on() forgets tools that have gone, and asks no check of a tool that is not offered", async () => {
  await using bench = await startService(true, { config: { disabledToolsets: ["net"] } });
  await listen(bench);
  assert.equal(bench.service.runs, 0);
  await using offered = await startService(true);
  const { heard } = await listen(offered);
  const { registry } = offered.test.runtime;
  registry.deregister("service");
  await offered.clock.advance(5_000);
  registry.register(tool("service", { toolset: "net", checkFn: () => false }));
  await offered.clock.advance(5_000);
  assert.deepEqual(heard, []);
});

Deno.test("Runtime[Symbol.asyncDispose]() stops looking, also for who begins to listen later", async () => {
  const bench = await startService(true);
  const { stop } = await listen(bench);
  await bench[Symbol.asyncDispose]();
  assert.deepEqual(bench.clock.waiting, []);
  stop();
  await listen(bench);
  assert.deepEqual(bench.clock.waiting, []);
});
