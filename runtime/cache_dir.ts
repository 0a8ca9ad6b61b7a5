/**
 * Where the cache folder is when nobody says, and where the person's own settings are.
 * @module
 */
import { joinPosix, windowsPaths } from "./paths.ts";

/** The environment variables that decide; the caller reads them. */
export interface CacheDirEnvironment {
  /** The home folder on Unix. */
  readonly HOME?: string;
  /** The home folder on Windows. */
  readonly USERPROFILE?: string;
  /** The XDG cache folder. */
  readonly XDG_CACHE_HOME?: string;
  /** The local application data folder of Windows. */
  readonly LOCALAPPDATA?: string;
}

/**
 * The folder for manifest, store, logs, tool data and spilled results.
 *
 * @param env The variables.
 * @param os The operating system, as `Deno.build.os` names it.
 * @returns An absolute path, or `undefined` when the variables name no folder.
 */
export function defaultCacheDir(env: CacheDirEnvironment, os: string): string | undefined {
  if (os === "windows") return windowsCacheDir(env);
  const home = absolute(env.HOME);
  if (os === "darwin") return home && joinPosix(home, "Library", "Caches", "cloister");
  // The XDG specification says that a relative path is to be ignored.
  const base = absolute(env.XDG_CACHE_HOME) ?? (home && joinPosix(home, ".cache"));
  return base && joinPosix(base, "cloister");
}

/** The environment variables that decide where the person's own settings are; the caller reads them. */
export interface UserDirEnvironment extends Pick<CacheDirEnvironment, "HOME" | "USERPROFILE"> {
  /** The XDG configuration folder. */
  readonly XDG_CONFIG_HOME?: string;
  /** The roaming application data folder of Windows. */
  readonly APPDATA?: string;
}

/**
 * The folder for what belongs to the person and to no project: keys, and what was accepted.
 *
 * @param env The variables.
 * @param os The operating system, as `Deno.build.os` names it.
 * @returns An absolute path, or `undefined` when the variables name no folder.
 */
export function defaultUserDir(env: UserDirEnvironment, os: string): string | undefined {
  if (os === "windows") {
    const win32 = windowsPaths();
    const base = env.APPDATA ??
      (env.USERPROFILE && win32.join(env.USERPROFILE, "AppData", "Roaming"));
    return base && win32.isAbsolute(base) ? win32.join(base, "cloister") : undefined;
  }
  const home = absolute(env.HOME);
  const base = absolute(env.XDG_CONFIG_HOME) ?? (home && joinPosix(home, ".config"));
  return base && joinPosix(base, "cloister");
}

function absolute(path: string | undefined): string | undefined {
  return path?.startsWith("/") ? path : undefined;
}

function windowsCacheDir(env: CacheDirEnvironment): string | undefined {
  const win32 = windowsPaths();
  const base = env.LOCALAPPDATA ??
    (env.USERPROFILE && win32.join(env.USERPROFILE, "AppData", "Local"));
  return base && win32.isAbsolute(base) ? win32.join(base, "cloister", "cache") : undefined;
}
