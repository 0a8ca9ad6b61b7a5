/**
 * Discovers anew whenever a file in the roots changes.
 * @module
 */
import { isFolder } from "./runtime_folders.ts";

/** How long the roots have to be quiet before they are looked through, in milliseconds. */
const QUIET_MS = 100;
/** How long roots that never rest are left alone, in milliseconds. */
const LATEST_MS = 2_000;

/** What a watch does. */
export interface WatchHandlers {
  /** Called at once when something happened. */
  onEvent?(): void;
  /** Called after a change, when the folders have been quiet for a moment. */
  onChange(): Promise<unknown>;
  /** Receives what `onChange` throws. */
  onFault(error: unknown): void;
}

/** Watches folders until it is disposed of. */
export class FolderWatch implements AsyncDisposable {
  readonly #handlers: WatchHandlers;
  readonly #watcher: Deno.FsWatcher | undefined;
  readonly #reading: Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #latest = Infinity;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Starts to watch.
   *
   * @param folders The folders; those that do not exist are left out.
   * @param handlers What to do.
   */
  constructor(folders: readonly string[], handlers: WatchHandlers) {
    this.#handlers = handlers;
    const existing = folders.filter(isFolder);
    this.#watcher = existing.length === 0 ? undefined : Deno.watchFs(existing);
    this.#reading = this.#read();
  }

  /** Stops watching, and waits for what a change has begun. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#watcher?.close();
    await this.#reading;
    clearTimeout(this.#timer);
    await this.#last;
  }

  async #read(): Promise<void> {
    if (!this.#watcher) return;
    for await (const event of this.#watcher) {
      if (event.kind === "access") continue;
      this.#handlers.onEvent?.();
      this.#plan();
    }
  }

  #plan(): void {
    const now = performance.now();
    this.#latest = Math.min(this.#latest, now + LATEST_MS);
    clearTimeout(this.#timer);
    const wait = Math.max(0, Math.min(QUIET_MS, this.#latest - now));
    this.#timer = setTimeout(() => this.#run(), wait);
  }

  #run(): void {
    this.#latest = Infinity;
    const { onChange, onFault } = this.#handlers;
    this.#last = this.#last.then(onChange).catch(onFault);
  }
}
