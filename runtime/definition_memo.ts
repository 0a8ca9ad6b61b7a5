/**
 * Remembers definition lists while nothing that they depend on can have changed.
 * @module
 */
import type { Definitions, Dialect, Selection } from "./runtime_types.ts";

/** How many lists are kept; the oldest goes first (reference 2.2). */
const CAPACITY = 8;
/** How long a list holds at most, in milliseconds: a variable or a program may have come or gone. */
const HOLDS_MS = 5_000;

/** What a list depends on. */
export interface DefinitionKey {
  /** The generation of the table. */
  readonly generation: number;
  /** How often verdicts were forgotten or changed. */
  readonly epoch: number;
  /** How definitions are written. */
  readonly dialect: Dialect;
  /** Which tools. */
  readonly selection: Selection;
}

interface Remembered {
  readonly until: number;
  readonly list: Definitions<Dialect>;
}

/** Remembers definition lists. */
export class DefinitionMemo {
  readonly #lists = new Map<string, Remembered>();

  /**
   * Looks a list up.
   *
   * @param key What it depends on.
   * @returns The list, or `undefined` when it has to be made.
   */
  get(key: DefinitionKey): Definitions<Dialect> | undefined {
    const found = this.#lists.get(textOf(key));
    return found && performance.now() < found.until ? found.list : undefined;
  }

  /**
   * Keeps a list.
   *
   * @param key What it depends on.
   * @param list The list.
   * @param holdsMs For how long the verdicts in it hold, in milliseconds.
   */
  set(key: DefinitionKey, list: Definitions<Dialect>, holdsMs: number): void {
    const text = textOf(key);
    this.#lists.delete(text);
    if (this.#lists.size >= CAPACITY) this.#lists.delete(this.#lists.keys().next().value!);
    this.#lists.set(text, { until: performance.now() + Math.min(holdsMs, HOLDS_MS), list });
  }
}

function textOf({ generation, epoch, dialect, selection }: DefinitionKey): string {
  const { toolsets, disabledToolsets, names } = selection;
  if (!toolsets && !disabledToolsets && !names) return `${generation} ${epoch} ${dialect}`;
  return JSON.stringify([generation, epoch, dialect, toolsets, disabledToolsets, names]);
}
