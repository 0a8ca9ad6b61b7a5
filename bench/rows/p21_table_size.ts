/**
 * P21: folders of 80, 400 and 2,000 tool files, every tool called.
 * @module
 */
import { memoryOf } from "../harness/processes.ts";
import type { BenchRow, Part } from "../harness/row.ts";
import { TABLE_VARIANTS } from "../harness/table_files.ts";
import { type MeasuredTable, measureTable } from "../harness/table_front.ts";
import { tempFolder } from "../harness/temp.ts";

const FEW = 80;
const MORE = 400;
const MANY = 2_000;
const NONE = { kind: "at most", limit: 0 } as const;

function counted(name: string, unit: Part["unit"], found: readonly string[]): Part {
  const [detail] = found;
  return { name, unit, ours: [found.length], statistic: "worst", target: NONE, detail };
}

function partsOf(table: MeasuredTable): Part[] {
  const { count, variant, calls, callFaults, lastListFaults } = table;
  const name = `${count} ${variant}`;
  return [
    counted(`${name}: wrong or failed of ${calls} calls`, "faults", callFaults),
    counted(`${name}: left out or told wrongly at last`, "faults", lastListFaults),
  ];
}

function firstLists(tables: readonly MeasuredTable[]): Part[] {
  const of = (count: number) => tables.filter((table) => table.count === count);
  const faults = (count: number) => of(count).flatMap(({ firstListFaults }) => firstListFaults);
  const checked = of(FEW).find(({ variant }) => variant === "check")!;
  return [
    {
      name: `first list of ${FEW} with checks`,
      unit: "ms",
      ours: [checked.firstListMs],
      target: { kind: "at most", limit: 2_000 },
    },
    counted(`first lists of ${FEW}: left out or told wrongly`, "faults", faults(FEW)),
    // The first list waits for what tools say of themselves only so long.
    { ...counted(`first lists of ${MORE}: the same`, "faults", faults(MORE)), target: undefined },
  ];
}

function together(tables: readonly MeasuredTable[]): Part[] {
  const plain = tables.filter(({ variant }) => variant === "plain");
  const ended = tables.flatMap(({ count, variant, cellsEnded }) =>
    cellsEnded.map((message) => `${count} ${variant}: ${message}`)
  );
  return [
    counted("cells that were killed or died", "cells", ended),
    {
      name: `peak memory, ${plain.at(-1)!.count} against ${plain.at(-2)!.count} plain`,
      unit: "bytes",
      ours: [plain.at(-1)!.memory],
      peer: [plain.at(-2)!.memory],
      ...(plain.at(-1)!.count === MANY && { target: { kind: "at most", limit: 1.1 } as const }),
    },
    {
      name: "most processes",
      unit: "processes",
      ours: [Math.max(...tables.map(({ processes }) => processes))],
      statistic: "worst",
    },
  ];
}

/** The row. */
export const row: BenchRow = {
  id: "P21",
  title: `${FEW}, ${MORE} and ${MANY} tool files, each called in turn and 64 at once`,
  peer: "memory: itself with fewer tools",
  async run({ short }) {
    memoryOf([Deno.pid]);
    await using folder = await tempFolder();
    const sizes = short ? [FEW] : [FEW, MORE];
    const tables: MeasuredTable[] = [];
    for (const count of sizes) {
      for (const variant of TABLE_VARIANTS) {
        tables.push(await measureTable(folder.path, variant, count));
      }
    }
    tables.push(await measureTable(folder.path, "plain", short ? MORE : MANY));
    return [...firstLists(tables), ...tables.flatMap(partsOf), ...together(tables)];
  },
};
