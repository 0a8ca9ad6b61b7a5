/**
 * Whether and how cells can be started on this machine.
 * @module
 */
import type { Clock } from "../registry/availability/clock.ts";
import type { CellSettings } from "../workers/cell_command.ts";
import type { Containment } from "../workers/containment.ts";
import { CellFiles, type CellFilesOptions, RETRY_MS } from "./cell_files.ts";
import type { HostEnvironment } from "./host_environment.ts";
import { join } from "./paths.ts";

/** What this process can start. */
export interface CellAbility {
  /** The command that starts Deno; absent when none may be started. */
  readonly deno?: string;
  /** Whether this runtime has workers at all. */
  readonly hasWorkers: boolean;
}

function mayRun(command: string): boolean {
  return Deno.permissions.querySync({ name: "run", command }).state === "granted";
}

/**
 * Looks at what this process can start, without starting anything.
 *
 * @returns What it can start.
 */
export function findCellAbility(): CellAbility {
  // Under npx the grant covers the name only, which then leads to this very Deno (measured on Deno 2.9.6).
  const executable = Deno.execPath();
  const deno = mayRun(executable) ? executable : mayRun("deno") ? "deno" : undefined;
  // Whether they take permissions cannot be tried: without `--unstable-worker-options` Deno ends the process,
  // and nothing can catch that (measured on Deno 2.9.6). The operator who names tools to run in this process
  // says so.
  return { deno, hasWorkers: typeof Worker === "function" };
}

/** What {@linkcode createCellSettings} needs. */
export interface CellSettingsOptions extends CellFilesOptions {
  /** Reads environment variables. */
  readonly environment: HostEnvironment;
  /** Called when a tool begins to work in a cell. */
  readonly onWorker?: CellSettings["onWorker"];
  /** What a cell may write to disk without a grant, in megabytes. @default {64} */
  readonly temporaryMb?: number;
}

/** What all cells of a runtime share, with the files that they are started with. */
export interface RuntimeCells extends CellSettings {
  /** Configuration and lock file. */
  readonly files: CellFiles;
  /** Whether it was found that no host may be granted by name. */
  readonly namesFoundUnsafe: boolean;
}

/**
 * Gives what all cells share.
 *
 * @param options What is known.
 * @returns The settings.
 */
export function createCellSettings(options: CellSettingsOptions): RuntimeCells {
  const { deno, environment, clock } = options;
  const path = environment("PATH") ?? "";
  const denoDir = denoFolder(environment);
  const files = new CellFiles({ ...options, denoDir });
  let namesFoundUnsafe = false;
  return {
    deno,
    path,
    denoDir,
    ...(options.onWorker && { onWorker: options.onWorker }),
    files,
    get configPath() {
      return files.configPath;
    },
    prepare: () => files.prepare(),
    open: () => files.openOrigin(),
    limitsFiles: Deno.build.os !== "windows" && mayRun("sh"),
    temporaryMb: options.temporaryMb,
    containment: rememberContainment(path, clock),
    namesSafe: async () => {
      const { areNamesSafe } = await import("../workers/resolver_probe.ts");
      const safe = await areNamesSafe(deno, path);
      namesFoundUnsafe = !safe;
      return safe;
    },
    get namesFoundUnsafe() {
      return namesFoundUnsafe;
    },
  };
}

// Less than the best is looked for again after a while: the machine may just have been out of processes.
function rememberContainment(path: string, clock: Clock): () => Promise<Containment> {
  let known: Promise<Containment> | undefined;
  let until = -Infinity;
  return () => {
    if (known !== undefined && clock.now() < until) return known;
    until = clock.now() + RETRY_MS;
    known = import("../workers/containment.ts").then(async ({ probeContainment }) => {
      const found = await probeContainment(path);
      if (found === "namespace") until = Infinity;
      return found;
    });
    return known;
  };
}

/**
 * Where Deno keeps packages, by its own rules: what runs in a cleared environment has no HOME to find it by.
 *
 * @param environment Reads environment variables.
 * @returns The folder, or `undefined` when the variables name none.
 */
export function denoFolder(environment: HostEnvironment): string | undefined {
  const own = environment("DENO_DIR");
  if (own) return own;
  const home = environment("HOME") ?? environment("USERPROFILE");
  const cache = environment("XDG_CACHE_HOME");
  if (Deno.build.os === "windows") {
    const local = environment("LOCALAPPDATA");
    return local && join(local, "deno");
  }
  if (Deno.build.os === "darwin") return home && join(home, "Library", "Caches", "deno");
  return cache ? join(cache, "deno") : home && join(home, ".cache", "deno");
}
