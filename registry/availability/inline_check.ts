/**
 * Check functions of tools that run in this process.
 * @module
 */
import type { CheckContext, CheckResult } from "../../core/context.ts";
import type { InlineHandler } from "../../core/entry.ts";
import type { CheckAnswer } from "./check.ts";

/**
 * Calls the check function of a tool that runs in this process.
 *
 * @param handler The tool's handler.
 * @param context What the function gets.
 * @returns What it said; yes when there is none. Rejects when it throws.
 */
export async function runInlineCheck(
  handler: InlineHandler,
  context: CheckContext,
): Promise<CheckAnswer> {
  return handler.checkFn ? answerOf(await handler.checkFn(context)) : { available: true };
}

// Code in JavaScript may say anything: what is neither a yes nor an object counts by its truth.
function answerOf(result: CheckResult): CheckAnswer {
  if (typeof result !== "object" || result === null) return { available: Boolean(result) };
  const available = Boolean(result.available);
  return result.reason === undefined ? { available } : { available, reason: String(result.reason) };
}
