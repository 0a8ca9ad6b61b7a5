/**
 * The files of the store: how they are written, and what may stand for one.
 * @module
 */
import { joinPath, parentOf } from "./paths.ts";

/** A checked file on its way into the store. */
export interface StoreFile {
  /** The path below the root. */
  readonly relative: string;
  /** The original's absolute real path. */
  readonly real: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
  /** Its bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Opens the store of a cache folder; makes it when it is missing.
 *
 * @param cacheDir The cache folder.
 * @returns The store's absolute real path.
 * @throws {Error} If it cannot be made, or is no folder.
 */
export function openPrivate(cacheDir: string): string {
  const dir = joinPath(cacheDir, "store");
  Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const info = Deno.lstatSync(dir);
  if (!info.isDirectory) throw new TypeError(`Cannot use "${dir}" as store: it is not a folder`);
  // Others must not be able to put their bytes where ours are trusted.
  if (((info.mode ?? 0o700) & 0o077) !== 0) Deno.chmodSync(dir, 0o700);
  return Deno.realPathSync(dir);
}

/**
 * Writes a closure into a folder of its own, if there is none yet. A folder that was left half written is
 * no danger: only what was hashed is trusted, and what is missing is put there then.
 *
 * @param target The folder.
 * @param files The files.
 * @returns Whether this call has written every file of it.
 * @throws {Error} If the folder cannot be written.
 */
export function writeFolder(target: string, files: readonly StoreFile[]): boolean {
  try {
    Deno.mkdirSync(target, { mode: 0o700 });
    for (const file of files) writeFile(target, file);
    return true;
  } catch (error) {
    // Another process was faster, or is at it; what is there is verified like any other copy.
    if (error instanceof Deno.errors.AlreadyExists && isRealFolder(target)) return false;
    throw error;
  }
}

function writeFile(folder: string, file: StoreFile): void {
  const path = joinPath(folder, file.relative);
  const parent = parentOf(file.relative);
  if (parent !== "") Deno.mkdirSync(joinPath(folder, parent), { recursive: true, mode: 0o700 });
  Deno.writeFileSync(path, file.bytes, { createNew: true, mode: 0o400 });
}

/**
 * Puts a file into a closure's folder, in one step, whatever is there in its place.
 *
 * @param target The closure's folder.
 * @param file The file.
 * @throws {Error} If the folder cannot be written.
 */
export function replaceFile(target: string, file: StoreFile): void {
  const path = joinPath(target, file.relative);
  makeFolders(target, parentOf(file.relative));
  const draft = Deno.makeTempFileSync({ dir: target, prefix: "draft-" });
  try {
    Deno.writeFileSync(draft, file.bytes);
    Deno.chmodSync(draft, 0o400);
    if (isRealFolder(path)) Deno.removeSync(path, { recursive: true });
    Deno.renameSync(draft, path);
  } catch (error) {
    removeQuietly(draft);
    throw error;
  }
}

/** Makes the folders on the way to a file, and puts real ones where links or files stand. */
function makeFolders(target: string, parent: string): void {
  let path = target;
  for (const part of parent.split("/").filter((name) => name !== "")) {
    path = joinPath(path, part);
    if (isRealFolder(path)) continue;
    removeQuietly(path);
    Deno.mkdirSync(path, { mode: 0o700 });
  }
}

/**
 * Reads a stored copy.
 *
 * @param stored The copy's path, without links when it is what it should be.
 * @returns Its bytes, or `undefined` when there is no regular file at this very path.
 */
export function readCopy(stored: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    if (!isRegular(stored) || Deno.realPathSync(stored) !== stored) return undefined;
    return Deno.readFileSync(stored);
  } catch {
    return undefined;
  }
}

/**
 * Tells whether a regular file is at a path, and not only a link to one.
 *
 * @param path The path.
 * @returns Whether it is one.
 */
export function isRegular(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch {
    return false;
  }
}

/**
 * Tells whether a folder is at a path, and not only a link to one.
 *
 * @param path The path.
 * @returns Whether it is one.
 */
export function isRealFolder(path: string): boolean {
  try {
    return Deno.lstatSync(path).isDirectory;
  } catch {
    return false;
  }
}

/**
 * Removes a file or a folder with what is in it, if that can be done.
 *
 * @param path The path.
 */
export function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch {
    // Nothing there, or nothing that can be done about it.
  }
}
