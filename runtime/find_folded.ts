/**
 * The tool that another spelling of its name means.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import { foldName } from "../registry/fold.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";

const MAX_LENGTH = 128;

/**
 * Finds the tool whose folded name is the same as that of a name which no tool has. The table never holds
 * two such tools, so this is another spelling and not a guess; should there be two, it is neither.
 *
 * @param snapshot The table.
 * @param name The name that was called.
 * @returns The tool; `undefined` when none or several could be meant.
 *
 * @example Another spelling
 * ```ts ignore
 * findFolded(snapshot, "Read-File")?.name; // "read_file"
 * ```
 */
export function findFolded(snapshot: RegistrySnapshot, name: string): ToolEntry | undefined {
  if (name.trim() === "" || name.length > MAX_LENGTH) return undefined;
  const folded = foldName(name);
  const [only, ...others] = snapshot.names().filter((known) => foldName(known) === folded);
  return only === undefined || others.length > 0 ? undefined : snapshot.get(only);
}
