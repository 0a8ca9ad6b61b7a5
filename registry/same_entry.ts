/**
 * When a second look at a tool finds nothing new.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";

/**
 * Whether two entries say the same and run the same code.
 *
 * @param a An entry.
 * @param b Another one, made the same way.
 * @returns True when one can stand for the other.
 */
export function isSameEntry(a: ToolEntry, b: ToolEntry): boolean {
  return a.validate === b.validate && hasSameCode(a, b) &&
    JSON.stringify(a) === JSON.stringify(b) &&
    a.maxResultSizeChars === b.maxResultSizeChars;
}

function hasSameCode(a: ToolEntry, b: ToolEntry): boolean {
  if (a.handler.kind !== "inline" || b.handler.kind !== "inline") {
    // Modules are told apart by their data, which holds the hash of their code.
    return a.handler.kind === b.handler.kind;
  }
  return a.handler.call === b.handler.call && a.handler.checkFn === b.handler.checkFn &&
    a.handler.dynamicSchemaOverrides === b.handler.dynamicSchemaOverrides;
}
