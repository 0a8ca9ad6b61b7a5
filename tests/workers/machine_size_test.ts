import assert from "node:assert/strict";
import { machineSize, sizeFor } from "../../workers/machine_size.ts";

Deno.test("sizeFor() gives warm workers a quarter of the memory, 1 GB at most", () => {
  const warm = (memoryMb: number) => sizeFor(memoryMb, 2).warmMb;
  assert.deepEqual([512, 2_048, 4_096, 24_000].map(warm), [128, 512, 1_024, 1_024]);
});

Deno.test("sizeFor() gives eight cells a core, as far as a quarter of the memory holds them, and four at least", () => {
  const cells = (memoryMb: number, cores: number) => sizeFor(memoryMb, cores).cells;
  assert.equal(cells(24_000, 2), 16);
  assert.equal(cells(24_000, 8), 64);
  // A quarter is 512 MB, eight times 64.
  assert.equal(cells(2_048, 8), 8);
  assert.equal(cells(256, 1), 4);
});

Deno.test("machineSize() finds this machine's memory and cores", () => {
  const { warmMb, cells } = machineSize();
  assert.ok(warmMb > 0 && warmMb <= 1_024, `${warmMb} MB`);
  assert.ok(cells >= 4 && cells <= Math.max(4, 8 * navigator.hardwareConcurrency), `${cells}`);
});
