/**
 * Results that are too long for the model: the whole text goes to a file.
 * @module
 */
import { safeFileStem } from "./file_stem.ts";
import { join } from "./paths.ts";
import { type SpillLimits, SpillQuota } from "./spill_quota.ts";
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

/** Where the results of calls without a session go. */
const NO_SESSION = "calls";

/**
 * A folder of private text files that nobody needs after a day. Their names cannot be guessed.
 *
 * @example Keep a long text
 * ```ts ignore
 * const store = new SpillStore("/home/me/.cache/cloister/spill");
 * const file = await store.of(session.id).spill("fetch", text);
 * ```
 */
export class SpillStore {
  /** The folder. */
  readonly dir: string;
  readonly #quota: SpillQuota;

  /**
   * Names the folder; it is made when the first text comes.
   *
   * @param dir An absolute path.
   * @param limits The most that the files may take.
   */
  constructor(dir: string, limits: SpillLimits | SpillQuota = {}) {
    this.dir = dir;
    this.#quota = limits instanceof SpillQuota ? limits : new SpillQuota(dir, limits);
  }

  /**
   * The part of it that belongs to a session, and is read by no other. Calls without a session have one together.
   *
   * @param session The session's id.
   * @returns The part, within the same limits.
   */
  of(session: string | undefined): SpillStore {
    const name = session === undefined ? NO_SESSION : `session-${hashOf(session)}`;
    return new SpillStore(join(this.dir, name), this.#quota);
  }

  /**
   * Writes a text. The file appears whole or not at all, and only its owner can read it.
   *
   * @param name The tool.
   * @param text The text.
   * @param options Who wrote it.
   * @returns Where it is, or `undefined` when it could not be written.
   * @throws {SpillLimitError} If there is no room for it within the limits.
   */
  async spill(
    name: string,
    text: string,
    options: SpillOptions = {},
  ): Promise<SpilledFile | undefined> {
    const writer = this.open(name, options);
    await writer.write(text);
    return await writer.close();
  }

  /**
   * Begins a text that comes piece by piece.
   *
   * @param name The tool.
   * @param options Who writes it.
   * @returns What it is written with.
   */
  open(name: string, { untrusted = false }: SpillOptions = {}): SpillWriter {
    const tool = safeFileStem(name);
    const id = `${tool}-${crypto.randomUUID().replaceAll("-", "")}${untrusted ? UNTRUSTED : ""}`;
    const temporary = `.${id}.tmp`;
    return new SpillWriter({
      id,
      temporary: join(this.dir, temporary),
      path: join(this.dir, `${id}.txt`),
      room: this.#quota.open(name, tool, temporary),
    });
  }

  /**
   * Removes files that are older than a day. What is not a regular file of this folder stays.
   *
   * @returns How many were removed.
   */
  async prune(): Promise<number> {
    return await this.#quota.scan();
  }
}

function hashOf(text: string): string {
  // deno-lint-ignore no-process-global -- an import would load it with every runtime
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
