/**
 * Where a path of the arguments leads, links followed.
 *
 * A read or write grant follows links that stand inside the workspace (measured on Deno 2.9.6), so the
 * tools look at the real path themselves.
 * @module
 */
import { type ToolContext, ToolError } from "@cloister/cloister/tool";
import { basename, dirname, join, relative, sep } from "node:path";
import { nearNames } from "./_near_names.ts";

/** A path of the arguments, resolved. */
export interface Place {
  /** How to call it in messages: relative to the workspace, with forward slashes. */
  readonly name: string;
  /** The absolute path with every link followed, inside the real workspace. */
  readonly real: string;
  /** The workspace with every link followed. */
  readonly root: string;
  /** Whether the path itself is a link; `real` is then where it leads. */
  readonly link: boolean;
  /** What stands there, or nothing when the path does not exist. */
  readonly info: Deno.FileInfo | undefined;
}

/**
 * Resolves a path and makes sure that no link on the way leads out of the workspace.
 *
 * @param path The path as the model gave it.
 * @param context The call's context.
 * @returns The place; it need not exist.
 * @throws {ToolError} If the path leaves the workspace, runs through a file, or ends at a broken link.
 */
export async function placeOf(path: string, context: ToolContext): Promise<Place> {
  context.signal.throwIfAborted();
  const absolute = context.resolve(path);
  // What the context resolves outside the workspace, the runtime opened on purpose: its folder, no further.
  const inside = isInside(absolute, context.workspace);
  const root = await Deno.realPath(inside ? context.workspace : dirname(absolute));
  const name = displayName(relative(context.workspace, absolute));
  const real = await realPathOf(absolute, name);
  if (!isInside(real, root)) {
    throw new ToolError(
      `Cannot use "${name}": a link on the way leads out of the workspace. Give a path that stays inside`,
    );
  }
  const link = (await Deno.lstat(absolute).catch(() => undefined))?.isSymlink ?? false;
  const info = await infoOf(real);
  // Near names would tell of results whose names nobody is to guess.
  if (!inside && !info?.isFile) {
    throw new ToolError(
      `There is no result "${
        basename(absolute)
      }", or it is gone: results are kept for a day, unless the ` +
        "cache folder is emptied. Make the call again if you need its result",
    );
  }
  return { name, real, root, link, info };
}

/**
 * Whether a path is a folder or something below it. Both must be absolute and real.
 *
 * @param path The path.
 * @param folder The folder.
 * @returns True when it is.
 */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * A path for messages and results: forward slashes, `.` for the workspace itself.
 *
 * @param path A path relative to the workspace.
 * @returns The same, readable.
 */
export function displayName(path: string): string {
  return path === "" ? "." : path.replaceAll(sep, "/");
}

/**
 * Makes sure that a place is a regular file.
 *
 * @param place The place.
 * @returns What the file system says of it.
 * @throws {ToolError} If nothing is there (with near names), or a directory, FIFO, socket or device.
 */
export async function regularFile(place: Place): Promise<Deno.FileInfo> {
  if (!place.info) throw await missing(place);
  const kind = kindOf(place.info);
  if (kind === "file") return place.info;
  if (kind === "directory") {
    throw new ToolError(
      `"${place.name}" is a directory, a file was expected. List it with search_files: ` +
        `{"target":"files","pattern":"*","path":${JSON.stringify(place.name)}}`,
    );
  }
  throw new ToolError(`"${place.name}" is a ${kind}; only regular files can be used`);
}

/**
 * The error for a file that is not there, with the names that come near.
 *
 * @param place The place where nothing was found.
 * @returns The error, to be thrown.
 */
export async function missing(place: Place): Promise<ToolError> {
  let folder = dirname(place.real);
  let wanted = basename(place.real);
  while (isInside(folder, place.root) && folder !== place.root && !(await infoOf(folder))) {
    wanted = basename(folder);
    folder = dirname(folder);
  }
  const where = displayName(relative(place.root, folder));
  const near = (await nearNames(folder, wanted)).map((name) =>
    where === "." ? name : `${where}/${name}`
  );
  const hint = near.length > 0
    ? `Near names: ${near.map((name) => `"${name}"`).join(", ")}`
    : `Nothing in "${where}" has a name like "${wanted}"`;
  return new ToolError(`No such file: "${place.name}". ${hint}`, { details: { near } });
}

/**
 * Names the kind of a thing in the file system.
 *
 * @param info What the file system says.
 * @returns `file`, `directory`, or which special file it is.
 */
export function kindOf(info: Deno.FileInfo): string {
  if (info.isFile) return "file";
  if (info.isDirectory) return "directory";
  if (info.isFifo) return "named pipe (FIFO)";
  if (info.isSocket) return "socket";
  if (info.isCharDevice) return "character device";
  return info.isBlockDevice ? "block device" : "special file";
}

async function infoOf(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    throw error;
  }
}

async function realPathOf(absolute: string, name: string): Promise<string> {
  const rest: string[] = [];
  for (let path = absolute;; path = dirname(path)) {
    try {
      return join(await Deno.realPath(path), ...rest);
    } catch (error) {
      if (error instanceof Deno.errors.NotADirectory) {
        throw new ToolError(`Cannot use "${name}": a parent of it is a file`);
      }
      if (error instanceof Deno.errors.FilesystemLoop) {
        throw new ToolError(`Cannot use "${name}": its links lead in a circle`);
      }
      if (!(error instanceof Deno.errors.NotFound) || path === dirname(path)) throw error;
    }
    await refuseBrokenLink(path, name);
    rest.unshift(basename(path));
  }
}

async function refuseBrokenLink(path: string, name: string): Promise<void> {
  const link = await Deno.lstat(path).catch(() => undefined);
  if (!link?.isSymlink) return;
  throw new ToolError(
    `Cannot use "${name}": "${basename(path)}" is a link to something that does not exist`,
  );
}
