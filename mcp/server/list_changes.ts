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

/**
 * Watches the list for a server, while somebody listens: looking for changes has the tools' checks asked again and
 * again.
 */
export class ListChanges implements Disposable {
  readonly #options: ListChangesOptions;
  #stops: readonly (() => void)[] = [];
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;
  #said: string | undefined;
  /** Whether something changed since it was last looked. */
  #isNews = false;
  #isOver = false;

  /**
   * Takes what there is to watch; it begins with the first listener.
   *
   * @param options What to watch.
   */
  constructor(options: ListChangesOptions) {
    this.#options = options;
  }

  /**
   * Listens.
   *
   * @param listener Called when clients should list again.
   * @returns Stops listening.
   */
  on(listener: () => void): () => void {
    // The same function may listen for several clients.
    const own = () => listener();
    this.#listeners.add(own);
    if (this.#listeners.size === 1) this.#begin();
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#end();
    };
  }

  /** Stops watching. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#listeners.clear();
    this.#end();
  }

  #begin(): void {
    if (this.#isOver) return;
    const { runtime } = this.#options;
    const change = () => {
      this.#isNews = true;
      this.#lookSoon();
    };
    this.#stops = [runtime.on("table-change", change), runtime.on("availability-change", change)];
    // What changed while nobody listened was said to nobody: who listed before may hold an older list.
    this.#said = undefined;
    this.#isNews = false;
    this.#lookSoon();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  #lookSoon(): void {
    const now = performance.now();
    if (this.#timer === undefined) this.#since = now;
    clearTimeout(this.#timer);
    const left = Math.max(0, this.#since + MAX_WAIT_MS - now);
    this.#timer = setTimeout(() => void this.#say(), Math.min(QUIET_MS, left));
  }

  async #say(): Promise<void> {
    this.#timer = undefined;
    const isNews = this.#isNews;
    this.#isNews = false;
    try {
      const text = await this.#options.catalogue.text();
      // A client that listed between a change and its undoing holds a list that was never announced.
      const isKnown = this.#options.catalogue.takeGiven().every((given) => given === text);
      const isSame = this.#said === undefined ? !isNews : text === this.#said;
      this.#said = text;
      if (this.#isOver || (isSame && isKnown)) return;
    } catch (error) {
      // What the list is now nobody knows, so clients look for themselves.
      this.#options.onFault(`Cannot list the tools after a change: ${error}`);
    }
    for (const listener of [...this.#listeners]) listener();
  }
}
