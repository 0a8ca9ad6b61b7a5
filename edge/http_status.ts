/**
 * Which HTTP status answers which outcome of a call.
 * @module
 */
import type { ErrorCode } from "../core/errors.ts";
import type { ToolResult } from "../core/result.ts";

/**
 * Status by error code. The 4xx are the caller's to mend; 422 says that the tool ran and reported a failure; 502
 * that the tool broke; 503 that it cannot be used now; 504 that its deadline passed.
 */
export const STATUS_OF_CODE: Readonly<Record<ErrorCode, number>> = Object.freeze({
  unknown_tool: 404,
  not_enabled: 403,
  unavailable: 503,
  invalid_arguments: 400,
  approval_required: 403,
  approval_denied: 403,
  permission_denied: 403,
  timeout: 504,
  cancelled: 503,
  overloaded: 429,
  tool_error: 422,
  tool_crashed: 502,
  tool_out_of_memory: 502,
  tool_exited: 502,
  invalid_result: 502,
  integrity_changed: 409,
  outcome_unknown: 502,
  internal: 500,
});

/**
 * The status that answers a call.
 *
 * @param result What the call gave.
 * @returns 200 for a success, else the status of its error code.
 */
export function statusOfResult(result: ToolResult): number {
  return result.ok ? 200 : STATUS_OF_CODE[result.error.code];
}
