/**
 * Why a call failed, in the words of its result.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { CallError, ToolResult } from "../core/result.ts";
import type { ExecutionFailure } from "../workers/execution.ts";
import { explainDenied } from "./denied.ts";
import { sanitiseErrorText } from "./error_text.ts";
import type { HookOutcome } from "./hooks.ts";
import type { NormalisedResult } from "./results.ts";

/**
 * The error that a handler returned.
 *
 * @param result What it returned.
 * @returns The error; `undefined` when it returned none.
 */
export function toolErrorOf({ error }: NormalisedResult): CallError | undefined {
  if (error === undefined) return undefined;
  return { code: "tool_error", message: sanitiseErrorText(error), retryable: false };
}

/**
 * What hooks hear of a call's end.
 *
 * @param status How it ended.
 * @param result Its text, its error, its time.
 * @returns The outcome.
 */
export function outcomeOf(
  status: HookOutcome["status"],
  { content, error, timing }: Pick<ToolResult, "content" | "error" | "timing">,
): HookOutcome {
  const durationMs = Math.max(0, Math.round(timing.runMs));
  return { status, content, ...(error && { error }), durationMs };
}

/**
 * Why a handler failed.
 *
 * @param entry The tool.
 * @param outcome How it failed.
 * @param closedBecause Why a path is closed to it although it lies in its grants.
 * @returns The error.
 */
export function errorOf(
  entry: ToolEntry,
  outcome: ExecutionFailure,
  closedBecause: (path: string) => string | undefined,
): CallError {
  const { code, retryable, details, denied } = outcome;
  if (code === "permission_denied" && denied) {
    const explained = explainDenied(entry, denied, outcome.message, closedBecause);
    return { code, retryable, ...explained };
  }
  const message = code === "tool_error" && outcome.errorName && outcome.errorName !== "ToolError"
    ? `Tool execution failed: ${outcome.errorName}: ${outcome.message}`
    : outcome.message;
  return { code, message, retryable, ...(details === undefined ? {} : { details }) };
}
