/**
 * How a stored copy is recognised without reading it.
 * @module
 */
import { joinPath } from "./paths.ts";

/**
 * What the disk says about a closure's copies. Deno shows the time of the last change, which no program can
 * set, in whole seconds: only a change within the second of the copy's own making, with the size kept and
 * the other time set back, would not show. Whoever can do that can write the manifest too, and a copy is
 * hashed again before its first call.
 *
 * @param target The closure's folder.
 * @param relatives The files, by path below it.
 * @returns The stamp, or `undefined` when one of them is no regular file at its very path, or when the
 * system does not keep the time of the last change.
 */
export function stampCopies(target: string, relatives: readonly string[]): string | undefined {
  const stamps: string[] = [];
  for (const relative of relatives) {
    const stamp = stampFile(joinPath(target, relative));
    if (stamp === undefined) return undefined;
    stamps.push(stamp);
  }
  return stamps.join(" ");
}

function stampFile(stored: string): string | undefined {
  try {
    // A folder on the way may have become a link to somewhere else.
    if (Deno.realPathSync(stored) !== stored) return undefined;
    const { isFile, dev, ino, size, mtime, ctime } = Deno.lstatSync(stored);
    if (!isFile || ino === null || mtime === null || ctime === null) return undefined;
    return `${dev}:${ino}:${size}:${mtime.getTime()}:${ctime.getTime()}`;
  } catch {
    return undefined;
  }
}
