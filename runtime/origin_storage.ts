/**
 * What Deno keeps on disk for code in a cell, which is `caches` (measured on Deno 2.9.6): each cell has its own, and it
 * goes with the cell.
 *
 * Deno finds it by the URL of the configuration file, below its own folder. So each cell has a file of that kind, and
 * all of them a folder for Deno in the cache folder, in which packages are links to where they are.
 * @module
 */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import type { CellOrigin } from "../workers/cell_command.ts";
import { join } from "./paths.ts";

/** What an {@linkcode OriginStorage} needs. */
export interface OriginStorageOptions {
  /** The command that starts Deno. */
  readonly deno: string;
  /** Deno's own folder, which has the packages; `undefined` when there is none. */
  readonly denoDir: string | undefined;
}

/** The parts of Deno's folder that cells share with everybody: packages, and what was made of TypeScript. */
const SHARED: readonly string[] = ["npm", "remote", "gen"];
const LINK = "for (const [target, path] of JSON.parse(Deno.args[0])) " +
  'Deno.symlinkSync(target, path, { type: "dir" })';

/** The storage of a runtime's cells. */
export class OriginStorage implements Disposable {
  readonly #options: OriginStorageOptions;
  readonly #id = crypto.randomUUID();
  readonly #cleaned = new Set<string>();
  #held: { readonly folder: string; readonly lock: Deno.FsFile } | undefined;
  #count = 0;

  /**
   * Begins with nothing on disk.
   *
   * @param options Where packages are.
   */
  constructor(options: OriginStorageOptions) {
    this.#options = options;
  }

  /**
   * Makes the storage of one cell.
   *
   * @param base The folder for it.
   * @param config The text of the cell's configuration.
   * @returns What the cell is started with.
   * @throws {Error} If it cannot be written.
   */
  async open(base: string, config: string): Promise<CellOrigin> {
    const { denoDir: packages = "" } = this.#options;
    const denoDir = join(base, `deno-${hashOf(packages).slice(0, 8)}`);
    await this.#link(denoDir, packages);
    const folder = this.#hold(join(base, "cells"));
    if (!this.#cleaned.has(denoDir)) {
      this.#cleaned.add(denoDir);
      void removeLeftovers(denoDir, join(base, "cells")).catch(() => {});
    }
    const configPath = join(folder, `${++this.#count}.json`);
    Deno.writeTextFileSync(configPath, config, { mode: 0o600 });
    return {
      configPath,
      denoDir,
      close: async () => {
        await removeAll(join(webCache(denoDir), keyOf(configPath)));
        await removeAll(configPath);
      },
    };
  }

  /** Removes what is left; every cell has ended. */
  [Symbol.dispose](): void {
    if (this.#held === undefined) return;
    const { folder, lock } = this.#held;
    this.#held = undefined;
    lock.close();
    for (const path of [folder, `${folder}.lock`]) {
      try {
        Deno.removeSync(path, { recursive: true });
      } catch {
        // It went with the cache folder.
      }
    }
  }

  // The lock comes before the folder: a folder whose lock is free is left over from a runtime that was killed.
  #hold(parent: string): string {
    const folder = join(parent, this.#id);
    if (this.#held?.folder !== folder || !exists(`${folder}.lock`)) {
      this.#held?.lock.close();
      Deno.mkdirSync(parent, { recursive: true, mode: 0o700 });
      const lock = Deno.openSync(`${folder}.lock`, { create: true, write: true, mode: 0o600 });
      lock.lockSync(true);
      this.#held = { folder, lock };
    }
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  async #link(denoDir: string, packages: string): Promise<void> {
    Deno.mkdirSync(denoDir, { recursive: true, mode: 0o700 });
    if (packages === "") return;
    const missing = () =>
      SHARED.map((name) => [join(packages, name), join(denoDir, name)] as const)
        .filter(([, path]) => !exists(path));
    const links = missing();
    if (links.length === 0) return;
    try {
      for (const [target, path] of links) Deno.symlinkSync(target, path, { type: "dir" });
    } catch (error) {
      // A process whose grants name folders makes no links (measured on Deno 2.9.6).
      const stderr = error instanceof Deno.errors.NotCapable ? await this.#linkApart(links) : "";
      if (missing().length === 0) return;
      throw new Error(
        `Cannot link the packages of "${packages}" to "${denoDir}": ${stderr || error}`,
        { cause: error },
      );
    }
  }

  async #linkApart(links: readonly (readonly [string, string])[]): Promise<string> {
    const { stderr } = await new Deno.Command(this.#options.deno, {
      args: ["eval", "--no-config", "--no-lock", LINK, JSON.stringify(links)],
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    return new TextDecoder().decode(stderr).trim();
  }
}

function webCache(denoDir: string): string {
  return join(denoDir, "location_data", "web_cache");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What Deno calls the storage of a configuration. */
function keyOf(configPath: string): string {
  return hashOf(pathToFileURL(configPath).href);
}

// Storage is looked at before configurations are, which are written before there is storage: what is made meanwhile
// is not taken for a leftover.
async function removeLeftovers(denoDir: string, cells: string): Promise<void> {
  const stored = Array.from(Deno.readDirSync(webCache(denoDir)), ({ name }) => name);
  const live = new Set<string>();
  for (const { name, isDirectory } of Array.from(Deno.readDirSync(cells))) {
    if (!isDirectory) continue;
    const folder = join(cells, name);
    if (await isHeld(`${folder}.lock`)) {
      for (const entry of Deno.readDirSync(folder)) live.add(keyOf(join(folder, entry.name)));
      continue;
    }
    await removeAll(folder);
    await removeAll(`${folder}.lock`);
  }
  for (const name of stored) if (!live.has(name)) await removeAll(join(webCache(denoDir), name));
}

async function isHeld(path: string): Promise<boolean> {
  try {
    using lock = Deno.openSync(path, { write: true });
    return !await lock.tryLock(true);
  } catch {
    return false;
  }
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

async function removeAll(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch(() => {});
}
