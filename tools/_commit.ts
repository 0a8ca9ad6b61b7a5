/**
 * Puts new contents in place: all files of a call or none, and never half a file.
 * @module
 */
import { type ToolContext, ToolError } from "@cloister/cloister/tool";
import { dirname, join, relative } from "node:path";
import { displayName } from "./_workspace.ts";

/** What is to become of one file. */
export interface Change {
  /** What to call the file in messages. */
  readonly name: string;
  /** The file, an absolute real path. */
  readonly real: string;
  /** The new bytes, or `null` when the file is to go. */
  readonly after: Uint8Array | null;
  /** The bytes to go back to when a later change fails; left out when there is no later one. */
  readonly before?: Uint8Array;
  /** The file whose mode and owner the new one takes over. */
  readonly like?: Deno.FileInfo;
}

interface Staged extends Change {
  readonly temporary: string | undefined;
}

/**
 * Makes all changes, or none: everything is written beside its target first, then moved in place; when a
 * move fails, the ones before it are undone.
 *
 * @param changes The changes.
 * @param root The workspace, a real path.
 * @param context The call's context.
 * @throws {ToolError} If a change cannot be made; it names the file and says what was undone.
 */
export async function commit(
  changes: readonly Change[],
  root: string,
  context: ToolContext,
): Promise<void> {
  const folders: string[] = [];
  const staged: Staged[] = [];
  let done = 0;
  let at = changes[0];
  try {
    for (at of changes) staged.push(await stage(at, root, folders));
    context.signal.throwIfAborted();
    for (const change of staged) {
      at = change;
      await place(change);
      done++;
    }
  } catch (error) {
    const undone = await undo(staged.slice(0, done));
    await discard(staged.slice(done), folders);
    if (context.signal.aborted) throw error;
    throw undone && error instanceof Deno.errors.NotCapable && at
      ? deniedAt(at.real, error)
      : commitError(at?.name ?? "", error, undone);
  }
}

/**
 * Refuses to change a file whose mode says that its owner does not want it written.
 *
 * @param name What to call the file.
 * @param info What the file system says of it.
 * @throws {ToolError} If the owner's write bit is not set.
 */
export function refuseReadOnly(name: string, info: Deno.FileInfo | undefined): void {
  if (!info || info.mode === null || (info.mode & 0o200) !== 0) return;
  const mode = (info.mode & 0o777).toString(8);
  throw new ToolError(`Cannot write "${name}": it is read-only (mode ${mode})`);
}

async function stage(change: Change, root: string, folders: string[]): Promise<Staged> {
  if (change.after === null) return { ...change, temporary: undefined };
  const folder = dirname(change.real);
  await makeFolders(folder, root, folders);
  // A folder may have been swapped for a link since its path was resolved.
  if (await Deno.realPath(folder) !== folder) {
    throw new ToolError(`The folder of "${change.name}" changed while the call ran`);
  }
  const temporary = join(folder, `.cloister-${crypto.randomUUID()}.tmp`);
  try {
    await writeNew(temporary, change.after);
    await takeOver(temporary, change.like);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
  return { ...change, temporary };
}

async function makeFolders(folder: string, root: string, made: string[]): Promise<void> {
  const missing: string[] = [];
  for (let path = folder; path !== root && !(await exists(path)); path = dirname(path)) {
    missing.unshift(path);
  }
  for (const path of missing) {
    await Deno.mkdir(path);
    made.push(path);
  }
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true });
  for (let written = 0; written < bytes.length;) {
    written += await file.write(bytes.subarray(written));
  }
  await file.sync();
}

async function takeOver(path: string, like: Deno.FileInfo | undefined): Promise<void> {
  if (!like || like.mode === null) return;
  const own = await Deno.stat(path);
  if (own.uid !== like.uid || own.gid !== like.gid) {
    // Only root may give files away; the contents matter more than the owner.
    await Deno.chown(path, like.uid, like.gid).catch(() => {});
  }
  await Deno.chmod(path, like.mode & 0o7777);
}

async function place({ temporary, real }: Staged): Promise<void> {
  if (temporary) await Deno.rename(temporary, real);
  else await Deno.remove(real);
}

async function undo(done: readonly Staged[]): Promise<boolean> {
  let complete = true;
  for (const { real, before, like } of done.toReversed()) {
    try {
      if (before === undefined) await Deno.remove(real);
      else await restore(real, before, like);
    } catch {
      complete = false;
    }
  }
  return complete;
}

async function restore(real: string, bytes: Uint8Array, like?: Deno.FileInfo): Promise<void> {
  const temporary = join(dirname(real), `.cloister-${crypto.randomUUID()}.tmp`);
  await writeNew(temporary, bytes);
  await takeOver(temporary, like);
  await Deno.rename(temporary, real);
}

async function discard(staged: readonly Staged[], folders: readonly string[]): Promise<void> {
  for (const { temporary } of staged) {
    if (temporary) await Deno.remove(temporary).catch(() => {});
  }
  for (const folder of folders.toReversed()) await Deno.remove(folder).catch(() => {});
}

// What was refused may be the file beside it; the runtime says why the path itself is closed.
function deniedAt(real: string, cause: Error): Error {
  return new Deno.errors.NotCapable(`Requires write access to "${real}"`, { cause });
}

function commitError(name: string, error: unknown, undone: boolean): ToolError {
  const reason = error instanceof Error ? error.message : String(error);
  const state = undone
    ? "Nothing was changed"
    : "Some earlier files of the call could not be put back: check them";
  return new ToolError(`Cannot write "${name}": ${reason}. ${state}`, {
    cause: error,
    details: { undone },
  });
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * The real path of a changed file for a result, relative to the workspace.
 *
 * @param real The file.
 * @param root The workspace.
 * @returns The relative path.
 */
export function relativeName(real: string, root: string): string {
  return displayName(relative(root, real));
}
