/**
 * The command that starts a cell: which flags, which grants, which environment.
 * @module
 */
import { fileURLToPath } from "node:url";
import { ANY_HOST, type ResolvedGrants } from "../core/permissions.ts";
import { type Containment, UNSHARE_ARGS } from "./containment.ts";
import { RESOLVER_ENV } from "../core/host_names.ts";

/** Longest argument: Linux takes 128 KiB, and a character may be three bytes. */
const MAX_ARGUMENT_CHARS = 40_000;

/** Read by `node:child_process` whenever it starts a program; no tool is granted it (measured on Deno 2.9.6). */
const IGNORED_ENV = "--ignore-env=NODE_V8_COVERAGE";

/** What one cell is started with. */
export interface CellSpec {
  /** The union of what its workers may be given. */
  readonly grants: ResolvedGrants;
  /** Addresses that no worker in it reaches, whatever is granted. */
  readonly denyNet: readonly string[];
  /**
   * Paths inside the write grants that no worker in it writes. A worker cannot state a hole of its own, so that each one
   * that writes inherits the cell's write grants: they must be exactly its own.
   */
  readonly denyWrite: readonly string[];
  /** Resident size in megabytes at which it is ended. */
  readonly memoryMb: number;
  /** Whether its tools start programs, which then must end with it. */
  readonly startsPrograms: boolean;
  /** The granted environment variables with their values. */
  readonly env: Readonly<Record<string, string>>;
}

/** What all cells of a runtime share. */
export interface CellSettings {
  /** The command that starts Deno: its name, or an absolute path. */
  readonly deno: string;
  /** The PATH for looking up programs, and the cells' own. */
  readonly path: string;
  /** Deno's cache folder, so that a cell finds cached packages without a HOME. */
  readonly denoDir?: string;
  /** The configuration file for cells, as it is after `prepare`: an import map and nothing else. */
  readonly configPath: string;
  /**
   * Called before each start: puts the configuration back if it is gone, gets the packages that tool files may
   * import ready, and gives the lock file that names them; without it, or when it gives none, cells run without
   * a lock file.
   */
  readonly prepare?: () => Promise<string | undefined>;
  /** Called after that: makes what belongs to the cell alone, in place of `denoDir` and `configPath`. */
  readonly open?: () => Promise<CellOrigin>;
  /** Whether cells whose tools may write nowhere are started with a limit on files, by `sh`. @default {false} */
  readonly limitsFiles?: boolean;
  /** What such a cell may write to disk without a grant, in megabytes. @default {64} */
  readonly temporaryMb?: number;
  /** Finds how programs are made to end with their cell. */
  readonly containment: () => Promise<Containment>;
  /** Finds whether hosts may be granted by name. */
  readonly namesSafe: () => Promise<boolean>;
  /** Called when a tool begins to work in a cell, with what ends when its process is gone. */
  readonly onWorker?: (spec: CellSpec, gone: Promise<void>) => void;
}

/** What belongs to one cell alone. */
export interface CellOrigin {
  /** Its configuration file, by whose name Deno finds what it keeps for its code. */
  readonly configPath: string;
  /** The folder in which Deno keeps that. */
  readonly denoDir: string;
  /** Removes it: the cell has ended. Never rejects. */
  close(): Promise<void>;
}

/** A command as `spawn` takes it. */
export interface CellCommandLine {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it leads a process group of its own. */
  readonly detached: boolean;
}

// SQLite writes temporary files into any folder, whatever a worker was granted, and so do `caches` into Deno's own
// (measured on Deno 2.9.6). A file is limited to 512 blocks of 512 bytes: what Deno keeps for itself is smaller.
const LIMITED = `trap '' XFSZ; ulimit -f 512; exec "$0" "$@"`;

/**
 * Whether nothing that runs in a cell may write to disk.
 *
 * @param spec What it is started with.
 * @returns False also when it starts programs or loads libraries.
 */
export function writesNothing({ grants: { write, run, ffi } }: CellSpec): boolean {
  return write.length + run.length + ffi.length === 0;
}

// The cell's main isolate starts workers on the runner, whose static imports are checked against the
// cell's grants; the workers themselves need none of these.
function runnerFolders(): string[] {
  const here = new URL(".", import.meta.url);
  if (here.protocol !== "file:") return [];
  return [fileURLToPath(here), fileURLToPath(new URL("../core/", here))];
}

// Deno splits the values of its permission flags at commas and knows no escape (measured on Deno 2.9.6):
// one in a path would grant two other paths.
function flag(name: string, values: readonly string[]): string[] {
  if (values.length === 0) return [];
  const bad = values.find((value) => value.includes(","));
  if (bad !== undefined) {
    throw new RangeError(`Cannot grant "${bad}" to a cell: it holds a comma, which ends a grant`);
  }
  return [`--${name}=${values.join(",")}`];
}

function netFlags(spec: CellSpec): string[] {
  const { net } = spec.grants;
  if (net.length === 0) return [];
  const allow = net.includes(ANY_HOST) ? ["--allow-net"] : flag("allow-net", net);
  return [...allow, ...flag("deny-net", spec.denyNet)];
}

function grantFlags(spec: CellSpec): string[] {
  const { read, write, env, run, sys, ffi } = spec.grants;
  return [
    ...flag("allow-read", [...read, ...runnerFolders()]),
    ...flag("allow-write", write),
    ...flag("deny-write", spec.denyWrite),
    ...netFlags(spec),
    ...flag("allow-env", env),
    ...flag("allow-run", run),
    ...(run.length === 0 ? [] : [IGNORED_ENV]),
    ...flag("allow-sys", sys),
    ...flag("allow-ffi", ffi),
  ];
}

/**
 * Builds the command line of a cell.
 *
 * @param spec What the cell is started with.
 * @param settings What all cells share.
 * @param containment How its programs are made to end with it; `none` for a cell that starts none.
 * @param lock The lock file for packages.
 * @returns The command line.
 */
export function buildCellCommand(
  spec: CellSpec,
  settings: CellSettings,
  containment: Containment,
  lock?: string,
): CellCommandLine {
  const args = [
    "run",
    "--no-prompt",
    "--cached-only",
    ...(lock === undefined ? ["--no-lock"] : [`--lock=${lock}`, "--frozen"]),
    "--deny-import",
    "--no-code-cache",
    "--unstable-worker-options",
    "--config",
    settings.configPath,
    `--v8-flags=--max-old-space-size=${spec.memoryMb}`,
    ...grantFlags(spec),
    new URL("./cell_main.ts", import.meta.url).href,
  ];
  const long = args.find((argument) => argument.length > MAX_ARGUMENT_CHARS);
  if (long !== undefined) {
    throw new RangeError(
      `Cannot start a cell: its grants "${
        long.slice(0, 60)
      }…" are ${long.length} characters long, ` +
        `${MAX_ARGUMENT_CHARS} at most. Grant a folder instead of its files`,
    );
  }
  const env: Record<string, string> = {
    ...spec.env,
    ...RESOLVER_ENV,
    PATH: settings.path,
    NO_COLOR: "1",
  };
  if (settings.denoDir) env.DENO_DIR = settings.denoDir;
  if (containment === "namespace") {
    return {
      command: "unshare",
      args: [...UNSHARE_ARGS, settings.deno, ...args],
      env,
      detached: false,
    };
  }
  if (settings.limitsFiles && writesNothing(spec)) {
    return { command: "sh", args: ["-c", LIMITED, settings.deno, ...args], env, detached: false };
  }
  return { command: settings.deno, args, env, detached: containment === "group" };
}
