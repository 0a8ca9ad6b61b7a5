/**
 * What changed in a server's list, for the log.
 * @module
 */
import { showName } from "./check_tool.ts";
import { changedFields } from "./difference.ts";
import type { ToolFinding } from "./finding.ts";
import type { ChangedTool, PinComparison } from "./pins.ts";
import type { TableNews } from "./server_table.ts";

const MAX_LISTED = 20;

/**
 * Says what is new, gone and held back.
 *
 * @param news What changed in the table.
 * @param comparison What the list says beside the pins.
 * @returns Sentences to follow the server's name; empty when nothing is worth a warning.
 */
export function describeNews({ removed }: TableNews, comparison: PinComparison): readonly string[] {
  const { isFirst, added, vanished, changed } = comparison;
  const lines: string[] = [];
  if (!isFirst && added.length > 0) {
    lines.push(`it has tools that were not there before: ${listNames(added)}`);
  }
  if (vanished.length > 0) lines.push(`it no longer has: ${listNames(vanished)}`);
  else if (removed.length > 0) lines.push(`no longer in the table: ${listNames(removed)}`);
  for (const [name, change] of changed) {
    lines.push(
      `tool "${showName(name)}" changed (${changedFields(change).join(", ")}) and is held back ` +
        "until the new definition is accepted",
    );
  }
  return lines;
}

/**
 * Findings about tools that are held back.
 *
 * @param changed The tools, by the server's own names.
 * @returns A finding each.
 */
export function heldFindings(changed: ReadonlyMap<string, ChangedTool>): readonly ToolFinding[] {
  return [...changed].map(([name, change]) => ({
    severity: "warning",
    code: "definition_changed",
    tool: showName(name),
    message: `Tool "${showName(name)}" changed since it was accepted ` +
      `(${changedFields(change).join(", ")}) and is held back`,
  }));
}

/**
 * Names of a server's choosing in a line.
 *
 * @param names The names.
 * @returns The first twenty, and how many more there are.
 */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map(showName).join(", ");
  const more = names.length - MAX_LISTED;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
