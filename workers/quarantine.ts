/**
 * Modules that ended a cell, or may have: they run where they cannot take others along.
 * @module
 */
import type { Placement } from "./execution.ts";
import type { ToolWorker } from "./tool_worker.ts";
import type { CellEnd } from "./worker_link.ts";

/** Who had filled the memory of a cell: for certain, probably, or somebody else. */
export type MemoryVerdict = "proven" | "likely" | "bystander";

/** Keeps modules apart. A module is known by the URL of its admitted copy, which holds its hash. */
export class Quarantine {
  readonly #suspects = new Set<string>();
  readonly #offenders = new Map<string, string>();

  /**
   * Finds out who ended a cell. Who did for certain gets a cell of its own, who may have runs alone until that is known.
   *
   * @param end How the cell ended.
   * @param workers Its workers.
   * @param memoryMb Megabytes that one call may take.
   */
  judge(end: CellEnd, workers: readonly ToolWorker[], memoryMb: number): void {
    if (end.culprit !== undefined) {
      return this.convict(end.culprit, "Its thread went on and ended its cell");
    }
    const busy = workers.filter((worker) => worker.busy);
    const modules = new Set(busy.map(({ module }) => module));
    const [module] = modules;
    if (end.how === "memory" && module !== undefined && modules.size === 1) {
      const half = memoryMb / 2 * 1024 * 1024;
      const isAlone = workers.every((worker) => worker.module === module);
      // What idle workers of others hold is not its fault.
      if (isAlone || busy.some(({ grownBy }) => grownBy >= half)) {
        return this.convict(module, "It filled its cell's memory");
      }
    }
    this.suspect(modules);
  }

  /**
   * What is known of a worker whose cell had no memory left.
   *
   * @param worker The worker.
   * @param workers All of its cell.
   * @returns The verdict.
   */
  memoryVerdict(worker: ToolWorker, workers: readonly ToolWorker[]): MemoryVerdict {
    if (this.#offenders.has(worker.module)) return "proven";
    const isOnlySilent = workers.every((other) => other === worker || !other.silent);
    return worker.silent && isOnlySilent ? "likely" : "bystander";
  }

  /**
   * Notes modules one of which ended a cell: each runs alone until it has answered once.
   *
   * @param modules Their URLs.
   */
  suspect(modules: Iterable<string>): void {
    for (const module of modules) if (!this.#offenders.has(module)) this.#suspects.add(module);
  }

  /**
   * Notes a module that ended a cell: from now on it has a cell of its own.
   *
   * @param module Its URL.
   * @param reason What it did, as a sentence.
   */
  convict(module: string, reason: string): void {
    this.#suspects.delete(module);
    if (!this.#offenders.has(module)) this.#offenders.set(module, reason);
  }

  /**
   * Notes that a module answered.
   *
   * @param module Its URL.
   */
  clear(module: string): void {
    this.#suspects.delete(module);
  }

  /**
   * Why a module has a cell of its own.
   *
   * @param module Its URL.
   * @returns The reason, or `undefined` when it shares one.
   */
  reasonOf(module: string): string | undefined {
    return this.#offenders.get(module);
  }

  /**
   * Where a module runs now.
   *
   * @param module Its URL.
   * @param placement Where it would run.
   * @returns The placement, with a cell of its own where it needs one.
   */
  place(module: string, placement: Placement): Placement {
    if (!placement.shared || placement.inProcess) return placement;
    if (this.#offenders.has(module)) {
      return { ...placement, group: `${placement.group} alone ${module}`, shared: false };
    }
    if (!this.#suspects.has(module)) return placement;
    return { ...placement, perCall: true, shared: false, spare: false };
  }
}
