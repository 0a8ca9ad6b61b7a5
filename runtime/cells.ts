/**
 * Whether and how cells can be started on this machine.
 * @module
 */
import { join } from "./paths.ts";
import type { Containment } from "../workers/containment.ts";
import type { CellSettings } from "../workers/cell_command.ts";
import type { HostEnvironment } from "./host_environment.ts";

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
export interface CellSettingsOptions {
  /** The command that starts Deno. */
  readonly deno: string;
  /** Reads environment variables. */
  readonly environment: HostEnvironment;
  /** The cache folder. */
  readonly cacheDir: string;
  /** What tool files may import. */
  readonly importMap: Readonly<Record<string, string>>;
  /** Receives why packages could not be got ready. */
  readonly onFault: (message: string) => void;
}

/**
 * Writes the cells' configuration and gives what all cells share.
 *
 * @param options What is known.
 * @returns The settings.
 */
export function createCellSettings(options: CellSettingsOptions): CellSettings {
  const { deno, environment, cacheDir, importMap } = options;
  const path = environment("PATH") ?? "";
  const configPath = writeCellConfig(cacheDir, importMap);
  let containment: Promise<Containment> | undefined;
  let lock: Promise<string | undefined> | undefined;
  return {
    deno,
    path,
    denoDir: denoFolder(environment),
    configPath,
    lock: () => lock ??= findLock(options, configPath),
    containment: () => containment ??= findContainment(path),
  };
}

// Tools without packages run all the same; those with some say which one is missing.
async function findLock(
  { deno, cacheDir, importMap, onFault }: CellSettingsOptions,
  configPath: string,
): Promise<string | undefined> {
  const { preparePackages } = await import("./cell_packages.ts");
  try {
    return await preparePackages({ deno, configPath, cacheDir, importMap });
  } catch (error) {
    onFault((error as Error).message);
    return undefined;
  }
}

async function findContainment(path: string): Promise<Containment> {
  const { probeContainment } = await import("../workers/containment.ts");
  return await probeContainment(path);
}

// An import map and nothing else: a deno.json, package.json or node_modules beside a tool file is ignored.
function writeCellConfig(cacheDir: string, imports: Readonly<Record<string, string>>): string {
  const text = JSON.stringify({ nodeModulesDir: "none", lock: false, imports });
  try {
    return writeIfChanged(join(cacheDir, "cell.json"), text);
  } catch {
    return writeIfChanged(join(Deno.makeTempDirSync({ prefix: "cloister-" }), "cell.json"), text);
  }
}

function writeIfChanged(path: string, text: string): string {
  if (readOrUndefined(path) === text) return path;
  Deno.mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${crypto.randomUUID()}`;
  Deno.writeTextFileSync(temporary, text, { mode: 0o600 });
  Deno.renameSync(temporary, path);
  return path;
}

function readOrUndefined(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
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
