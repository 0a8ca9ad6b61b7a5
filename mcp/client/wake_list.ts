/**
 * Calls that wait for a link.
 * @module
 */
import type { Clock } from "../../registry/availability/clock.ts";

/** Calls that wait for a link. */
export class WakeList<Link> {
  readonly #clock: Clock;
  #next: PromiseWithResolvers<Link> | undefined;

  /**
   * Makes an empty list.
   *
   * @param clock Tells the time.
   */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Waits for a link.
   *
   * @param ms For how many milliseconds.
   * @param signal Gives up waiting.
   * @param refusal Makes the error for a wait that was in vain.
   * @returns The link.
   * @throws {Error} The refusal, what the list was told, or the signal's reason.
   */
  async wait(ms: number, signal: AbortSignal, refusal: () => Error): Promise<Link> {
    const { promise, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", giveUp, { once: true });
    const stop = this.#clock.after(ms, () => reject(refusal()));
    try {
      return await Promise.race([promise, this.#shared().promise]);
    } finally {
      stop();
      signal.removeEventListener("abort", giveUp);
    }
  }

  /**
   * Gives every waiting call its link.
   *
   * @param link The link.
   */
  succeed(link: Link): void {
    this.#next?.resolve(link);
    this.#next = undefined;
  }

  /**
   * Turns every waiting call down.
   *
   * @param error Why.
   */
  fail(error: Error): void {
    this.#next?.reject(error);
    this.#next = undefined;
  }

  #shared(): PromiseWithResolvers<Link> {
    if (this.#next !== undefined) return this.#next;
    this.#next = Promise.withResolvers<Link>();
    // Those who wait hear of it; nobody else does.
    this.#next.promise.catch(() => {});
    return this.#next;
  }
}
