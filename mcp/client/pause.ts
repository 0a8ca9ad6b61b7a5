/**
 * Waiting.
 * @module
 */
import type { Clock } from "../../registry/availability/clock.ts";

/**
 * Waits for a while.
 *
 * @param clock Tells the time.
 * @param ms For how many milliseconds.
 * @param signal Gives up waiting.
 * @param background Whether the program may end without waiting. @default {false}
 * @throws The signal's reason.
 */
export async function pause(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  background = false,
): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = () => reject(signal.reason);
  const stop = clock.after(ms, resolve, background);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    await promise;
  } finally {
    stop();
    signal.removeEventListener("abort", giveUp);
  }
}
