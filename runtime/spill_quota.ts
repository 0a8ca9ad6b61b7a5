/**
 * How much disk the results that went to files may take: each tool's, and all of them together.
 * @module
 */
import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "./paths.ts";

/** The most that results in files may take, in megabytes. */
export interface SpillLimits {
  /** All of them together. @default {1024} */
  readonly spillMb?: number;
  /** Those of one tool. @default {256} */
  readonly spillMbPerTool?: number;
}

/** A result went to no file because there is no room for it. */
export class SpillLimitError extends Error {
  /** The error's name. */
  override readonly name: string = "SpillLimitError";
}

/** A file that is being written. */
export interface SpillReservation {
  /**
   * Takes room for more bytes.
   *
   * @param bytes How many.
   * @throws {SpillLimitError} If there is no room for them; the message says whose limit it is.
   */
  take(bytes: number): Promise<void>;
  /** Ends it: what was taken stays taken while the file is there. */
  keep(): void;
  /** Gives everything back: there is no file. */
  release(): void;
}

interface Writing {
  readonly tool: string;
  bytes: number;
}

const MB = 1024 * 1024;
/** What every file takes beside its text: so many that are short fill a disk too. */
const FILE_BYTES = 4096;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const SCAN_EVERY_MS = 60 * 60 * 1000;
/** Before a result is refused the folder is looked at again, this often at most. */
const RESCAN_MS = 1_000;

/** Counts the files of a spill folder, and removes those that nobody needs any more. */
export class SpillQuota {
  readonly #dir: string;
  readonly #limits: Required<SpillLimits>;
  /** Bytes of the files that are there, by the beginning of their names. */
  #kept = new Map<string, number>();
  readonly #writing = new Map<string, Writing>();
  #scannedAt = -Infinity;
  #scanning: Promise<number> | undefined;

  /**
   * Begins to count with the first file.
   *
   * @param dir The folder, which other runtimes may use too.
   * @param limits The most that they may take.
   */
  constructor(dir: string, { spillMb = 1024, spillMbPerTool = 256 }: SpillLimits = {}) {
    this.#dir = dir;
    this.#limits = { spillMb, spillMbPerTool };
  }

  /**
   * Begins a file.
   *
   * @param name The tool.
   * @param tool How the file's name begins, before its random part.
   * @param file The file's name while it is written.
   * @returns What takes room for it.
   */
  open(name: string, tool: string, file: string): SpillReservation {
    const writing: Writing = { tool, bytes: 0 };
    this.#writing.set(file, writing);
    return {
      take: async (bytes) => {
        const more = writing.bytes === 0 ? FILE_BYTES + bytes : bytes;
        await this.#take(name, writing, more);
      },
      keep: () => {
        this.#writing.delete(file);
        this.#kept.set(tool, (this.#kept.get(tool) ?? 0) + writing.bytes);
      },
      release: () => void this.#writing.delete(file),
    };
  }

  /**
   * Counts anew, and removes files that are older than a day. What is not a regular file stays.
   *
   * @returns How many were removed.
   */
  scan(): Promise<number> {
    return this.#scanning ??= this.#scan().finally(() => this.#scanning = undefined);
  }

  async #take(name: string, writing: Writing, more: number): Promise<void> {
    if (Date.now() - this.#scannedAt > SCAN_EVERY_MS) await this.scan();
    const isFull = this.#whyNot(writing.tool, more) !== undefined;
    // Somebody may have removed files.
    if (isFull && Date.now() - this.#scannedAt > RESCAN_MS) await this.scan();
    const why = isFull ? this.#whyNot(writing.tool, more) : undefined;
    if (why === undefined) {
      writing.bytes += more;
      return;
    }
    throw new SpillLimitError(
      `A result of tool "${name}" is too long to be shown, and cannot be kept: ${why}. Ask it for less, ` +
        `remove files from "${this.#dir}", or raise the limit`,
    );
  }

  #whyNot(tool: string, more: number): string | undefined {
    const { spillMb, spillMbPerTool } = this.#limits;
    const own = this.#bytes((key) => key === tool) + more;
    if (own > spillMbPerTool * MB) {
      return `the tool's results in files would take ${
        inMb(own)
      } MB, ${spillMbPerTool} MB at most ` +
        "(limits.spillMbPerTool)";
    }
    const all = this.#bytes(() => true) + more;
    if (all <= spillMb * MB) return undefined;
    return `all tools' results in files would take ${inMb(all)} MB, ${spillMb} MB at most ` +
      "(limits.spillMb)";
  }

  #bytes(counts: (tool: string) => boolean): number {
    let sum = 0;
    for (const [tool, bytes] of this.#kept) if (counts(tool)) sum += bytes;
    for (const { tool, bytes } of this.#writing.values()) if (counts(tool)) sum += bytes;
    return sum;
  }

  async #scan(): Promise<number> {
    const oldest = Date.now() - MAX_AGE_MS;
    const kept = new Map<string, number>();
    let removed = 0;
    const visit = async (dir: string, isTop: boolean): Promise<void> => {
      for (const entry of await readdir(dir, { withFileTypes: true }).catch(() => [])) {
        const path = join(dir, entry.name);
        if (entry.isDirectory() && isTop) {
          await visit(path, false);
          await removeIfUnused(path, oldest);
        }
        if (!entry.isFile() || !/\.(?:txt|tmp)$/.test(entry.name)) continue;
        const size = await sizeOrRemove(path, oldest);
        if (size === undefined) removed++;
        if (size === undefined || this.#writing.has(entry.name)) continue;
        const tool = /^\.?(.+)-[0-9a-f]{32}\./.exec(entry.name)?.[1] ?? "";
        kept.set(tool, (kept.get(tool) ?? 0) + FILE_BYTES + size);
      }
    };
    await visit(this.#dir, true);
    this.#kept = kept;
    this.#scannedAt = Date.now();
    return removed;
  }
}

/** The size of a file; `undefined` when it is older, and gone. */
async function sizeOrRemove(path: string, oldest: number): Promise<number | undefined> {
  try {
    const info = await lstat(path);
    if (info.mtimeMs >= oldest) return info.size;
    await rm(path);
    return undefined;
  } catch {
    return 0;
  }
}

// A folder changes when a file in it comes or goes. One that is not empty stays.
async function removeIfUnused(path: string, oldest: number): Promise<void> {
  try {
    if ((await lstat(path)).mtimeMs < oldest) await rmdir(path);
  } catch {
    return;
  }
}

function inMb(bytes: number): string {
  return (bytes / MB).toFixed(1);
}
