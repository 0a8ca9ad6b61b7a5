/**
 * Which files of a root may hold tools.
 * @module
 */
import { joinPath } from "./paths.ts";

const MODULE = /\.(?:ts|mts|js|mjs)$/;
const DECLARATION = /\.d\.[cm]?ts$/;
const RESERVED = /^(?:mod|registry|mcp_tool)\.[^.]+$/;
const TEST = /_test\.[^.]+$/;

/**
 * Lists the files of a root that may hold tools: modules directly in it, and `<name>/tool.ts`.
 *
 * @param dir The root's absolute path.
 * @returns Paths below the root, sorted by code units.
 * @throws {Deno.errors.NotFound} If there is no such folder; other errors of reading a folder likewise.
 */
export function listCandidates(dir: string): string[] {
  const candidates: string[] = [];
  for (const entry of Deno.readDirSync(dir)) {
    if (entry.name.startsWith("_") || entry.name.startsWith(".")) continue;
    const relative = candidateOf(dir, entry);
    if (relative !== undefined) candidates.push(relative);
  }
  return candidates.toSorted();
}

/**
 * Tells whether a file's name is one that discovery looks at.
 *
 * @param name The file's name, without folders.
 * @returns Whether it may hold tools.
 */
export function isCandidateName(name: string): boolean {
  return MODULE.test(name) && !DECLARATION.test(name) && !RESERVED.test(name) && !TEST.test(name) &&
    !name.startsWith("_") && !name.startsWith(".");
}

/**
 * A tool module's name: the file without its ending, or the folder of a `tool.ts`.
 *
 * @param relative The path below the root.
 * @returns The name.
 */
export function moduleName(relative: string): string {
  const folder = relative.split("/").at(-2);
  return folder ?? relative.replace(MODULE, "");
}

function candidateOf(dir: string, entry: Deno.DirEntry): string | undefined {
  if (isFolder(dir, entry)) return folderCandidate(dir, entry.name);
  // What is neither a file nor a folder (a pipe, a dead link) stays a candidate: it is refused by name.
  return isCandidateName(entry.name) ? entry.name : undefined;
}

function isFolder(dir: string, entry: Deno.DirEntry): boolean {
  if (!entry.isSymlink) return entry.isDirectory;
  try {
    return Deno.statSync(joinPath(dir, entry.name)).isDirectory;
  } catch {
    return false;
  }
}

function folderCandidate(dir: string, name: string): string | undefined {
  const relative = `${name}/tool.ts`;
  try {
    Deno.lstatSync(joinPath(dir, relative));
    return relative;
  } catch (error) {
    // A folder that cannot be looked into stays a candidate: it is refused by name, not skipped.
    return error instanceof Deno.errors.NotFound ? undefined : relative;
  }
}
