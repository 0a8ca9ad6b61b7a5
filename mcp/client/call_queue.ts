/**
 * Letting calls of one server go one after the other.
 * @module
 */

/** Hands out one place, or as many as are asked for, in the order of asking. */
export class CallQueue {
  readonly #width: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  /**
   * Makes a queue.
   *
   * @param width How many calls may be under way at once.
   */
  constructor(width: number) {
    this.#width = width;
  }

  /** How many calls are under way. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Waits for a place.
   *
   * @param signal Gives up waiting.
   * @returns Gives the place back when disposed of.
   * @throws The signal's reason.
   */
  async enter(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#taken < this.#width) this.#taken++;
    else await this.#wait(signal);
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        this.#leave();
      },
    };
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      if (this.#waiting.delete(resolve)) reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  // The place goes to the next one directly: nobody who asks in between can take it.
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
