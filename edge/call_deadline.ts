/**
 * The deadline that a caller asks for.
 * @module
 */
import { HttpProblem } from "./problem.ts";

/** The header field that carries a deadline; `?timeoutMs=` does the same. */
export const TIMEOUT_HEADER = "cloister-timeout-ms";

/**
 * Reads the deadline of a call from `?timeoutMs=` or the header field.
 *
 * @param request The request.
 * @param maxTimeoutMs The longest deadline that may be asked for.
 * @returns Milliseconds, or `undefined` when the caller names none.
 * @throws {HttpProblem} 400 if it is not a whole number from 1 to the maximum, or another parameter is there.
 */
export function readDeadline(request: Request, maxTimeoutMs: number): number | undefined {
  const query = new URLSearchParams(/\?([^#]*)/.exec(request.url)?.[1] ?? "");
  for (const key of query.keys()) {
    if (key === "timeoutMs") continue;
    throw new HttpProblem(
      400,
      "unknown_parameter",
      `The query parameter ${JSON.stringify(key.slice(0, 100))} is not known: only timeoutMs is`,
    );
  }
  const text = query.get("timeoutMs") ?? request.headers.get(TIMEOUT_HEADER);
  if (text === null) return undefined;
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= maxTimeoutMs) return value;
  throw new HttpProblem(
    400,
    "invalid_timeout",
    `The timeout ${JSON.stringify(text.slice(0, 100))} is not a whole number of milliseconds ` +
      `from 1 to ${maxTimeoutMs}`,
  );
}
