/**
 * The time, as something that tests can hand in.
 * @module
 */

/** Tells the time and calls back later. */
export interface Clock {
  /**
   * A time that only grows, whatever is done to the machine's clock.
   *
   * @returns Milliseconds since some moment.
   */
  now(): number;
  /**
   * The time for people.
   *
   * @returns Milliseconds since the epoch.
   */
  date(): number;
  /**
   * Calls back later.
   *
   * @param ms Milliseconds from now.
   * @param action What to do.
   * @param background Whether the program may end without waiting for it. @default {false}
   * @returns Calls it off.
   */
  after(ms: number, action: () => void, background?: boolean): () => void;
}

/** The time of this machine. */
export const SYSTEM_CLOCK: Clock = Object.freeze({
  now: () => performance.now(),
  date: () => Date.now(),
  after(ms: number, action: () => void, background = false): () => void {
    const timer = setTimeout(action, ms);
    if (background) Deno.unrefTimer(timer);
    return () => clearTimeout(timer);
  },
});
