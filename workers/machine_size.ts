/**
 * How much this machine can hold: what the number of processes and of warm workers follows from.
 * @module
 */
import process from "node:process";
import v8 from "node:v8";

const MB = 1024 * 1024;
/** Most memory that warm workers take, in megabytes, however large the machine is. */
const MOST_WARM_MB = 1024;
/** Memory that a warm worker may take, in megabytes: 6 measured for a plain tool, 11.5 for one with zod. */
export const WORKER_MB = 12;
/** Private memory of a cell without workers, in megabytes (52 measured on Deno 2.9.6). */
const CELL_MB = 64;
/** Cells for each core: they mostly wait, for programs and for the network. */
const CELLS_PER_CORE = 8;
/** Cells that even the smallest machine gets. */
const FEWEST_CELLS = 4;

/** What this machine can hold. */
export interface MachineSize {
  /** Memory for warm workers over all cells, in megabytes: a quarter of the machine's, 1 GB at most. */
  readonly warmMb: number;
  /** How many cell processes there may be. */
  readonly cells: number;
}

/**
 * Works out what a machine can hold.
 *
 * @param memoryMb Its memory in megabytes, or the limit of the container.
 * @param cores Its cores.
 * @returns What it can hold.
 */
export function sizeFor(memoryMb: number, cores: number): MachineSize {
  const quarterMb = memoryMb / 4;
  const cells = Math.min(cores * CELLS_PER_CORE, Math.floor(quarterMb / CELL_MB));
  return { warmMb: Math.min(MOST_WARM_MB, quarterMb), cells: Math.max(FEWEST_CELLS, cells) };
}

/**
 * What this machine can hold.
 *
 * @returns Its size; without `--allow-sys=systemMemoryInfo` its memory is guessed from the heap's limit.
 */
export function machineSize(): MachineSize {
  return sizeFor(memoryBytes() / MB, navigator.hardwareConcurrency);
}

function memoryBytes(): number {
  const { state } = Deno.permissions.querySync({ name: "sys", kind: "systemMemoryInfo" });
  // V8 takes a quarter of the machine's memory for its heap, 4 GB at most (measured on Deno 2.9.6).
  if (state !== "granted") return v8.getHeapStatistics().heap_size_limit * 4;
  // A container's limit; where there is none it is larger than any machine.
  return Math.min(Deno.systemMemoryInfo().total, process.constrainedMemory() || Infinity);
}
