/**
 * P7: a whole new generation, while readers look things up.
 * @module
 */
import { type RegistrySnapshot, ToolRegistry } from "../../mod.ts";
import { createInlineEntry } from "../../registry/entry.ts";
import type { ToolEntry } from "../../core/entry.ts";
import { makeRegistrations } from "../harness/registrations.ts";
import type { BenchRow } from "../harness/row.ts";

const TOOLS = 1_000;
const SWAPS = 100;
const READS_PER_SWAP = 10_000;

function generation(version: number): ToolEntry[] {
  return makeRegistrations(TOOLS, version).map((one) => createInlineEntry(one, "program"));
}

function versionOf(snapshot: RegistrySnapshot, index: number): string {
  return snapshot.get(`tool_${index % TOOLS}`)?.description.split(" ", 1)[0] ?? "missing";
}

/** Looks tools up in one snapshot and counts those that are not of its first one's generation. */
function tornReads(snapshot: RegistrySnapshot, from: number, to: number, expected: string): number {
  let torn = 0;
  for (let index = from; index < to; index++) {
    if (versionOf(snapshot, index) !== expected) torn++;
  }
  return torn;
}

function swapWithReaders(
  registry: ToolRegistry,
  entries: readonly ToolEntry[],
): { ms: number; torn: number } {
  const before = registry.snapshot();
  const old = versionOf(before, 0);
  const half = READS_PER_SWAP / 2;
  let torn = tornReads(before, 0, half / 2, old);
  let during = 0;
  const start = performance.now();
  registry.update((draft) => {
    draft.replaceOwnerClaims("program", entries);
    const readsStart = performance.now();
    // Readers in the middle of the change, on the held and on a newly taken snapshot.
    torn += tornReads(before, half / 2, half, old);
    torn += tornReads(registry.snapshot(), half, half + half / 2, old);
    during = performance.now() - readsStart;
  });
  const ms = performance.now() - start - during;
  const after = registry.snapshot();
  torn += tornReads(after, half + half / 2, READS_PER_SWAP, versionOf(after, 0));
  if (versionOf(after, 0) === old || versionOf(before, 0) !== old) torn++;
  return { ms, torn };
}

/** The row. */
export const row: BenchRow = {
  id: "P7",
  title: `swap of a generation of 1,000 tools; ${SWAPS * READS_PER_SWAP} lookups meanwhile`,
  peer: "-",
  run() {
    const registry = new ToolRegistry();
    registry.replaceOwnerClaims("program", generation(0));
    for (let version = 1; version <= 20; version++) {
      registry.replaceOwnerClaims("program", generation(version));
    }
    const times: number[] = [];
    let torn = 0;
    for (let version = 21; version <= 20 + SWAPS; version++) {
      const swap = swapWithReaders(registry, generation(version));
      times.push(swap.ms);
      torn += swap.torn;
    }
    return Promise.resolve([
      {
        name: "swap",
        unit: "ms",
        ours: times,
        target: { kind: "below", limit: 5 },
      },
      {
        name: "torn reads",
        unit: "lookups",
        ours: [torn],
        statistic: "worst",
        target: { kind: "at most", limit: 0 },
      },
    ]);
  },
};
