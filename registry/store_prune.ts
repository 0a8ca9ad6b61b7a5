/**
 * Keeps the store from growing with every edit of a tool file.
 * @module
 */
import { joinPath } from "./paths.ts";
import { removeQuietly } from "./store_files.ts";

/** How long a copy stays that no verdict names: another program may still run it. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Removes copies that no verdict names any more and that were made long ago. A program that still uses one
 * finds it missing at its next call and admits its file again.
 *
 * @param dir The store.
 * @param used The names of the folders to keep.
 * @param now Milliseconds since the epoch.
 */
export function pruneStore(dir: string, used: ReadonlySet<string>, now = Date.now()): void {
  try {
    for (const { name } of Deno.readDirSync(dir)) {
      if (!used.has(name) && isOlderThan(joinPath(dir, name), now - KEPT_MS)) {
        removeQuietly(joinPath(dir, name));
      }
    }
  } catch {
    // What cannot be listed stays.
  }
}

function isOlderThan(path: string, time: number): boolean {
  const made = Deno.lstatSync(path).mtime?.getTime();
  return made !== undefined && made < time;
}
