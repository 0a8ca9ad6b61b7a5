/**
 * A call's deadline and its cancel as one event.
 * @module
 */

/** Why a call has to end. */
export type EndReason = "timeout" | "cancelled";

/** Fires once: at the deadline, or when the signal aborts. */
export class Deadline implements Disposable {
  /** Settles with the reason. */
  readonly passed: Promise<EndReason>;
  readonly #at: number;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #stop: () => void;
  #reason: EndReason | undefined;

  /**
   * Starts the clock.
   *
   * @param timeoutMs Milliseconds from now.
   * @param signal Cancels.
   */
  constructor(timeoutMs: number, signal?: AbortSignal) {
    const { promise, resolve } = Promise.withResolvers<EndReason>();
    this.passed = promise;
    this.#at = performance.now() + timeoutMs;
    const fire = (reason: EndReason) => (): void => {
      this.#reason ??= reason;
      resolve(this.#reason);
    };
    const cancel = fire("cancelled");
    // Timers hold at most 31 bits of milliseconds.
    this.#timer = setTimeout(fire("timeout"), Math.min(timeoutMs, 0x7fffffff));
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted) cancel();
    this.#stop = () => signal?.removeEventListener("abort", cancel);
  }

  /** The reason, once it has fired. */
  get reason(): EndReason | undefined {
    return this.#reason;
  }

  /** Milliseconds that are left, 0 or more. */
  get leftMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** Stops the clock. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#stop();
  }
}

/**
 * Waits for a promise, but not longer than a time.
 *
 * @param promise The promise.
 * @param ms Milliseconds.
 * @returns What the promise gave, or `undefined` when the time was over.
 */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: timeUp, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  try {
    return await Promise.race([promise, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
