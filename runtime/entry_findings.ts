/**
 * Findings about single entries of the table, for tools that come from no file.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { ToolEntry } from "../core/entry.ts";

const findings = new WeakMap<ToolEntry, readonly Diagnostic[]>();

/**
 * Notes what was found about an entry, in place of what was noted before.
 *
 * @param entry The entry.
 * @param found The findings.
 */
export function noteFindings(entry: ToolEntry, found: readonly Diagnostic[]): void {
  findings.set(entry, Object.freeze([...found]));
}

/**
 * What was found about an entry.
 *
 * @param entry The entry.
 * @returns The findings; empty when nothing was noted.
 */
export function findingsOf(entry: ToolEntry): readonly Diagnostic[] {
  return findings.get(entry) ?? [];
}
