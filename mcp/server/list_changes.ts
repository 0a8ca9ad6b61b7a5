/**
 * Says that the list of tools changed: once for many changes, and only when clients see a difference.
 * @module
 */
import type { Runtime } from "../../runtime/runtime_types.ts";
import type { ToolCatalogue } from "./tool_catalogue.ts";

/** Milliseconds without a change before it is said, and the longest that changes can hold it back. */
const QUIET_MS = 50;
const MAX_WAIT_MS = 500;

/** Options of {@linkcode ListChanges}. */
export interface ListChangesOptions {
  /** Whose tools they are. */
  readonly runtime: Runtime;
  /** What clients see of them. */
  readonly catalogue: ToolCatalogue;
  /** Receives what went wrong. */
  readonly onFault: (message: string) => void;
}

/** Watches the list for a server. */
export class ListChanges implements Disposable {
  readonly #options: ListChangesOptions;
  readonly #stops: readonly (() => void)[];
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;
  #said: string | undefined;
  #isOver = false;

  /**
   * Begins to watch.
   *
   * @param options What to watch.
   */
  constructor(options: ListChangesOptions) {
    this.#options = options;
    const change = () => this.#change();
    const { runtime } = options;
    this.#stops = [runtime.on("table-change", change), runtime.on("availability-change", change)];
  }

  /**
   * Listens.
   *
   * @param listener Called when clients should list again.
   * @returns Stops listening.
   */
  on(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stops watching. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
    this.#listeners.clear();
  }

  #change(): void {
    if (this.#isOver) return;
    const now = performance.now();
    if (this.#timer === undefined) this.#since = now;
    clearTimeout(this.#timer);
    const left = Math.max(0, this.#since + MAX_WAIT_MS - now);
    this.#timer = setTimeout(() => void this.#say(), Math.min(QUIET_MS, left));
  }

  async #say(): Promise<void> {
    this.#timer = undefined;
    try {
      const text = await this.#options.catalogue.text();
      // A client that listed between a change and its undoing holds a list that was never announced.
      const isKnown = this.#options.catalogue.takeGiven().every((given) => given === text);
      if (this.#isOver || (text === this.#said && isKnown)) return;
      this.#said = text;
    } catch (error) {
      // What the list is now nobody knows, so clients look for themselves.
      this.#options.onFault(`Cannot list the tools after a change: ${error}`);
    }
    for (const listener of [...this.#listeners]) listener();
  }
}
