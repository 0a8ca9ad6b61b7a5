/**
 * Paths of grants: variables, real paths and containment.
 * @module
 */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "../paths.ts";
import type { GrantContext } from "./grant_types.ts";

/** Folders whose files are not files: reading or writing there reaches the system itself. */
const SYSTEM_ROOTS: readonly string[] = ["/proc", "/sys", "/dev"];

/**
 * Whether a path is a folder or lies in it. Both must be absolute and normalised.
 *
 * @param root The folder.
 * @param path The path.
 * @returns True when the path is inside, or the same.
 */
export function contains(root: string, path: string): boolean {
  if (Deno.build.os !== "windows") {
    return path === root || path.startsWith(root === "/" ? root : `${root}/`);
  }
  const rest = relative(root, path);
  return rest === "" || (rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/**
 * The system folder that a path lies in or holds.
 *
 * @param path An absolute real path.
 * @returns `/proc`, `/sys` or `/dev`, or `undefined`.
 */
export function systemRootOf(path: string): string | undefined {
  return SYSTEM_ROOTS.find((root) => contains(root, path) || contains(path, root));
}

/**
 * The real path of what may not exist yet: the nearest parent that exists is resolved.
 *
 * @param path An absolute path.
 * @returns Its real path.
 * @throws {Error} If a parent cannot be looked at, or a link leads nowhere or in a circle.
 */
export function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    // Deno looks into system folders with all permissions only (measured on Deno 2.9.6). Such a path keeps its
    // name, which asks for the operator's word by itself.
    if (error instanceof Deno.errors.NotCapable && isInSystem(path)) return path;
    if (!(error instanceof Deno.errors.NotFound) || dirname(path) === path) throw error;
    if (isLink(path)) throw new Error(`"${path}" is a link that leads nowhere`);
    return join(realPath(dirname(path)), basename(path));
  }
}

function isInSystem(path: string): boolean {
  return SYSTEM_ROOTS.some((root) => contains(root, path));
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}

/** A path in a declaration or a ceiling, made absolute. */
export interface ExpandedPath {
  /** The absolute real path. */
  readonly path: string;
  /** The real path of the variable that it started with. */
  readonly root?: string;
}

/**
 * Replaces the variable at the start of a path and resolves links.
 *
 * @param text A path that is absolute or starts with a variable.
 * @param context Where the variables point.
 * @returns The real path, or a sentence that says what is wrong with the text.
 */
export function expandPath(text: string, context: GrantContext): ExpandedPath | string {
  if (/[\0,]/.test(text)) {
    return `the path "${text}" holds a NUL or a comma, which no grant can carry`;
  }
  const [first = "", ...rest] = text.split("/");
  const base = variables(context)[first];
  if (first.startsWith("$") && base === undefined) {
    return `"${first}" is not one of $WORKSPACE, $TOOL_DIR, $DATA, $TMP`;
  }
  if (base === undefined && !isAbsolute(text)) {
    return `the path "${text}" is neither absolute nor starts with a variable`;
  }
  try {
    return base === undefined
      ? { path: realPath(resolve(text)) }
      : below(base, rest.join("/"), text);
  } catch (error) {
    return `the path "${text}" cannot be resolved: ${(error as Error).message}`;
  }
}

function variables(context: GrantContext): { readonly [name: string]: string | undefined } {
  return {
    __proto__: null as never,
    $WORKSPACE: context.workspace,
    $TOOL_DIR: context.toolDir,
    $DATA: context.dataDir,
    $TMP: context.tmpDir,
  };
}

function below(base: string, rest: string, text: string): ExpandedPath | string {
  const root = realPath(resolve(base));
  const path = realPath(resolve(root, rest === "" ? "." : rest));
  if (path.includes(",")) return `the path "${path}" holds a comma, which no grant can carry`;
  if (contains(root, path)) return { path, root };
  return `"${text}" leads to "${path}", which is outside "${root}"`;
}
