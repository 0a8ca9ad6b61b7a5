/**
 * Which tool may read the results that were too long for the model.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";

/**
 * Whether a tool is the one that the model is told to read spilled results with: the package's own
 * `read_file`, which pages, and whose own results are never spilled.
 *
 * @param entry The tool.
 * @returns True for that tool alone; a plugin's or a stranger's tool of the same name gets nothing.
 */
export function isSpillReader(entry: Pick<ToolEntry, "owner" | "name">): boolean {
  return entry.owner === "builtin" && entry.name === "read_file";
}
