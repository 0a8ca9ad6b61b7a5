/**
 * Whether an admitted module is still what was admitted: looked at before each call.
 * @module
 */
import { createHash } from "node:crypto";
import type { AdmittedFile, AdmittedModule } from "./discovery_types.ts";

/**
 * What became of an admitted module: `fresh` every byte is as admitted; `changed` a file has other bytes or
 * is something else now; `missing` a file is gone.
 */
export type Freshness = "fresh" | "changed" | "missing";

/**
 * A file that was written this short before it was hashed may be written again without any visible change
 * of its times: it is hashed again the next time.
 */
const SETTLED_MS = 2_000;

/** Stamps of files whose bytes were hashed, by path. */
const remembered = new Map<string, { readonly hash: string; readonly stamp: string }>();

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
    if (Deno.realPathSync(module.path) !== entry.path) return "changed";
    return module.files.every(isUnchanged) ? "fresh" : "changed";
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? "missing" : "changed";
  }
}

function isUnchanged(file: AdmittedFile): boolean {
  return holds(file.path, file.hash) && holds(file.stored, file.hash);
}

function holds(path: string, hash: string): boolean {
  const info = Deno.lstatSync(path);
  if (!info.isFile) return false;
  const stamp = stampOf(info);
  const known = remembered.get(path);
  if (known !== undefined && known.stamp === stamp) return known.hash === hash;
  const now = createHash("sha256").update(Deno.readFileSync(path)).digest("hex");
  if (isSettled(info)) remembered.set(path, { hash: now, stamp });
  else remembered.delete(path);
  return now === hash;
}

function stampOf(info: Deno.FileInfo): string {
  const { size, dev, ino, mtime, ctime } = info;
  return [size, dev, ino, mtime?.getTime(), ctime?.getTime()].join(":");
}

function isSettled(info: Deno.FileInfo): boolean {
  const changed = Math.max(info.mtime?.getTime() ?? Infinity, info.ctime?.getTime() ?? 0);
  const age = Date.now() - changed;
  return age > SETTLED_MS;
}
