/**
 * Whether an admitted module is still what was admitted: looked at before each call.
 * @module
 */
import { createHash } from "node:crypto";
import type { AdmittedModule } from "./discovery_types.ts";

/**
 * What became of an admitted module: `fresh` every byte is as admitted; `changed` a file has other bytes or
 * is something else now; `missing` a file is gone; `lost` only checked copies are gone or changed.
 */
export type Freshness = "fresh" | "changed" | "missing" | "lost";

/**
 * A file that was written this short before it was hashed may be written again without any visible change
 * of its times: it is hashed again the next time.
 */
const SETTLED_MS = 2_000;

/** What a file was like when its bytes were hashed. */
interface Stamp {
  readonly hash: string;
  readonly size: number;
  readonly dev: number;
  readonly ino: number | null;
  readonly modified: number | undefined;
  readonly changed: number | undefined;
}

/** The folder of a module when its path led to the module's file, and to nothing else. */
interface Folder {
  readonly path: string;
  readonly real: string;
  readonly dev: number;
  readonly ino: number;
}

const stamps = new Map<string, Stamp>();
const folders = new WeakMap<AdmittedModule, Folder>();

/**
 * Looks whether an admitted module and its checked copy are unchanged. A file whose size, times and inode
 * are those of the last look is not read again.
 *
 * @param module The admitted module.
 * @returns What became of it. Never throws.
 */
export function isFresh(module: AdmittedModule): Freshness {
  const entry = module.files[0];
  if (entry === undefined) return "changed";
  try {
    // The module's own path may have become a link to somewhere else.
    if (!leadsTo(module, entry.path)) return "changed";
    for (const { path, hash } of module.files) if (!holds(path, hash)) return "changed";
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? "missing" : "changed";
  }
  return hasCopies(module) ? "fresh" : "lost";
}

/**
 * Looks whether the checked copies of a module are all there, as they were admitted.
 *
 * @param module The admitted module.
 * @returns False when one is gone or changed. Never throws.
 */
export function hasCopies(module: AdmittedModule): boolean {
  try {
    return module.files.every(({ stored, hash }) => holds(stored, hash));
  } catch {
    return false;
  }
}

// The real path is looked up again only when the folder is another one: that costs twice as much as a look at
// the folder (measured on Deno 2.9.6). Whether the file is a link shows where its stamp is taken.
function leadsTo(module: AdmittedModule, real: string): boolean {
  const known = folders.get(module);
  const path = known?.path ?? folderOf(module.path);
  const { isDirectory, dev, ino } = Deno.lstatSync(path);
  if (known?.real === real && isDirectory && known.dev === dev && known.ino === ino) return true;
  if (Deno.realPathSync(module.path) !== real) return false;
  if (isDirectory && ino !== null) folders.set(module, { path, real, dev, ino });
  return true;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"), 0)) || "/";
}

function holds(path: string, hash: string): boolean {
  const info = Deno.lstatSync(path);
  if (!info.isFile) return false;
  const known = stamps.get(path);
  if (known !== undefined && isSame(known, info)) return known.hash === hash;
  const now = createHash("sha256").update(Deno.readFileSync(path)).digest("hex");
  if (isSettled(info)) stamps.set(path, stampOf(info, now));
  else stamps.delete(path);
  return now === hash;
}

function isSame(stamp: Stamp, { size, dev, ino, mtime, ctime }: Deno.FileInfo): boolean {
  return stamp.size === size && stamp.dev === dev && stamp.ino === ino &&
    stamp.modified === mtime?.getTime() && stamp.changed === ctime?.getTime();
}

function stampOf({ size, dev, ino, mtime, ctime }: Deno.FileInfo, hash: string): Stamp {
  return { hash, size, dev, ino, modified: mtime?.getTime(), changed: ctime?.getTime() };
}

function isSettled(info: Deno.FileInfo): boolean {
  const changed = Math.max(info.mtime?.getTime() ?? Infinity, info.ctime?.getTime() ?? 0);
  return Date.now() - changed > SETTLED_MS;
}
