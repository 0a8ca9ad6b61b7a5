/**
 * Results that are too long for the model: the whole text goes to a file.
 * @module
 */
import { lstat, readdir, rm } from "node:fs/promises";
import { safeFileStem } from "./file_stem.ts";
import { join } from "./paths.ts";
import { SpillWriter } from "./spill_writer.ts";

/** Where a text went. */
export interface SpilledFile {
  /** The file's absolute path. */
  readonly path: string;
  /** Length of the text in UTF-16 code units. */
  readonly chars: number;
  /** What the text is asked for by: the file's name without `.txt`. */
  readonly id: string;
  /** Length of its longest line. */
  readonly longestLine: number;
}

/** Options of {@linkcode SpillStore.spill}. */
export interface SpillOptions {
  /** Whether others wrote the text; the file's name then says so. @default {false} */
  readonly untrusted?: boolean;
}

const UNTRUSTED = ".untrusted";

/**
 * Whether a file or an id is that of a text which others wrote.
 *
 * @param name The file's path, or its id.
 * @returns True for a text that was spilled as untrusted.
 */
export function isUntrustedSpill(name: string): boolean {
  return name.toLowerCase().replace(/\.txt$/, "").endsWith(UNTRUSTED);
}

const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;

/**
 * A folder of private text files that nobody needs after a day.
 *
 * @example Keep a long text
 * ```ts ignore
 * const file = await new SpillStore("/home/me/.cache/cloister/spill").spill("fetch", "call-1", text);
 * ```
 */
export class SpillStore {
  /** The folder. */
  readonly dir: string;
  #prunedAt = -Infinity;

  /**
   * Names the folder; it is made when the first text comes.
   *
   * @param dir An absolute path.
   */
  constructor(dir: string) {
    this.dir = dir;
  }

  /**
   * Writes a text. The file appears whole or not at all, and only its owner can read it.
   *
   * @param name The tool.
   * @param callId The call.
   * @param text The text.
   * @param options Who wrote it.
   * @returns Where it is, or `undefined` when it could not be written.
   */
  async spill(
    name: string,
    callId: string,
    text: string,
    options: SpillOptions = {},
  ): Promise<SpilledFile | undefined> {
    const writer = this.open(name, callId, options);
    await writer.write(text);
    return await writer.close();
  }

  /**
   * Begins a text that comes piece by piece.
   *
   * @param name The tool.
   * @param callId The call.
   * @param options Who writes it.
   * @returns What it is written with.
   */
  open(name: string, callId: string, { untrusted = false }: SpillOptions = {}): SpillWriter {
    this.#pruneSometimes();
    return new SpillWriter({
      temporary: join(this.dir, `.${crypto.randomUUID()}.tmp`),
      place: async () => {
        const stem = safeFileStem(`${name}-${callId}`);
        const id = await this.#freeId(stem, untrusted ? UNTRUSTED : "");
        return { id, path: join(this.dir, `${id}.txt`) };
      },
    });
  }

  /**
   * Removes files that are older than a day. What is not a regular file of this folder stays.
   *
   * @returns How many were removed.
   */
  async prune(): Promise<number> {
    const names = await readdir(this.dir).catch(() => []);
    const oldest = Date.now() - MAX_AGE_MS;
    let removed = 0;
    for (const name of names) {
      if (await removeIfOlder(join(this.dir, name), oldest)) removed++;
    }
    return removed;
  }

  // Whoever adds files also takes the old ones away; nobody waits for that.
  #pruneSometimes(): void {
    if (Date.now() - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = Date.now();
    void this.prune();
  }

  /** A call's id may come from outside and repeat: an earlier text is never replaced. */
  async #freeId(stem: string, suffix: string): Promise<string> {
    const path = join(this.dir, `${stem}${suffix}.txt`);
    const taken = await lstat(path).then(() => true, () => false);
    return `${taken ? `${stem}-${crypto.randomUUID().slice(0, 8)}` : stem}${suffix}`;
  }
}

async function removeIfOlder(path: string, oldest: number): Promise<boolean> {
  if (!/\.(?:txt|tmp)$/.test(path)) return false;
  try {
    const info = await lstat(path);
    if (!info.isFile() || info.mtimeMs >= oldest) return false;
    await rm(path);
    return true;
  } catch {
    return false;
  }
}
