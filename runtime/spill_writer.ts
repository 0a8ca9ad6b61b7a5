/**
 * Writing a spilled result while it comes.
 * @module
 */
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { resolve } from "./paths.ts";
import type { SpilledFile } from "./spill.ts";
import { SpillLimitError, type SpillReservation } from "./spill_quota.ts";

/** Where the file goes. */
export interface SpillTarget {
  /** What the text is asked for by. */
  readonly id: string;
  /** The path while it is written. */
  readonly temporary: string;
  /** The path when the file is whole. */
  readonly path: string;
  /** Takes room for it. */
  readonly room: SpillReservation;
}

/** Writes one text piece by piece. The file appears whole or not at all. */
export class SpillWriter {
  readonly #target: SpillTarget;
  readonly #encoder = new TextEncoder();
  #file: FileHandle | undefined;
  /** Pieces are written one after the other. */
  #last: Promise<void> = Promise.resolve();
  #failed = false;
  #refusal: SpillLimitError | undefined;
  #bytes = 0;
  #chars = 0;
  #line = 0;
  #longest = 0;
  /** Half a character, whose other half comes with the next piece. */
  #half = "";

  /**
   * Makes a writer; the file is opened with the first piece.
   *
   * @param target Where the file goes.
   */
  constructor(target: SpillTarget) {
    this.#target = target;
  }

  /**
   * Writes a piece.
   *
   * @param piece The piece.
   * @returns Settles when it is written, or cannot be. Never rejects.
   */
  write(piece: string): Promise<void> {
    this.#chars += piece.length;
    const text = this.#half + piece;
    const isCut = /[\uD800-\uDBFF]$/.test(text);
    this.#half = isCut ? text.slice(-1) : "";
    this.#measure(piece);
    return this.#put(isCut ? text.slice(0, -1) : text);
  }

  /**
   * Ends the file.
   *
   * @returns Where it is, or `undefined` when it could not be written.
   * @throws {SpillLimitError} If there was no room for it within the limits.
   */
  async close(): Promise<SpilledFile | undefined> {
    await this.#put(this.#half);
    const { id, temporary, path, room } = this.#target;
    try {
      await this.#file?.close();
      if (this.#refusal) throw this.#refusal;
      const { size } = await stat(temporary);
      if (this.#failed || size !== this.#bytes) throw new Error("It was not written as a whole");
      await rename(temporary, path);
      room.keep();
      return { id, path, chars: this.#chars, longestLine: Math.max(this.#longest, this.#line) };
    } catch (error) {
      await this.#remove();
      if (error instanceof SpillLimitError) throw error;
      return undefined;
    }
  }

  /** Removes what was written. */
  async abort(): Promise<void> {
    this.#failed = true;
    await this.#last;
    await this.#file?.close().catch(() => undefined);
    await this.#remove();
  }

  #put(text: string): Promise<void> {
    return this.#last = this.#last.then(() => this.#append(text));
  }

  async #append(text: string): Promise<void> {
    if (this.#failed || text === "") return;
    try {
      const bytes = this.#encoder.encode(text);
      await this.#target.room.take(bytes.length);
      this.#file ??= await this.#open();
      await this.#file.writeFile(bytes);
      this.#bytes += bytes.length;
    } catch (error) {
      this.#failed = true;
      if (error instanceof SpillLimitError) this.#refusal = error;
    }
  }

  async #open(): Promise<FileHandle> {
    await mkdir(resolve(this.#target.temporary, ".."), { recursive: true, mode: 0o700 });
    return await open(this.#target.temporary, "wx", 0o600);
  }

  async #remove(): Promise<void> {
    this.#target.room.release();
    await rm(this.#target.temporary, { force: true }).catch(() => undefined);
  }

  #measure(piece: string): void {
    const lines = piece.split("\n");
    for (const [index, line] of lines.entries()) {
      if (index > 0) {
        this.#longest = Math.max(this.#longest, this.#line);
        this.#line = 0;
      }
      this.#line += line.length;
    }
  }
}
