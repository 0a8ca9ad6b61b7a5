/**
 * The product's own tool that reads spilled results where no file may be read.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import { READ_RESULT } from "../../registry/reserved_name.ts";

export { READ_RESULT };

/**
 * Whether a tool is the product's own `read_result`.
 *
 * @param entry The tool.
 * @returns True for that tool alone.
 */
export function isReadResult({ name, owner }: Pick<ToolEntry, "name" | "owner">): boolean {
  return name === READ_RESULT && owner === "builtin";
}
