/**
 * Paths and file URLs without `node:path`, which costs a warm start 14 ms (measured on Deno 2.9.6).
 * Relative paths always have `/` between their parts.
 * @module
 */

/**
 * Joins a folder and a relative path.
 *
 * @param dir The folder.
 * @param relative A path below it.
 * @returns The joined path.
 */
export function joinPath(dir: string, relative: string): string {
  return `${trimSlash(dir)}/${relative}`;
}

/**
 * Takes the slashes off the end of a folder's path.
 *
 * @param dir The folder.
 * @returns Its path without slashes at the end; `""` for the root of the file system.
 */
export function trimSlash(dir: string): string {
  return dir.endsWith("/") || dir.endsWith("\\") ? dir.replace(/[/\\]+$/, "") : dir;
}

/**
 * The way from a folder to a path inside it.
 *
 * @param dir The folder, an absolute path without `.` and `..`.
 * @param path An absolute path without `.` and `..`.
 * @returns The relative path, or `undefined` when the path is not inside the folder.
 */
export function relativeInside(dir: string, path: string): string | undefined {
  const prefix = `${trimSlash(dir)}/`;
  if (Deno.build.os !== "windows") return plainInside(prefix, path);
  return plainInside(prefix.replaceAll("\\", "/"), path.replaceAll("\\", "/"));
}

function plainInside(prefix: string, path: string): string | undefined {
  return path.length > prefix.length && path.startsWith(prefix)
    ? path.slice(prefix.length)
    : undefined;
}

/**
 * The folder part of a relative path.
 *
 * @param relative A relative path.
 * @returns Everything before the last slash; `""` when there is none.
 */
export function parentOf(relative: string): string {
  return relative.slice(0, Math.max(0, relative.lastIndexOf("/")));
}

/** Paths that a URL shows as they are. */
const PLAIN = /^(?:\/\w[\w.-]*)+$/;

/**
 * A path as a `file:` URL.
 *
 * @param path An absolute path.
 * @returns The URL.
 */
export function pathToFileUrl(path: string): string {
  if (PLAIN.test(path)) return `file://${path}`;
  const escaped = path.replaceAll("%", "%25").replaceAll("\n", "%0A").replaceAll("\r", "%0D")
    .replaceAll("\t", "%09").replaceAll("?", "%3F").replaceAll("#", "%23");
  if (Deno.build.os === "windows") return new URL(`file:///${escaped.replaceAll("\\", "/")}`).href;
  return new URL(`file://${escaped.replaceAll("\\", "%5C")}`).href;
}

/**
 * The path behind a `file:` URL; query and fragment do not count.
 *
 * @param url The URL.
 * @returns The path, or `undefined` when the URL names no local file without doubt: another scheme, a
 * host, an encoded slash, a NUL or broken encoding.
 */
export function fileUrlToPath(url: URL): string | undefined {
  if (url.protocol !== "file:" || url.hostname !== "") return undefined;
  if (/%2f|%5c|%00/i.test(url.pathname) || url.pathname.includes("\0")) return undefined;
  try {
    const path = decodeURIComponent(url.pathname);
    return Deno.build.os === "windows" ? path.replace(/^\/(?=[A-Za-z]:)/, "") : path;
  } catch {
    return undefined;
  }
}
