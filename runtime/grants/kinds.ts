/**
 * How each kind of permission is read, compared and written.
 * @module
 */
import type { Permissions } from "../../core/permissions.ts";
import type { GrantContext } from "./grant_types.ts";
import {
  formatNetEntry,
  intersectNet,
  type NetEntry,
  parseCeilingNetEntry,
  parseNetEntry,
} from "./net_entry.ts";
import { contains, expandPath } from "./paths.ts";
import { findProgram } from "./programs.ts";
import { isReservedVariable } from "./reserved_variables.ts";

/** The kinds of permission that a tool can get. */
export type GrantKey = Exclude<keyof Permissions, "import">;

/** Entries of one kind. A text that cannot be read gives a sentence instead of an entry. */
export interface Kind<T> {
  /** Reads an entry of a declaration. */
  parse(text: string, context: GrantContext): T | Unreadable;
  /** Reads an entry of a ceiling. */
  parseCeiling(text: string, context: GrantContext): T | Unreadable;
  /** What an entry has in common with an entry of a ceiling. */
  intersect(entry: T, ceiling: T): T | undefined;
  /** The entry as Deno takes it. */
  format(entry: T): readonly string[];
}

/** Why an entry cannot be read. */
export class Unreadable {
  /** The reason, a sentence. */
  readonly reason: string;

  /**
   * Keeps the reason.
   *
   * @param reason Why.
   */
  constructor(reason: string) {
    this.reason = reason;
  }
}

/** A program with the places where it is. */
export interface Program {
  /** As it was declared. */
  readonly name: string;
  /** Where it is; empty when it is not installed. */
  readonly paths: readonly string[];
}

const SYS_KINDS: ReadonlySet<string> = new Set([
  "hostname",
  "osRelease",
  "osUptime",
  "loadavg",
  "networkInterfaces",
  "systemMemoryInfo",
  "uid",
  "gid",
  "username",
  "cpus",
  "homedir",
  "statfs",
  "getPriority",
  "setPriority",
  "userInfo",
]);

function readPath(text: string, context: GrantContext): string | Unreadable {
  const expanded = expandPath(text, context);
  return typeof expanded === "string" ? new Unreadable(expanded) : expanded.path;
}

/** Files and folders, also native libraries: absolute real paths. */
export const PATH_KIND: Kind<string> = {
  parse: readPath,
  parseCeiling: readPath,
  intersect(entry: string, ceiling: string): string | undefined {
    if (contains(ceiling, entry)) return entry;
    return contains(entry, ceiling) ? ceiling : undefined;
  },
  format: (entry: string): readonly string[] => [entry],
};

/** Addresses. */
export const NET_KIND: Kind<NetEntry> = {
  parse: (text: string): NetEntry | Unreadable =>
    parseNetEntry(text) ?? new Unreadable(`"${text}" is not of the form host[:port]`),
  parseCeiling: (text: string): NetEntry | Unreadable =>
    parseCeilingNetEntry(text) ??
      new Unreadable(`"${text}" is not of the form host[:port] or a range`),
  intersect: intersectNet,
  format: (entry: NetEntry): readonly string[] => [formatNetEntry(entry)],
};

function nameKind(pattern: (text: string) => boolean, expected: string): Kind<string> {
  const parse = (text: string): string | Unreadable =>
    pattern(text) ? text : new Unreadable(`"${text}" is not ${expected}`);
  return {
    parse,
    parseCeiling: parse,
    intersect: (entry: string, ceiling: string): string | undefined =>
      entry === ceiling ? entry : undefined,
    format: (entry: string): readonly string[] => [entry],
  };
}

const VARIABLE_KIND: Kind<string> = nameKind(
  (text) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text),
  "the name of one environment variable",
);

/** Environment variables. */
export const ENV_KIND: Kind<string> = {
  ...VARIABLE_KIND,
  parse: (text: string, context: GrantContext): string | Unreadable =>
    isReservedVariable(text) && !context.harmlessVariables?.includes(text)
      ? new Unreadable(
        `"${text}" steers the process itself (its loader, its names, Deno or Cloister) and is never granted`,
      )
      : VARIABLE_KIND.parse(text, context),
};

/** System information. */
export const SYS_KIND: Kind<string> = nameKind(
  (text) => SYS_KINDS.has(text),
  `a kind of system information (${[...SYS_KINDS].join(", ")})`,
);

function readProgram(text: string, context: GrantContext): Program | Unreadable {
  if (text === "" || text === "*") {
    return new Unreadable("the right to start any program at all is not given; name the programs");
  }
  if (/[\0,*]/.test(text)) {
    return new Unreadable(`the program "${text}" holds a NUL, a comma or a star`);
  }
  if (/[/\\]/.test(text) && !/^(?:\/|[A-Za-z]:[/\\])/.test(text)) {
    return new Unreadable(`the program "${text}" is neither a name nor an absolute path`);
  }
  return { name: text, paths: findProgram(text, context.path) };
}

/** Programs. */
export const RUN_KIND: Kind<Program> = {
  parse: readProgram,
  parseCeiling: readProgram,
  intersect: (entry: Program, ceiling: Program): Program | undefined =>
    entry.name === ceiling.name || entry.paths.some((path) => ceiling.paths.includes(path))
      ? entry
      : undefined,
  format: (entry: Program): readonly string[] => entry.paths,
};
