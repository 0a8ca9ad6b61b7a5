/**
 * What questions to a tool, its check and its overrides, come to.
 * @module
 */
import type { JsonValue } from "../core/json.ts";
import type { CallSettlement } from "./tool_worker.ts";

/** How a question ended. */
export type ProbeEnd =
  | CallSettlement
  | { readonly kind: "late" }
  | { readonly kind: "failed"; readonly reason: string };

/** What a tool said of itself. */
export type OverrideAnswer =
  | { readonly ok: true; readonly overrides: JsonValue }
  | { readonly ok: false; readonly reason: string };

/**
 * The verdict of a check.
 *
 * @param end How the question ended.
 * @param timeoutMs How long it had, in milliseconds.
 * @returns The verdict; a check that throws, hangs or dies means unavailable.
 */
export function verdictOf(
  end: ProbeEnd,
  timeoutMs: number,
): { readonly available: boolean; readonly reason?: string } {
  if (end.kind === "answer" && end.message.type === "checked") {
    return { available: end.message.available, reason: end.message.reason };
  }
  return { available: false, reason: reasonOf(end, "Its check", timeoutMs) };
}

/**
 * The overrides that a tool gave.
 *
 * @param end How the question ended.
 * @param timeoutMs How long it had, in milliseconds.
 * @returns The overrides, unchecked, or why there are none.
 */
export function overridesOf(end: ProbeEnd, timeoutMs: number): OverrideAnswer {
  if (end.kind === "answer" && end.message.type === "overridden") {
    return { ok: true, overrides: end.message.overrides };
  }
  return { ok: false, reason: reasonOf(end, "dynamicSchemaOverrides", timeoutMs) };
}

function reasonOf(end: ProbeEnd, what: string, timeoutMs: number): string {
  switch (end.kind) {
    case "late":
      return `${what} did not answer within ${timeoutMs} ms`;
    case "failed":
      return end.reason;
    case "end":
      return end.end.message;
    case "answer":
      return end.message.type === "failure"
        ? `${what} failed: ${end.message.error.message}`
        : `${what} gave no answer`;
    default:
      return end satisfies never;
  }
}
