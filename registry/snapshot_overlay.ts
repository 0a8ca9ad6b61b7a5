/**
 * A generation of the table with one tool more, which only one session sees.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { RegistrySnapshot } from "./snapshot.ts";

class OverlaySnapshot implements RegistrySnapshot {
  readonly generation: number;
  readonly size: number;
  readonly #base: RegistrySnapshot;
  readonly #entry: ToolEntry;
  #entries: readonly ToolEntry[] | undefined;

  constructor(base: RegistrySnapshot, entry: ToolEntry) {
    this.generation = base.generation;
    this.size = base.size + 1;
    this.#base = base;
    this.#entry = entry;
    Object.freeze(this);
  }

  get(name: string): ToolEntry | undefined {
    return name === this.#entry.name ? this.#entry : this.#base.get(name);
  }

  has(name: string): boolean {
    return name === this.#entry.name || this.#base.has(name);
  }

  names(): readonly string[] {
    return Object.freeze(this.entries().map(({ name }) => name));
  }

  toolsets(): readonly string[] {
    return Object.freeze([...new Set([...this.#base.toolsets(), this.#entry.toolset])].sort());
  }

  entries(): readonly ToolEntry[] {
    return this.#entries ??= Object.freeze(
      [...this.#base.entries(), this.#entry].sort((a, b) => a.name < b.name ? -1 : 1),
    );
  }
}

/**
 * Adds a tool to a snapshot; the snapshot stays as it is.
 *
 * @param base The snapshot.
 * @param entry The tool; its name is free there.
 * @returns A snapshot of the same generation.
 * @throws {RangeError} If the name is held.
 */
export function withEntry(base: RegistrySnapshot, entry: ToolEntry): RegistrySnapshot {
  if (base.has(entry.name)) {
    throw new RangeError(`Cannot add tool "${entry.name}" to a snapshot that holds the name`);
  }
  return new OverlaySnapshot(base, entry);
}
