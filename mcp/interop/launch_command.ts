/**
 * The command line with which a client starts `cloister mcp`.
 * @module
 */

/** What the command line depends on. */
export interface LaunchInput {
  /** The program that runs Deno: `deno`, or an absolute path. */
  readonly deno: string;
  /** The command line's own module: a path, or a specifier of JSR. */
  readonly main: string;
  /** The folder that tools work in; absolute, as are all other paths here. */
  readonly workspace: string;
  /** Folders with tool files. */
  readonly roots: readonly string[];
  /** The configuration file, where there is one. */
  readonly config?: string;
  /** Folders that are written beside the workspace: the cache folder and the one for temporary files. */
  readonly write: readonly string[];
  /** Hosts that are reached beside loopback: those of remote MCP servers. */
  readonly hosts: readonly string[];
  /** Programs that are started beside Deno: those of MCP servers that are no packages. */
  readonly programs: readonly string[];
  /** Environment variables that tools and MCP servers need beside those of the command line itself. */
  readonly variables: readonly string[];
}

/** A command line. */
export interface LaunchCommand {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
}

const LOOPBACK: readonly string[] = ["127.0.0.1", "[::1]", "localhost"];

/** Starts cells that are confined, and commands of the tools. */
const PROGRAMS: readonly string[] = ["unshare", "sh"];

/** What the command line itself reads. */
const VARIABLES: readonly string[] = [
  "HOME",
  "USERPROFILE",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "LOCALAPPDATA",
  "PATH",
  "DENO_DIR",
  "NODE_V8_COVERAGE",
  "LANG",
  "TERM",
  "DENO_CERT",
  "DENO_TLS_CA_STORE",
  "NO_COLOR",
  "CLOISTER_CACHE",
];

/**
 * Makes the command line. A client starts it in a folder of its own choice, so every path in it is absolute, and
 * what is usually found in the current folder is named.
 *
 * @param input What it depends on.
 * @returns The program and its arguments.
 * @throws {RangeError} If a path has a comma, which Deno's flags cannot carry.
 */
export function launchCommand(input: LaunchInput): LaunchCommand {
  const { deno, main, workspace, roots, config } = input;
  return {
    command: deno,
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--allow-read",
      flag("allow-write", [workspace, ...input.write]),
      flag("allow-run", [deno, ...PROGRAMS, ...input.programs]),
      "--allow-sys=systemMemoryInfo",
      flag("allow-net", [...LOOPBACK, ...input.hosts]),
      flag("allow-env", [...VARIABLES, ...input.variables]),
      main,
      "mcp",
      "--workspace",
      workspace,
      ...roots.flatMap((root) => ["--root", root]),
      ...(config === undefined ? [] : ["--config", config]),
    ],
  };
}

function flag(name: string, values: readonly string[]): string {
  const broken = values.find((value) => value.includes(","));
  if (broken !== undefined) {
    throw new RangeError(
      `Cannot write --${name} for ${
        JSON.stringify(broken)
      }: a flag of Deno cannot carry a comma; ` +
        "move or link the folder to a path without one",
    );
  }
  return `--${name}=${[...new Set(values)].join(",")}`;
}
