/**
 * What the log says of a check's answer.
 * @module
 */
import type { VerdictEvent } from "../../registry/availability/verdict_cache.ts";
import type { RuntimeLogger } from "../runtime_types.ts";

type Level = Parameters<RuntimeLogger["log"]>[0];

/**
 * Puts an answer that changed something into a sentence.
 *
 * @param event The answer.
 * @returns Its level and the sentence; `undefined` for a tool that is available from the beginning.
 */
export function describeVerdict(
  { label, change, verdict }: VerdictEvent,
): { readonly level: Level; readonly message: string } | undefined {
  const why = verdict.reason ?? "its check says no";
  switch (change) {
    case "first":
      return verdict.available
        ? undefined
        : { level: "info", message: `Tool "${label}" is not available: ${why}` };
    case "failing":
      return {
        level: "warning",
        message:
          `The check of tool "${label}" fails; the tool counts as available until 60 seconds after ` +
          `the last success: ${why}`,
      };
    case "lost":
      return { level: "warning", message: `Tool "${label}" is no longer available: ${why}` };
    case "regained":
      return { level: "info", message: `Tool "${label}" is available again` };
    default:
      return change satisfies never;
  }
}
