/**
 * Places of the workspace that decide what runs outside of a container, so that nothing in one may write them.
 * @module
 */
import { join } from "../paths.ts";

/** Files in any workspace that Cloister reads when it is started there. */
const OWN_FILES: readonly string[] = ["cloister.json", "mcp.lock"];

/**
 * Lists the places, whether they exist or not.
 *
 * @param workspace The workspace, a real path.
 * @param configured Tool roots, plugin folders, configuration and locks, absolute.
 * @returns Those that are inside the workspace, sorted; a folder that holds the whole workspace is none.
 */
export function protectedPlaces(
  workspace: string,
  configured: readonly string[],
): readonly string[] {
  const own = [...OWN_FILES, ".git"].map((name) => join(workspace, name));
  const all = [...own, ...configured];
  // A link is protected with what it leads to.
  const places = [...all, ...all.map(realOf)].filter((path) => path.startsWith(`${workspace}/`));
  return [...new Set(places)].sort();
}

function realOf(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}
