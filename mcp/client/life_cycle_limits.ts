/**
 * How long and how often a server is tried.
 * @module
 */

/** How often the first contact is tried again. */
export const CONNECT_RETRIES = 3;
/** How often a server that answered before is tried again, until it is given up for now. */
export const RECONNECT_RETRIES = 5;
/** The first wait between two tries, in milliseconds; each further one is twice as long. */
export const FIRST_BACKOFF_MS = 1_000;
/** The longest wait between two tries, in milliseconds. */
export const LONGEST_BACKOFF_MS = 60_000;
/** How far a wait may stray from its length, so that servers are not all tried at once. */
export const BACKOFF_JITTER = 0.2;
/** After how many milliseconds a server that was given up is tried again. */
export const SELF_PROBE_MS = 300_000;
/** The shortest time between two signs of life, in milliseconds. */
export const KEEPALIVE_FLOOR_MS = 5_000;
/** Deadline of a sign of life, in milliseconds. */
export const PROBE_TIMEOUT_MS = 30_000;
/** How many milliseconds a call waits for a server that is being reached again. */
export const RECONNECT_WAIT_MS = 5_000;
/** How many milliseconds a call waits for a process that is being started. */
export const RESPAWN_WAIT_MS = 15_000;

/**
 * How long to wait before a try.
 *
 * @param tries How many waits went before.
 * @param random A number from 0 up to 1.
 * @returns Milliseconds.
 */
export function backoffMs(tries: number, random: number): number {
  const base = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(tries, 30));
  return Math.round(base * (1 + (random * 2 - 1) * BACKOFF_JITTER));
}
