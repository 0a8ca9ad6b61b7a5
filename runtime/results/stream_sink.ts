/**
 * Where the pieces of a result go that comes piece by piece.
 * @module
 */
import type { ExecutionOutcome } from "../../workers/execution.ts";
import { PREVIEW_CHARS } from "../../core/limits.ts";
import type { SpilledFile } from "../spill.ts";
import type { SpillWriter } from "../spill_writer.ts";
import type { InvalidResult, NormalisedResult } from "../results.ts";
import { previewOf } from "./preview.ts";

/** A stream that came to its end. */
export type StreamEnd =
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "spilled";
    /** Length of the whole text. */
    readonly chars: number;
    /** Its beginning. */
    readonly preview: string;
    /** Where it is; `undefined` when it could not be kept. */
    readonly file: SpilledFile | undefined;
  }
  | { readonly kind: "broken"; readonly reason: string };

/** How pieces are kept. */
export interface StreamSinkOptions {
  /** The most characters that are held in memory; more go to a file. */
  readonly limit: number;
  /** Opens the file. */
  readonly open: () => SpillWriter;
}

/** The longest stream: as long as the longest result. */
const MAX_CHARS = 64 * 1024 * 1024;

/** Takes the pieces of one result. A file is written while they come, so that nothing has to be cut. */
export class StreamSink {
  readonly #options: StreamSinkOptions;
  #text = "";
  #chars = 0;
  #next = 0;
  #broken: string | undefined;
  #writer: SpillWriter | undefined;

  /**
   * Makes an empty sink.
   *
   * @param options What is held in memory, and where the rest goes.
   */
  constructor(options: StreamSinkOptions) {
    this.#options = options;
  }

  /**
   * Takes the next piece. The first one of a second attempt puts away what came before.
   *
   * @param index Its number, from 0.
   * @param piece The piece.
   * @returns Settles when the next one may come. Never rejects.
   */
  async add(index: number, piece: string): Promise<void> {
    if (index === 0 && this.#next > 0) await this.abort();
    if (index !== this.#next) this.#broken ??= "a piece of it is missing";
    if (this.#chars + piece.length > MAX_CHARS) this.#broken ??= "it is too long";
    if (this.#broken !== undefined) return;
    this.#next++;
    this.#chars += piece.length;
    if (this.#writer) return await this.#writer.write(piece);
    this.#text += piece;
    if (this.#chars <= this.#options.limit) return;
    this.#writer = this.#options.open();
    await this.#writer.write(this.#text);
    this.#text = this.#text.slice(0, PREVIEW_CHARS + 1);
  }

  /**
   * Ends the stream.
   *
   * @param chars How long its sender says it is.
   * @returns The text, or where it is.
   */
  async finish(chars: number): Promise<StreamEnd> {
    if (chars !== this.#chars) this.#broken ??= "a piece of it is missing";
    if (this.#broken !== undefined) {
      const reason = `the stream cannot be used: ${this.#broken}`;
      await this.abort();
      return { kind: "broken", reason };
    }
    if (!this.#writer) return { kind: "text", text: this.#text };
    let file: SpilledFile | undefined;
    try {
      file = await this.#writer.close();
    } catch (error) {
      return { kind: "broken", reason: (error as Error).message };
    }
    const preview = previewOf(this.#text, Math.min(PREVIEW_CHARS, this.#options.limit));
    return { kind: "spilled", chars, preview, file };
  }

  /** Puts away what came, file included. */
  async abort(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    this.#broken = undefined;
    this.#text = "";
    this.#chars = this.#next = 0;
    await writer?.abort();
  }
}

/**
 * A stream that ended, as what its handler gave back.
 *
 * @param end How it ended.
 * @returns The text, of a spilled one the beginning; or why it cannot be used.
 */
export function normaliseStream(stream: StreamEnd): NormalisedResult | InvalidResult {
  if (stream.kind === "broken") return { ok: false, reason: stream.reason };
  const text = stream.kind === "text" ? stream.text : stream.preview;
  return { ok: true, content: text.toWellFormed() };
}

/**
 * Ends the stream of a call that is over.
 *
 * @param stream The stream, when a piece of it came.
 * @param outcome How the call ended.
 * @returns What came in all; `undefined` for a call that ended without a whole stream.
 */
export async function endStream(
  stream: StreamSink | undefined,
  outcome: ExecutionOutcome,
): Promise<StreamEnd | undefined> {
  if (outcome.ok && outcome.value.kind === "stream") {
    const { chars } = outcome.value;
    if (stream) return await stream.finish(chars);
    return chars === 0 ? { kind: "text", text: "" } : { kind: "broken", reason: "it never came" };
  }
  await stream?.abort();
  return undefined;
}
