/**
 * Names that belong to one owner: no tool file, plugin or other server may pass for it.
 * @module
 */
import type { Owner } from "../core/entry.ts";
import { PermissionError } from "../core/errors.ts";
import { foldName } from "./fold.ts";

/** The product's own tool that reads spilled results where no file may be read. */
export const READ_RESULT = "read_result";

const SERVER_PREFIX = "mcp__";
/** How much of a long name of a server's tool is left before its hash. */
const UNHASHED_CHARS = 55;

/**
 * Refuses a name that belongs to somebody else, in any spelling. The product and the program that embeds it are
 * trusted, and may take any.
 *
 * @param name The tool's name.
 * @param owner Who wants it.
 * @throws {PermissionError} If it is `read_result` or starts with `mcp__`, and is not the owner's own.
 */
export function assertNotReserved(name: string, owner: Owner): void {
  if (owner === "builtin" || owner === "program") return;
  const fold = foldName(name);
  const why = fold === READ_RESULT
    ? `"${READ_RESULT}" is the name of the tool that reads long results back`
    : fold.startsWith(SERVER_PREFIX) && !isOfServer(fold, owner)
    ? `names that start with "${SERVER_PREFIX}<server>__" belong to the MCP server of that name`
    : undefined;
  if (why === undefined) return;
  throw new PermissionError(
    `Cannot register tool "${name}" of ${owner}: ${why}. Give the tool another name`,
  );
}

function isOfServer(fold: string, owner: Owner): boolean {
  if (!owner.startsWith("mcp:")) return false;
  const own = `${SERVER_PREFIX}${foldName(owner.slice(4))}__`;
  return fold.startsWith(own.slice(0, UNHASHED_CHARS));
}
