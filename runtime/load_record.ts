/**
 * Which modules are known to load, by everything that it rests on: the next start does not load them again.
 * @module
 */
import { join } from "./paths.ts";

/** The record's file in the cache folder. */
export const LOAD_RECORD_FILE = "load-record.json";

/** How many are kept; the ones that were not asked about for longest go first. */
const MAX_KEPT = 4_096;
const KEY = /^[0-9a-f]{64}$/;

/** Remembers loads that succeeded. A failed one may rest on the environment, and is for this process only. */
export class LoadRecord {
  readonly #path: string;
  readonly #dir: string;
  #known: Set<string> | undefined;
  #changed = false;

  /**
   * Names the file; nothing is read yet.
   *
   * @param cacheDir The cache folder.
   */
  constructor(cacheDir: string) {
    this.#dir = cacheDir;
    this.#path = join(cacheDir, LOAD_RECORD_FILE);
  }

  /**
   * Whether a load is known to succeed.
   *
   * @param key Hash of everything that it rests on.
   * @returns True when it did, here or in an earlier process.
   */
  has(key: string): boolean {
    this.#known ??= new Set(readKeys(this.#path));
    return this.#known.has(key);
  }

  /**
   * Notes that a load succeeded.
   *
   * @param key Hash of everything that it rests on.
   */
  add(key: string): void {
    if (this.has(key)) return;
    this.#known?.add(key);
    this.#changed = true;
  }

  /**
   * Forgets that a load succeeded.
   *
   * @param key Hash of everything that it rests on.
   */
  delete(key: string): void {
    if (this.has(key)) this.#changed = true;
    this.#known?.delete(key);
  }

  /** Writes what is new, in one step. A folder that cannot be written costs the next start the same loads. */
  save(): void {
    if (!this.#changed) return;
    this.#changed = false;
    const keys = [...this.#known ?? []].slice(-MAX_KEPT);
    try {
      Deno.mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
      const draft = Deno.makeTempFileSync({ dir: this.#dir, prefix: "loads-" });
      Deno.writeTextFileSync(draft, JSON.stringify({ version: 1, loads: keys }));
      Deno.renameSync(draft, this.#path);
    } catch {
      return;
    }
  }
}

/** A damaged file is as good as none. */
function readKeys(path: string): readonly string[] {
  try {
    const { version, loads } = JSON.parse(Deno.readTextFileSync(path));
    if (version !== 1 || !Array.isArray(loads)) return [];
    return loads.filter((key) => typeof key === "string" && KEY.test(key));
  } catch {
    return [];
  }
}
