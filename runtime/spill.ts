/**
 * Results that are too long for the model: the whole text goes to a file.
 * @module
 */
import { lstat, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { safeFileStem } from "./file_stem.ts";
import { join } from "./paths.ts";

/** Where a text went. */
export interface SpilledFile {
  /** The file's absolute path. */
  readonly path: string;
  /** Length of the text in UTF-16 code units. */
  readonly chars: number;
}

const MAX_AGE_MS = 24 * 60 * 60 * 1000;

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
  #pruning: Promise<number> | undefined;

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
   * @returns Where it is, or `undefined` when it could not be written.
   */
  async spill(name: string, callId: string, text: string): Promise<SpilledFile | undefined> {
    // Whoever adds files also takes the old ones away; nobody waits for that.
    this.#pruning ??= this.prune();
    const temporary = join(this.dir, `.${crypto.randomUUID()}.tmp`);
    try {
      await mkdir(this.dir, { recursive: true, mode: 0o700 });
      await writeVerified(temporary, text);
      const path = await this.#freePath(safeFileStem(`${name}-${callId}`));
      await rename(temporary, path);
      return { path, chars: text.length };
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined);
      return undefined;
    }
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

  /** A call's id may come from outside and repeat: an earlier text is never replaced. */
  async #freePath(stem: string): Promise<string> {
    const path = join(this.dir, `${stem}.txt`);
    const taken = await lstat(path).then(() => true, () => false);
    return taken ? join(this.dir, `${stem}-${crypto.randomUUID().slice(0, 8)}.txt`) : path;
  }
}

async function writeVerified(path: string, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
  const { size } = await stat(path);
  if (size !== bytes.length) {
    throw new Error(`Cannot keep "${path}": ${size} of ${bytes.length} bytes were written`);
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
