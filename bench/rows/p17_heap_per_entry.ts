/**
 * P17: what an entry of the table takes on the heap.
 * @module
 */
import { ToolRegistry } from "../../mod.ts";
import { makeRegistrations } from "../harness/registrations.ts";
import type { BenchRow } from "../harness/row.ts";

const TOOLS = 1_000;
const ROUNDS = 7;

function heapAfterCollection(): number {
  const { gc } = globalThis as { readonly gc?: () => void };
  if (!gc) throw new Error("Cannot measure the heap: start Deno with --v8-flags=--expose-gc");
  for (let index = 0; index < 4; index++) gc();
  return Deno.memoryUsage().heapUsed;
}

function heapOf<T>(make: () => T): number {
  const before = heapAfterCollection();
  const made = make();
  const bytes = heapAfterCollection() - before;
  // Reading it here keeps it alive until the collection is over.
  if (made === undefined) throw new Error("Nothing was made");
  return bytes / TOOLS;
}

function fill(): ToolRegistry {
  const registry = new ToolRegistry();
  registry.update((draft) => {
    for (const registration of makeRegistrations(TOOLS)) draft.register(registration);
  });
  registry.snapshot().get("tool_0");
  return registry;
}

/** The row. */
export const row: BenchRow = {
  id: "P17",
  title: "heap per entry, table of 1,000",
  peer: "the bare records",
  run() {
    heapOf(fill);
    heapOf(() => makeRegistrations(TOOLS));
    const ours: number[] = [];
    const peer: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(heapOf(fill));
      peer.push(heapOf(() => makeRegistrations(TOOLS)));
    }
    const target = { kind: "at most", limit: 1.5 } as const;
    return Promise.resolve([{ name: "", unit: "bytes", ours, peer, target }]);
  },
};
