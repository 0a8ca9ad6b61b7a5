/**
 * What providers cannot be told of a tool.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import { DIALECTS } from "../registry/dialects/dialect_names.ts";
import { projectEntry } from "../registry/dialects/project_entry.ts";
import type { DialectFinding } from "./runtime_types.ts";

/**
 * Says for each dialect what of a tool's schema it cannot say.
 *
 * @param entry The tool.
 * @returns The dialects that lose something, or that the tool is left out of.
 */
export function explainDialects(entry: ToolEntry): readonly DialectFinding[] {
  return DIALECTS.flatMap((dialect): readonly DialectFinding[] => {
    const projection = projectEntry(entry, dialect);
    if (!projection.ok) return [{ dialect, losses: [], omitted: projection.reason }];
    return projection.losses.length > 0 ? [{ dialect, losses: projection.losses }] : [];
  });
}
