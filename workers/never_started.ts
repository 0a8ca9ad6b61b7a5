/**
 * What becomes of a call that did not begin.
 * @module
 */
import type { ExecutionFailure } from "./execution.ts";

/**
 * The outcome of a call that did not begin.
 *
 * @param code Why, for programs.
 * @param message Why, for people.
 * @param startedAt When the call came in, by `performance.now()`.
 * @returns The outcome.
 */
export function neverStarted(
  code: "overloaded" | "timeout" | "cancelled",
  message: string,
  startedAt: number,
): ExecutionFailure {
  const timing = { queuedMs: performance.now() - startedAt, runMs: 0 };
  return {
    ok: false,
    code,
    message,
    retryable: code !== "cancelled",
    end: "never_started",
    timing,
  };
}
