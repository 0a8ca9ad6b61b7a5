/**
 * The one place that reads the environment.
 * @module
 */
import { resolve } from "../runtime/paths.ts";
import { defaultCacheDir, defaultUserDir } from "../runtime/cache_dir.ts";

/** What the command line takes from its surroundings. */
export interface Environment {
  /** The current folder. */
  readonly cwd: string;
  /** The folder for manifest, store, logs, tool data and spilled results, when one is known. */
  readonly cacheDir: string | undefined;
  /** The folder of the person's own settings, when one is known. */
  readonly userDir?: string | undefined;
  /** Whether colours are unwanted everywhere. */
  readonly noColor: boolean;
  /** The bearer token that the HTTP face asks for. */
  readonly token: string | undefined;
  /** Reads a variable for the runtime: the PATH, and what tools were granted. */
  readonly read: ReadVariable;
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
  return {
    cwd: Deno.cwd(),
    cacheDir: cacheFolder(read),
    userDir: defaultUserDir(
      variables(read, ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA"]),
      Deno.build.os,
    ),
    noColor: nonEmpty(read("NO_COLOR")) !== undefined,
    token: nonEmpty(read("CLOISTER_TOKEN")),
    read,
  };
}

function cacheFolder(read: ReadVariable): string | undefined {
  const own = nonEmpty(read("CLOISTER_CACHE"));
  if (own !== undefined) return resolve(own);
  const names = ["HOME", "USERPROFILE", "XDG_CACHE_HOME", "LOCALAPPDATA"];
  return defaultCacheDir(variables(read, names), Deno.build.os);
}

function variables(
  read: ReadVariable,
  names: readonly string[],
): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, nonEmpty(read(name))]));
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

/** A variable that was not granted counts as unset: asking for it would stop at a prompt. */
function readGranted(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}
