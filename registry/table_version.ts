/**
 * The visible entries, generation by generation.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";

/** One visible name before and after a change. */
export interface EntryChange {
  /** The name. */
  readonly name: string;
  /** What was visible, if anything. */
  readonly before: ToolEntry | undefined;
  /** What is visible now, if anything. */
  readonly after: ToolEntry | undefined;
}

/**
 * The entries of one generation. The newest version owns the one map that changes are made in, so a change
 * costs what it changes and not what the table holds. An older version that somebody still reads knows how
 * to undo the way to the newest one; it makes a map of its own the first time it is read.
 */
export class TableVersion {
  #entries: Map<string, ToolEntry> | undefined;
  #next: TableVersion | undefined;
  #undo: readonly EntryChange[] = [];
  readonly #debt: number;
  #exposed: boolean;

  /**
   * Makes a version.
   *
   * @param entries The entries; the version owns the map from now on.
   * @param debt How many changes lie between this version and the last whole copy.
   * @param exposed Whether an older version that needs this one's map may be read.
   */
  constructor(
    entries: Map<string, ToolEntry> = new Map(),
    debt: number = 0,
    exposed: boolean = false,
  ) {
    this.#entries = entries;
    this.#debt = debt;
    this.#exposed = exposed;
  }

  /** The entries. Valid until the next change; not to be kept. */
  get entries(): ReadonlyMap<string, ToolEntry> {
    return this.#entries ?? this.#restore();
  }

  /** Notes that somebody reads this version: from now on it must stay as it is. */
  expose(): void {
    this.#exposed = true;
  }

  /**
   * Makes the next version; this one stays as it is for those who read it. Where nobody does, it is this one.
   *
   * @param changes What is different.
   * @returns The next version.
   */
  advance(changes: readonly EntryChange[]): TableVersion {
    const entries = this.#own();
    if (!this.#exposed) {
      applyTo(entries, changes);
      return this;
    }
    const debt = this.#debt + changes.length;
    // A whole copy now and then keeps the way back short; it is paid for by the changes before it.
    if (debt > entries.size) return new TableVersion(applyTo(new Map(entries), changes));
    const next = new TableVersion(applyTo(entries, changes), debt, true);
    this.#entries = undefined;
    this.#undo = changes;
    this.#next = next;
    return next;
  }

  #own(): Map<string, ToolEntry> {
    if (this.#entries) return this.#entries;
    throw new Error("Cannot change an older version of the table");
  }

  #restore(): Map<string, ToolEntry> {
    const way: TableVersion[] = [this];
    let version = this.#next;
    for (; version && !version.#entries; version = version.#next) way.push(version);
    const entries = new Map(version!.#entries);
    for (const step of way.reverse()) undo(entries, step.#undo);
    this.#next = undefined;
    this.#undo = [];
    return this.#entries = entries;
  }
}

function applyTo(
  entries: Map<string, ToolEntry>,
  changes: readonly EntryChange[],
): Map<string, ToolEntry> {
  for (const { name, after } of changes) put(entries, name, after);
  return entries;
}

function undo(entries: Map<string, ToolEntry>, changes: readonly EntryChange[]): void {
  for (const { name, before } of changes) put(entries, name, before);
}

function put(entries: Map<string, ToolEntry>, name: string, entry: ToolEntry | undefined): void {
  if (entry) entries.set(name, entry);
  else entries.delete(name);
}
