/**
 * The store of admitted modules: what was checked is what runs.
 * @module
 */
import type { AdmittedFile, AdmittedModule } from "./discovery_types.ts";
import { hashBytes } from "./hash.ts";
import { joinPath, parentOf, pathToFileUrl } from "./paths.ts";
import {
  isRealFolder,
  isRegular,
  openPrivate,
  readCopy,
  removeQuietly,
  replaceFile,
  type StoreFile,
  writeFolder,
} from "./store_files.ts";
import { pruneStore } from "./store_prune.ts";
import { stampCopies } from "./store_stamp.ts";

/** A checked closure on its way into the store. */
export interface StoreRequest {
  /** The module's absolute path, as people know it. */
  readonly path: string;
  /** The closure's hash, which names its folder. */
  readonly integrity: string;
  /** The module first, then the files it imports. */
  readonly files: readonly StoreFile[];
}

/** Keeps copies of admitted closures in a private folder, by their hash. */
export class ModuleStore implements Disposable {
  readonly #cacheDir: string;
  readonly #verified = new Set<string>();
  readonly #doubted = new Set<string>();
  /** Closures whose newest copies are in the temporary folder. */
  readonly #strays = new Set<string>();
  #dir: string | undefined;
  #temporary: string | undefined;

  /**
   * Makes a store; nothing is written yet.
   *
   * @param cacheDir The cache folder. While it cannot be written, a private temporary folder takes its place.
   */
  constructor(cacheDir: string) {
    this.#cacheDir = cacheDir;
  }

  /** Whether there is a temporary folder, because the cache folder could not be written. */
  get hasTemporary(): boolean {
    return this.#temporary !== undefined;
  }

  /**
   * Whether the copies of a module are in a temporary folder, because the cache folder could not be written.
   *
   * @param module The admitted module.
   * @returns True when they are.
   */
  isTemporary(module: AdmittedModule): boolean {
    return parentOf(module.folder) === this.#temporary;
  }

  /**
   * Makes sure that the store holds a closure, byte for byte.
   *
   * @param request The closure.
   * @returns Where its files are.
   * @throws {Error} If neither the cache folder nor a temporary folder can be written.
   */
  async admit(request: StoreRequest): Promise<AdmittedModule> {
    const admitted = await this.#admitInCache(request);
    if (admitted !== undefined) {
      this.#strays.delete(request.integrity);
      return admitted;
    }
    const stray = await this.#admitIn(this.#openTemporary(), request);
    this.#strays.add(request.integrity);
    return stray;
  }

  /**
   * Puts the copies of a module back that are gone, from originals that still have the admitted bytes.
   *
   * @param module The admitted module.
   * @returns Whether they are there again, at the same place. Never rejects.
   */
  async restore(module: AdmittedModule): Promise<boolean> {
    try {
      const { path, integrity, folder } = module;
      const files: StoreFile[] = [];
      for (const { path: real, stored, hash } of module.files) {
        const bytes = Deno.readFileSync(real);
        if (await hashBytes(bytes) !== hash) return false;
        files.push({ relative: stored.slice(folder.length + 1), real, hash, bytes });
      }
      this.forget(module);
      return (await this.admit({ path, integrity, files })).url === module.url;
    } catch {
      return false;
    }
  }

