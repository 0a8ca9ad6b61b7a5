/**
 * One check function, as the cache of verdicts knows it.
 * @module
 */
import type { Clock } from "./clock.ts";

/** What a check said. */
export interface CheckAnswer {
  /** Whether its tool can be used now. */
  readonly available: boolean;
  /** Why not. */
  readonly reason?: string;
}

/** A check function that can be asked. */
export interface Check {
  /** Which check it is: two with the same key share one verdict. */
  readonly key: string;
  /** Whose check it is, for the log. */
  readonly label: string;
  /** Whether it is asked in a worker, which costs time of a core, and whose own deadline begins when it is there. */
  readonly inWorker?: boolean;
  /**
   * Asks it.
   *
   * @param signal Aborts when its time is over.
   * @returns What it said; may reject.
   */
  run(signal: AbortSignal): Promise<CheckAnswer>;
}

/**
 * Asks a check and waits for it no longer than its deadline.
 *
 * @param check The check.
 * @param deadlineMs The deadline in milliseconds.
 * @param clock Tells the time.
 * @returns What it said; a check that throws or does not answer means no, with the reason. Never rejects.
 */
export async function askWithin(
  check: Check,
  deadlineMs: number,
  clock: Clock,
): Promise<CheckAnswer> {
  const controller = new AbortController();
  if (check.inWorker) return await answerOf(check, controller.signal);
  const { promise: timeUp, resolve } = Promise.withResolvers<CheckAnswer>();
  const cancel = clock.after(deadlineMs, () => {
    const reason = `The check did not answer within ${deadlineMs} ms`;
    resolve({ available: false, reason });
    controller.abort(new DOMException(reason, "TimeoutError"));
  });
  try {
    return await Promise.race([answerOf(check, controller.signal), timeUp]);
  } finally {
    cancel();
  }
}

async function answerOf(check: Check, signal: AbortSignal): Promise<CheckAnswer> {
  try {
    // Later, so that whoever asked has noted that it is being asked before its code runs.
    await Promise.resolve();
    return await check.run(signal);
  } catch (error) {
    return { available: false, reason: `The check failed: ${describe(error)}` };
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
