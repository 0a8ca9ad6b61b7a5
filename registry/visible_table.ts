/**
 * What is visible now, and the way from one generation to the next.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import { createSnapshot, type RegistrySnapshot } from "./snapshot.ts";
import { type EntryChange, TableVersion } from "./table_version.ts";

/** The visible entries of the newest generation. */
export class VisibleTable {
  readonly #toolsets = new Map<string, number>();
  #version = new TableVersion();
  #snapshot: RegistrySnapshot | undefined;
  #generation = 0;

  /** The newest generation. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Looks a tool up without making a snapshot.
   *
   * @param name The name, in the exact spelling.
   * @returns The tool, or `undefined`.
   */
  get(name: string): ToolEntry | undefined {
    return this.#version.entries.get(name);
  }

  /**
   * The newest generation.
   *
   * @returns The same object until the next change.
   */
  snapshot(): RegistrySnapshot {
    return this.#snapshot ??= createSnapshot(this.#generation, this.#version);
  }

  /**
   * Goes to the next generation.
   *
   * @param changes What is different; at least one change.
   * @returns Toolsets that lost their last tool.
   */
  commit(changes: readonly EntryChange[]): readonly string[] {
    this.#version = this.#version.advance(changes);
    this.#snapshot = undefined;
    this.#generation += 1;
    return this.#count(changes);
  }

  #count(changes: readonly EntryChange[]): readonly string[] {
    for (const { after } of changes) if (after) this.#add(after.toolset, 1);
    for (const { before } of changes) if (before) this.#add(before.toolset, -1);
    const touched = new Set(changes.flatMap(({ before }) => before ? [before.toolset] : []));
    const emptied = [...touched].filter((toolset) => this.#toolsets.get(toolset) === 0);
    for (const toolset of emptied) this.#toolsets.delete(toolset);
    return emptied;
  }

  #add(toolset: string, count: number): void {
    this.#toolsets.set(toolset, (this.#toolsets.get(toolset) ?? 0) + count);
  }
}
