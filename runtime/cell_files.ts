/**
 * The files that cells are started with: their configuration, and the lock file of the packages.
 * @module
 */
import type { Clock } from "../registry/availability/clock.ts";
import type { CellOrigin } from "../workers/cell_command.ts";
import type { OriginStorage } from "./origin_storage.ts";
import { dirname, join } from "./paths.ts";

/** Milliseconds for which a failure is taken for granted before the same is tried again. */
export const RETRY_MS = 30_000;

/** What {@linkcode CellFiles} needs. */
export interface CellFilesOptions {
  /** The command that starts Deno. */
  readonly deno: string;
  /** Deno's own folder, which has the packages; `undefined` when there is none. */
  readonly denoDir?: string;
  /** The cache folder, which may be emptied at any time. */
  readonly cacheDir: string;
  /** What tool files may import. */
  readonly importMap: Readonly<Record<string, string>>;
  /** Tells the time. */
  readonly clock: Clock;
  /** Receives why packages could not be got ready. */
  readonly onFault: (message: string) => void;
}

/** Keeps the files of cells where they are needed, however often the cache folder is emptied. */
export class CellFiles implements Disposable {
  readonly #options: CellFilesOptions;
  readonly #config: string;
  #configPath: string;
  #temporary: string | undefined;
  #origins: OriginStorage | undefined;
  #locking: Promise<string | undefined> | undefined;
  #packageFault: { readonly message: string; readonly until: number } | undefined;

  /**
   * Names the files; nothing is written yet.
   *
   * @param options Where they are, and what is in them.
   */
  constructor(options: CellFilesOptions) {
    this.#options = options;
    // An import map and nothing else: a deno.json, package.json or node_modules beside a tool file is ignored.
    const { importMap: imports } = options;
    this.#config = JSON.stringify({ nodeModulesDir: "none", lock: false, imports });
    this.#configPath = join(options.cacheDir, "cell.json");
  }

  /** The configuration, where it was written last. */
  get configPath(): string {
    return this.#configPath;
  }

  /**
   * Makes sure that the configuration is there and the packages are: called before each start of a cell.
   *
   * @returns The lock file; `undefined` when no package is allowed or they cannot be got at the moment.
   * @throws {Error} If the configuration cannot be written.
   */
  async prepare(): Promise<string | undefined> {
    this.#writeConfig();
    const { until = -Infinity } = this.#packageFault ?? {};
    return this.#options.clock.now() < until ? undefined : await this.#lock(false);
  }

  /**
   * Makes what belongs to one cell alone, beside the configuration.
   *
   * @returns Its own configuration file, and the folder in which Deno keeps what its code stores.
   * @throws {Error} If it cannot be written.
   */
  async openOrigin(): Promise<CellOrigin> {
    const { OriginStorage } = await import("./origin_storage.ts");
    const { deno, denoDir } = this.#options;
    this.#origins ??= new OriginStorage({ deno, denoDir });
    return await this.#origins.open(dirname(this.#configPath), this.#config);
  }

  /**
   * Gets the packages once more, because one of them was missing when a module was loaded.
   *
   * @returns Why they are not there; `undefined` when they are there now.
   */
  async repairPackages(): Promise<string | undefined> {
    const { clock } = this.#options;
    if (this.#packageFault === undefined || clock.now() >= this.#packageFault.until) {
      await this.#lock(true);
    }
    return this.#packageFault?.message;
  }

  /** What could not be put back, as sentences; the configuration is looked at now. */
  get faults(): { readonly config?: string; readonly packages?: string } {
    const packages = this.#packageFault && { packages: this.#packageFault.message };
    try {
      this.#writeConfig();
      return { ...packages };
    } catch (error) {
      return { config: (error as Error).message, ...packages };
    }
  }

  /** Removes what belonged to cells, and what lies in a temporary folder. */
  [Symbol.dispose](): void {
    this.#origins?.[Symbol.dispose]();
    if (this.#temporary === undefined) return;
    try {
      Deno.removeSync(this.#temporary, { recursive: true });
    } catch {
      // It has gone already.
    }
  }

  // The cache folder is tried each time: it may be writable again.
  #writeConfig(): void {
    const { cacheDir } = this.#options;
    try {
      this.#configPath = writeIfChanged(join(cacheDir, "cell.json"), this.#config);
    } catch (error) {
      try {
        this.#temporary ??= Deno.makeTempDirSync({ prefix: "cloister-cells-" });
        this.#configPath = writeIfChanged(join(this.#temporary, "cell.json"), this.#config);
      } catch {
        throw new Error(
          `Cannot write the configuration of cells to "${cacheDir}" or a temporary folder: ${
            (error as Error).message
          }. Make the cache folder writable`,
          { cause: error },
        );
      }
    }
  }

  // Cells that start together wait for one download.
  #lock(anew: boolean): Promise<string | undefined> {
    return this.#locking ??= this.#findLock(anew).finally(() => this.#locking = undefined);
  }

  // Tools without packages run all the same; those with some say which one is missing.
  async #findLock(anew: boolean): Promise<string | undefined> {
    const { deno, importMap, clock, onFault } = this.#options;
    const configPath = this.#configPath;
    const { preparePackages } = await import("./cell_packages.ts");
    try {
      const folder = dirname(configPath);
      const lock = await preparePackages({ deno, configPath, folder, importMap, anew });
      this.#packageFault = undefined;
      return lock;
    } catch (error) {
      const again = new Date(clock.date() + RETRY_MS).toISOString();
      const message = `${(error as Error).message}. It is tried again from ${again} on`;
      this.#packageFault = { message, until: clock.now() + RETRY_MS };
      onFault(message);
      return undefined;
    }
  }
}

function writeIfChanged(path: string, text: string): string {
  if (readOrUndefined(path) === text) return path;
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    Deno.writeTextFileSync(temporary, text, { mode: 0o600 });
    Deno.renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  return path;
}

function readOrUndefined(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It was never there.
  }
}
