/**
 * What a tool may touch: the declaration in its file and the resolved grants of a worker.
 * @module
 */

/** The variables a declared path may start with, written with a leading `$`. */
export type PathVariable = "$WORKSPACE" | "$TOOL_DIR" | "$DATA" | "$TMP";

/** A declared path: a variable with an optional rest, an absolute path, or an argument's value. */
export type PathGrant<K extends string = string> =
  | PathVariable
  | `${PathVariable}/${string}`
  | `/${string}`
  | `$ARG.${K}`;

/** The lower-case letters that a host can start with. */
export type HostLetter =
  | "a"
  | "b"
  | "c"
  | "d"
  | "e"
  | "f"
  | "g"
  | "h"
  | "i"
  | "j"
  | "k"
  | "l"
  | "m"
  | "n"
  | "o"
  | "p"
  | "q"
  | "r"
  | "s"
  | "t"
  | "u"
  | "v"
  | "w"
  | "x"
  | "y"
  | "z";
/** The digits that a host can start with. */
export type HostDigit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

/**
 * A declared address, `host[:port]` (IPv6 in brackets), or the address of the URL in an argument. A host
 * starts with a letter, a digit or `[`, which keeps a mistyped `$ARG` from passing as one.
 */
export type NetGrant<K extends string = string> =
  | `$ARG.${K}`
  | `${HostLetter | Uppercase<HostLetter> | HostDigit | "["}${string}`;

/**
 * The permissions that a tool declares. What is left out, `false` or `[]` is not granted at all; there is
 * no spelling for "everything". `K` holds the names of the tool's parameters, so that `$ARG.<name>` with
 * a name that the schema lacks does not compile.
 *
 * @example A tool that reads the workspace and fetches one host
 * ```ts
 * import type { Permissions } from "@cloister/cloister/tool";
 *
 * const permissions: Permissions = { read: ["$WORKSPACE"], net: ["api.example.com:443"] };
 * ```
 */
export interface Permissions<K extends string = string> {
  /** Files and folders that may be read. */
  readonly read?: false | readonly PathGrant<K>[];
  /** Files and folders that may be written. */
  readonly write?: false | readonly PathGrant<K>[];
  /** Hosts that may be reached, `host[:port]`. */
  readonly net?: false | readonly NetGrant<K>[];
  /** Environment variables that may be read, by name. */
  readonly env?: false | readonly string[];
  /** Programs that may be started, by name or absolute path. Such a program is not sandboxed. */
  readonly run?: false | readonly string[];
  /** System information that may be read: `hostname`, `osRelease`, `loadavg` and so on. */
  readonly sys?: false | readonly string[];
  /** Importing code from the network: always `false` in a discovered file. */
  readonly import?: false;
  /** Native libraries that may be loaded. Such a library is not sandboxed. */
  readonly ffi?: false | readonly PathGrant<K>[];
}

/** The keys that {@linkcode Permissions} knows; any other key is an error. */
export const PERMISSION_KEYS: readonly (keyof Permissions)[] = Object.freeze(
  ["read", "write", "net", "env", "run", "sys", "import", "ffi"] as const,
);

/** Stands for every host in the net grants of a cell; a worker never gets it. */
export const ANY_HOST = "*";

/**
 * Grants as Deno takes them: variables replaced, paths real and absolute, programs resolved. An empty list
 * grants nothing. Every key is present: nothing is ever inherited.
 */
export interface ResolvedGrants {
  /** Absolute real paths. */
  readonly read: readonly string[];
  /** Absolute real paths. */
  readonly write: readonly string[];
  /** `host[:port]`. */
  readonly net: readonly string[];
  /** Names of environment variables. */
  readonly env: readonly string[];
  /** Absolute real paths of programs. */
  readonly run: readonly string[];
  /** Kinds of system information. */
  readonly sys: readonly string[];
  /** Absolute real paths of native libraries. */
  readonly ffi: readonly string[];
}

/** No grant at all. */
export const NO_GRANTS: ResolvedGrants = Object.freeze({
  read: Object.freeze([]),
  write: Object.freeze([]),
  net: Object.freeze([]),
  env: Object.freeze([]),
  run: Object.freeze([]),
  sys: Object.freeze([]),
  ffi: Object.freeze([]),
});
