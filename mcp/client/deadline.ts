/**
 * The deadline of a call, which waits while a person is asked.
 * @module
 */
import type { Clock } from "../../registry/availability/clock.ts";

/** For how many milliseconds in all a deadline waits for people. */
export const LONGEST_PAUSE_MS = 600_000;

/** Aborts when the caller gives up or the time is over. */
export class Deadline implements Disposable {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #onAbort = (): void => this.#controller.abort(this.#outer.reason);
  #leftMs: number;
  #pauseLeftMs = LONGEST_PAUSE_MS;
  #since: number;
  #pauses = 0;
  #stop: () => void = () => {};
  #expired = false;

  /**
   * Starts a deadline.
   *
   * @param clock Tells the time.
   * @param ms How long the call may take, without the pauses.
   * @param outer The caller's signal.
   */
  constructor(clock: Clock, ms: number, outer: AbortSignal) {
    this.#clock = clock;
    this.#outer = outer;
    this.#leftMs = ms;
    this.#since = clock.now();
    if (outer.aborted) this.#onAbort();
    else outer.addEventListener("abort", this.#onAbort, { once: true });
    this.#arm(ms);
  }

  /** Aborts when the time is over, or when the caller's signal does. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time ran out. */
  get expired(): boolean {
    return this.#expired;
  }

  /**
   * Lets the time stand still while something is done; for ten minutes in all.
   *
   * @param action What is done.
   * @returns What it gives.
   */
  async pauseFor<T>(action: () => Promise<T>): Promise<T> {
    if (this.#pauses++ === 0) this.#leftMs = this.#rest(this.#leftMs, this.#pauseLeftMs);
    try {
      return await action();
    } finally {
      if (--this.#pauses === 0) this.#pauseLeftMs = this.#rest(this.#pauseLeftMs, this.#leftMs);
    }
  }

  /** Stops the time. */
  [Symbol.dispose](): void {
    this.#stop();
    this.#outer.removeEventListener("abort", this.#onAbort);
  }

  // One of the two budgets runs at a time: notes what is left of it, and starts the other.
  #rest(running: number, next: number): number {
    const left = Math.max(0, running - (this.#clock.now() - this.#since));
    this.#since = this.#clock.now();
    this.#stop();
    this.#arm(next);
    return left;
  }

  // In the foreground: a program must not end while it waits for an answer.
  #arm(ms: number): void {
    this.#stop = this.#clock.after(ms, () => {
      this.#expired = true;
      this.#controller.abort(new DOMException("The deadline has passed", "TimeoutError"));
    });
  }
}
