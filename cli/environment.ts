/**
 * The one place that reads the environment.
 * @module
 */
import { isAbsolute, join } from "node:path";

/** What the command line takes from its surroundings. */
export interface Environment {
  /** The current folder. */
  readonly cwd: string;
  /** The home folder, when it is known. */
  readonly home: string | undefined;
  /** The folder for manifest, store, logs, tool data and spilled results, when one is known. */
  readonly cacheDir: string | undefined;
  /** Whether colours are unwanted everywhere. */
  readonly noColor: boolean;
  /** The bearer token that the HTTP face asks for. */
  readonly token: string | undefined;
}

/** Reads an environment variable. */
export type ReadVariable = (name: string) => string | undefined;

/**
 * Reads the surroundings once.
 *
 * @param read Reads a variable. @default {the process's environment, where it was granted}
 * @returns What the commands need.
 */
export function readEnvironment(read: ReadVariable = readGranted): Environment {
  const home = nonEmpty(read("HOME")) ?? nonEmpty(read("USERPROFILE"));
  return {
    cwd: Deno.cwd(),
    home,
    cacheDir: cacheFolder(read, home),
    noColor: nonEmpty(read("NO_COLOR")) !== undefined,
    token: nonEmpty(read("CLOISTER_TOKEN")),
  };
}

function cacheFolder(read: ReadVariable, home: string | undefined): string | undefined {
  const own = nonEmpty(read("CLOISTER_CACHE"));
  if (own !== undefined) return own;
  const shared = nonEmpty(read("XDG_CACHE_HOME")) ?? nonEmpty(read("LOCALAPPDATA"));
  // The base directory specification tells readers to ignore a relative path.
  if (shared !== undefined && isAbsolute(shared)) return join(shared, "cloister");
  return home === undefined ? undefined : join(home, ".cache", "cloister");
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

/** A variable that was not granted counts as unset: asking for it would stop at a prompt. */
function readGranted(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}
