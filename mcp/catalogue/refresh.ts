/**
 * When a server's list is looked at again.
 * @module
 */

/** Options of {@linkcode Refresher}. */
export interface RefresherOptions {
  /** Looks at the list. */
  readonly refresh: () => Promise<void>;
  /** Hears why a look failed that nobody waits for. */
  readonly onError: (error: unknown) => void;
  /** How many milliseconds notifications are gathered. @default {300} */
  readonly debounceMs?: number;
}

const DEBOUNCE_MS = 300;

/**
 * Runs looks in the background, one at a time: at most one is under way and one waits, however many notifications come.
 */
export class Refresher implements AsyncDisposable {
  readonly #options: RefresherOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #isOver = false;

  /**
   * Begins without a look.
   *
   * @param options What a look is.
   */
  constructor(options: RefresherOptions) {
    this.#options = options;
  }

  /** Asks for a look soon; the answer is seen by what it changes. */
  request(): void {
    if (this.#isOver || this.#timer !== undefined) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.now().catch((error: unknown) => this.#options.onError(error));
    }, this.#options.debounceMs ?? DEBOUNCE_MS);
  }

  /**
   * Looks at once, or waits for the look that is under way.
   *
   * @throws What the look throws.
   */
  now(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Ends: no look begins any more, and the one under way is waited for. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running?.catch(() => {});
  }

  async #run(): Promise<void> {
    // The promise is kept before anything runs.
    await undefined;
    try {
      await this.#options.refresh();
    } finally {
      this.#running = undefined;
      if (this.#again) {
        this.#again = false;
        this.request();
      }
    }
  }
}