  /**
   * Finds a closure that an earlier run has put here, by what the disk says about its copies.
   *
   * @param request The closure.
   * @param stamp What {@linkcode ModuleStore.stamp} gave then.
   * @returns Where its files are, or `undefined` when they have to be read: see
   * {@linkcode ModuleStore.admit}.
   */
  recall(request: StoreRequest, stamp: string): AdmittedModule | undefined {
    if (this.#doubted.has(request.integrity)) return undefined;
    try {
      const target = joinPath(this.#open(), request.integrity);
      const now = stampCopies(target, request.files.map((file) => file.relative));
      return now === stamp ? admittedAt(target, request) : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Notes what the disk says about the copies of a closure.
   *
   * @param integrity The closure's hash.
   * @param relatives Its files, by path below the root.
   * @returns The stamp; `undefined` for copies in the temporary folder, and where it would tell nothing.
   */
  stamp(integrity: string, relatives: readonly string[]): string | undefined {
    if (this.#strays.has(integrity) || this.#dir === undefined) return undefined;
    return stampCopies(joinPath(this.#dir, integrity), relatives);
  }

  /**
   * Forgets what was verified, so that the next use looks at the bytes again.
   *
   * @param module The admitted module.
   */
  forget(module: AdmittedModule): void {
    this.#doubted.add(module.integrity);
    for (const file of module.files) this.#verified.delete(file.stored);
  }

  /**
   * Removes a copy that was refused after all.
   *
   * @param module Its files.
   */
  discard(module: AdmittedModule): void {
    this.forget(module);
    removeQuietly(module.folder);
  }

  /**
   * Removes old copies that nothing refers to any more.
   *
   * @param used The hashes of the closures to keep.
   */
  prune(used: ReadonlySet<string>): void {
    if (this.#dir !== undefined) pruneStore(this.#dir, used);
  }

  /**
   * Removes old copies from the temporary folder, and the folder when nothing in it is used any more.
   *
   * @param modules The modules that may still be run.
   */
  pruneTemporary(modules: readonly AdmittedModule[]): void {
    if (this.#temporary === undefined) return;
    const used = modules.filter((module) => this.isTemporary(module));
    if (used.length === 0) return this[Symbol.dispose]();
    pruneStore(this.#temporary, new Set(used.map(({ integrity }) => integrity)));
  }

  /** Removes the temporary folder, if there is one. */
  [Symbol.dispose](): void {
    if (this.#temporary === undefined) return;
    removeQuietly(this.#temporary);
    this.#temporary = undefined;
    this.#strays.clear();
  }

  // The cache folder is tried each time. One that was opened before may have gone, and may be made again.
  async #admitInCache(request: StoreRequest): Promise<AdmittedModule | undefined> {
    const wasOpen = this.#dir !== undefined;
    try {
      return await this.#admitIn(this.#open(), request);
    } catch {
      // Nothing is known of a folder that may be another one now.
      this.#dir = undefined;
      this.#verified.clear();
      return wasOpen ? await this.#admitInCache(request) : undefined;
    }
  }

  async #admitIn(dir: string, request: StoreRequest): Promise<AdmittedModule> {
    const target = joinPath(dir, request.integrity);
    if (!isRealFolder(target) && writeFolder(target, request.files)) {
      for (const file of request.files) this.#verified.add(joinPath(target, file.relative));
    } else {
      for (const file of request.files) await this.#verify(target, file);
    }
    this.#doubted.delete(request.integrity);
    return admittedAt(target, request);
  }

  /** Trusts a copy only after hashing it once in this process. */
  async #verify(target: string, file: StoreFile): Promise<void> {
    const stored = joinPath(target, file.relative);
    if (this.#verified.has(stored) && isRegular(stored)) return;
    if (!await holds(stored, file.hash)) replaceFile(target, file);
    this.#verified.add(stored);
  }

  #open(): string {
    return this.#dir ??= openPrivate(this.#cacheDir);
  }

  #openTemporary(): string {
    if (this.#temporary === undefined || !isRealFolder(this.#temporary)) {
      this.#temporary = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "cloister-store-" }));
    }
    return this.#temporary;
  }
}

function admittedAt(target: string, request: StoreRequest): AdmittedModule {
  const files = request.files.map((file): AdmittedFile => ({
    path: file.real,
    stored: joinPath(target, file.relative),
    hash: file.hash,
  }));
  const url = pathToFileUrl(files[0]?.stored ?? target);
  return { path: request.path, url, integrity: request.integrity, folder: target, files };
}

async function holds(stored: string, hash: string): Promise<boolean> {
  const copy = readCopy(stored);
  return copy !== undefined && await hashBytes(copy) === hash;
}
