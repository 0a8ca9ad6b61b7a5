/**
 * The smallest flags with which a program can run the enabled tools.
 * @module
 */

/** What the flags depend on. */
export interface FlagInput {
  /** Folders that are read: roots, workspace, the package itself. */
  readonly read: readonly string[];
  /** Folders that are written. */
  readonly write: readonly string[];
  /** Environment variables that tools were granted or require. */
  readonly env: readonly string[];
  /** Whether some tool starts programs. */
  readonly startsPrograms: boolean;
}

/** Variables that the runtime itself reads: to start cells, and to find the cache folders. */
const OWN_VARIABLES: readonly string[] = [
  "DENO_DIR",
  "HOME",
  "NODE_V8_COVERAGE",
  "PATH",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
];

/**
 * Works out the flags.
 *
 * @param input What they depend on.
 * @returns Flags for `deno run`.
 */
export function makePermissionFlags(input: FlagInput): readonly string[] {
  const list = (values: readonly string[]): string => [...new Set(values)].toSorted().join(",");
  const programs = input.startsPrograms ? ["deno", "sh", "unshare"] : ["deno"];
  return Object.freeze([
    `--allow-read=${list(input.read)}`,
    `--allow-write=${list(input.write)}`,
    `--allow-env=${list([...OWN_VARIABLES, ...input.env])}`,
    `--allow-run=${list(programs)}`,
  ]);
}
