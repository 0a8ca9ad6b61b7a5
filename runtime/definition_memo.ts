/**
 * Remembers definition lists while nothing that they depend on can have changed.
 * @module
 */
import type { Dialect } from "./runtime_types.ts";

/** How many lists are kept; the oldest goes first. */
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
  /** Which tools: the key of a bound selection. */
  readonly selection: string;
}

interface Remembered<T> {
  readonly until: number;
  readonly list: T;
}

/** Remembers definition lists of one runtime, whose configuration never changes. */
export class DefinitionMemo<T> {
  readonly #lists = new Map<string, Remembered<T>>();
  readonly #now: () => number;

  /**
   * Makes an empty memo.
   *
   * @param now Tells the time, in milliseconds. @default {the machine's clock that only grows}
   */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Looks a list up.
   *
   * @param key What it depends on.
   * @returns The list, or `undefined` when it has to be made.
   */
  get(key: DefinitionKey): T | undefined {
    const found = this.#lists.get(textOf(key));
    return found && this.#now() < found.until ? found.list : undefined;
  }

  /**
   * Keeps a list.
   *
   * @param key What it depends on.
   * @param list The list.
   * @param holdsMs For how long the verdicts in it hold, in milliseconds.
   */
  set(key: DefinitionKey, list: T, holdsMs: number): void {
    const text = textOf(key);
    this.#lists.delete(text);
    if (this.#lists.size >= CAPACITY) this.#lists.delete(this.#lists.keys().next().value!);
    this.#lists.set(text, { until: this.#now() + Math.min(holdsMs, HOLDS_MS), list });
  }
}

function textOf({ generation, epoch, dialect, selection }: DefinitionKey): string {
  return `${generation} ${epoch} ${dialect} ${selection}`;
}
