/**
 * A call's deadline and its cancel as one event.
 * @module
 */
import { type Alarm, clearAlarm, setAlarm } from "./alarms.ts";

/** Why a call has to end. */
export type EndReason = "timeout" | "cancelled";

/** How long a call's deadline may wait for others in all, in milliseconds: the person, the caller's model. */
export const MAX_WAIT_MS = 600_000;

/** Fires once: at the deadline, or when the signal aborts. */
export class Deadline implements Disposable {
  /** Settles with the reason. */
  readonly passed: Promise<EndReason>;
  readonly #fire: (reason: EndReason) => void;
  readonly #stop: () => void;
  #at: number;
  #alarm: Alarm | undefined;
  #reason: EndReason | undefined;
  #waits = 0;
  #waitsSince = 0;
  #waitLeftMs = MAX_WAIT_MS;

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
    this.#fire = (reason) => {
      this.#reason ??= reason;
      resolve(this.#reason);
    };
    const cancel = (): void => this.#fire("cancelled");
    this.#arm(timeoutMs);
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
    return Math.max(0, this.#at - (this.#waits > 0 ? this.#waitsSince : performance.now()));
  }

  /**
   * Stands still until a promise settles, for {@linkcode MAX_WAIT_MS} in all.
   *
   * @param promise What is waited for.
   * @returns What it gave.
   */
  async waitFor<T>(promise: Promise<T>): Promise<T> {
    if (this.#waits++ === 0) this.#stand();
    try {
      return await promise;
    } finally {
      if (--this.#waits === 0) this.#goOn();
    }
  }

  /** Stops the clock. */
  [Symbol.dispose](): void {
    clearAlarm(this.#alarm);
    this.#alarm = undefined;
    this.#stop();
  }

  #arm(ms: number): void {
    this.#alarm = setAlarm(ms, () => this.#fire("timeout"));
  }

  #stand(): void {
    this.#waitsSince = performance.now();
    this.#rearm(this.#at - this.#waitsSince + this.#waitLeftMs);
  }

  #goOn(): void {
    const waited = Math.min(performance.now() - this.#waitsSince, this.#waitLeftMs);
    this.#waitLeftMs -= waited;
    this.#at += waited;
    this.#rearm(this.#at - performance.now());
  }

  // Nothing is armed again once the clock was stopped.
  #rearm(ms: number): void {
    if (this.#alarm === undefined) return;
    clearAlarm(this.#alarm);
    this.#arm(Math.max(0, ms));
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
