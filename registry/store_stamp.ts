/**
 * How a stored copy is recognised without reading it.
 * @module
 */
import { isRealFolder } from "./store_files.ts";
import { joinPath, parentOf } from "./paths.ts";

/**
 * What the disk says about a closure's copies. Any change of a copy's bytes changes its times: the time of
 * the last change of a file cannot be set by programs. Whoever may write here may write the manifest too,
 * and a copy is hashed again before its first call.
 *
 * @param target The closure's folder.
 * @param relatives The files, by path below it.
 * @returns The stamp, or `undefined` when one of them is no regular file in real folders, or when the
 * system does not keep the time of the last change.
 */
export function stampCopies(target: string, relatives: readonly string[]): string | undefined {
  if (!isRealFolder(target)) return undefined;
  const stamps: string[] = [];
  for (const relative of relatives) {
    const stamp = liesInFolders(target, relative) ? stampFile(target, relative) : undefined;
    if (stamp === undefined) return undefined;
    stamps.push(stamp);
  }
  return stamps.join(" ");
}

function liesInFolders(target: string, relative: string): boolean {
  for (let path = parentOf(relative); path !== ""; path = parentOf(path)) {
    if (!isRealFolder(joinPath(target, path))) return false;
  }
  return true;
}

function stampFile(target: string, relative: string): string | undefined {
  try {
    const { isFile, dev, ino, size, mtime, ctime } = Deno.lstatSync(joinPath(target, relative));
    if (!isFile || ino === null || mtime === null || ctime === null) return undefined;
    return `${dev}:${ino}:${size}:${mtime.getTime()}:${ctime.getTime()}`;
  } catch {
    return undefined;
  }
}
