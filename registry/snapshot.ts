/**
 * One generation of the table, which never changes.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { TableVersion } from "./table_version.ts";

/** One generation of the table. Frozen: whoever holds it sees the same tools for ever. */
export interface RegistrySnapshot {
  /** Which generation it is; 0 is the empty table. */
  readonly generation: number;
  /** How many tools it holds. */
  readonly size: number;
  /**
   * Looks a tool up.
   *
   * @param name The name, in the exact spelling.
   * @returns The tool, or `undefined`.
   */
  get(name: string): ToolEntry | undefined;
  /**
   * Whether it holds a tool.
   *
   * @param name The name, in the exact spelling.
   * @returns True when it does.
   */
  has(name: string): boolean;
  /**
   * The names.
   *
   * @returns All of them, sorted; frozen.
   */
  names(): readonly string[];
  /**
   * The toolsets.
   *
   * @returns Each one once, sorted; frozen.
   */
  toolsets(): readonly string[];
  /**
   * The tools.
   *
   * @returns All of them, sorted by name; frozen.
   */
  entries(): readonly ToolEntry[];
}

class VersionSnapshot implements RegistrySnapshot {
  readonly generation: number;
  readonly size: number;
  readonly #version: TableVersion;
  #entries: readonly ToolEntry[] | undefined;

  constructor(generation: number, version: TableVersion) {
    this.generation = generation;
    this.size = version.entries.size;
    this.#version = version;
    version.expose();
    Object.freeze(this);
  }

  get(name: string): ToolEntry | undefined {
    return this.#version.entries.get(name);
  }

  has(name: string): boolean {
    return this.#version.entries.has(name);
  }

  names(): readonly string[] {
    return Object.freeze(this.entries().map((entry) => entry.name));
  }

  toolsets(): readonly string[] {
    return Object.freeze([...new Set(this.entries().map((entry) => entry.toolset))].sort());
  }

  entries(): readonly ToolEntry[] {
    return this.#entries ??= Object.freeze(
      [...this.#version.entries.values()].sort((a, b) => a.name < b.name ? -1 : 1),
    );
  }
}

/**
 * Makes the snapshot of a version.
 *
 * @param generation Which generation it is.
 * @param version The entries; from now on only to be advanced, never changed in place.
 * @returns The snapshot.
 */
export function createSnapshot(generation: number, version: TableVersion): RegistrySnapshot {
  return new VersionSnapshot(generation, version);
}
