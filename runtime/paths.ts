/**
 * Paths of this operating system, as `node:path` has them. Loading that module costs a process 10 ms (measured on
 * Deno 2.9.6), so that on Unix, where the rules are short, they are here; on Windows it is loaded with the first
 * path.
 * @module
 */
import type { PlatformPath } from "node:path";

const WINDOWS = Deno.build.os === "windows";

/** Stands between the parts of a path. */
export const sep: string = WINDOWS ? "\\" : "/";

/** Stands between the folders of `PATH`. */
export const delimiter: string = WINDOWS ? ";" : ":";

/**
 * Whether a path names the same thing from every folder.
 *
 * @param path The path.
 * @returns True when it is absolute.
 */
export function isAbsolute(path: string): boolean {
  return WINDOWS ? windowsPaths().isAbsolute(path) : path.startsWith("/");
}

/**
 * Joins parts and takes `.`, `..` and repeated separators out.
 *
 * @param parts The parts.
 * @returns The path; `.` for nothing.
 */
export function join(...parts: string[]): string {
  return WINDOWS ? windowsPaths().join(...parts) : joinPosix(...parts);
}

/**
 * Joins parts by the rules of Unix, on every system.
 *
 * @param parts The parts.
 * @returns The path; `.` for nothing.
 */
export function joinPosix(...parts: string[]): string {
  const path = parts.filter((part) => part !== "").join("/");
  const end = path.endsWith("/") ? "/" : "";
  const plain = normalise(path);
  return plain === "/" ? plain : (plain || ".") + end;
}

/**
 * Makes a path absolute: the last absolute part counts, and what follows it.
 *
 * @param parts The parts; relative ones start in the current folder.
 * @returns The absolute path, without a separator at its end.
 */
export function resolve(...parts: string[]): string {
  if (WINDOWS) return windowsPaths().resolve(...parts);
  const start = parts.findLastIndex((part) => part.startsWith("/"));
  const counting = start === -1 ? [Deno.cwd(), ...parts] : parts.slice(start);
  return normalise(counting.join("/"));
}

/**
 * The folder that a path lies in.
 *
 * @param path The path.
 * @returns Everything before its last part; `.` when there is nothing.
 */
export function dirname(path: string): string {
  if (WINDOWS) return windowsPaths().dirname(path);
  const trimmed = trimEnd(path);
  const slash = trimmed.lastIndexOf("/");
  if (slash === -1) return path.startsWith("/") ? "/" : ".";
  if (slash === 0) return "/";
  // POSIX leaves it to each system what two slashes at the start mean.
  return slash === 1 && path.startsWith("//") ? "//" : trimmed.slice(0, slash);
}

/**
 * The last part of a path.
 *
 * @param path The path.
 * @returns The part, without separators.
 */
export function basename(path: string): string {
  if (WINDOWS) return windowsPaths().basename(path);
  const trimmed = trimEnd(path);
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

/**
 * The way from one folder to a path.
 *
 * @param from The folder.
 * @param to The path.
 * @returns The relative path; empty when both are the same.
 */
export function relative(from: string, to: string): string {
  if (WINDOWS) return windowsPaths().relative(from, to);
  const [here, there] = [partsOf(resolve(from)), partsOf(resolve(to))];
  const fork = here.findIndex((part, index) => part !== there[index]);
  const shared = fork === -1 ? here.length : fork;
  return [...here.slice(shared).map(() => ".."), ...there.slice(shared)].join("/");
}

/**
 * The path behind a `file:` URL.
 *
 * @param url The URL.
 * @returns The path.
 * @throws {TypeError} If it is no URL of a local file.
 */
export function fromFileUrl(url: URL): string {
  // deno-lint-ignore no-process-global -- an import would load it on every system
  if (WINDOWS) return process.getBuiltinModule("node:url").fileURLToPath(url);
  const isLocal = url.protocol === "file:" && url.host === "" && !/%2f/i.test(url.pathname);
  if (!isLocal) throw new TypeError(`Cannot make a path of "${url}": expected a local file: URL`);
  return decodeURIComponent(url.pathname);
}

/**
 * The rules of Windows, on every system.
 *
 * @returns `win32` of `node:path`, which is loaded now.
 */
export function windowsPaths(): PlatformPath {
  // deno-lint-ignore no-process-global -- an import would load it on every system
  return process.getBuiltinModule("node:path").win32;
}

function partsOf(absolute: string): string[] {
  return absolute === "/" ? [] : absolute.slice(1).split("/");
}

function trimEnd(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}

// Without a slash at the end; empty for the current folder.
function normalise(path: string): string {
  const isRooted = path.startsWith("/");
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!isRooted) kept.push(part);
  }
  return (isRooted ? "/" : "") + kept.join("/");
}
