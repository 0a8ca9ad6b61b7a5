/**
 * Modules that ended a cell, or may have: they run where they cannot take others along.
 * @module
 */
import type { Placement } from "./execution.ts";

/** Keeps modules apart. A module is known by the URL of its admitted copy, which holds its hash. */
export class Quarantine {
  readonly #suspects = new Set<string>();
  readonly #offenders = new Map<string, string>();

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
