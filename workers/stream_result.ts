/**
 * Results that a handler gives piece by piece. Runs inside the worker.
 * @module
 */
import { InvalidResult, MAX_RESULT_CHARS, tooLong } from "./encode_result.ts";
import type { ChunkMessage } from "./protocol.ts";

/** Longest text of one message, in UTF-16 code units. */
export const MAX_CHUNK_CHARS = 65_536;

/**
 * Whether a handler returned a stream of texts.
 *
 * @param value What it returned.
 * @returns True for an async iterable, such as an async generator or a `ReadableStream`.
 */
export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === "function";
}

/** Sends a stream, one message at a time: the next one waits until the front has dealt with the last. */
export class StreamSender {
  readonly #id: number;
  readonly #send: (message: ChunkMessage) => void;
  readonly #signal: AbortSignal;
  #index = 0;
  #isStopped = false;
  #asked: PromiseWithResolvers<void> | undefined;

  /**
   * Makes a sender for a call.
   *
   * @param id The call's number.
   * @param signal Aborts when the call is ended.
   * @param send Sends a message.
   */
  constructor(id: number, signal: AbortSignal, send: (message: ChunkMessage) => void) {
    this.#id = id;
    this.#signal = signal;
    this.#send = send;
  }

  /** Settles when the front has dealt with the last message; `undefined` when it has. */
  get busy(): Promise<void> | undefined {
    return this.#asked?.promise;
  }

  /** Sends nothing more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The front has dealt with the last message. */
  more(): void {
    this.#asked?.resolve();
    this.#asked = undefined;
  }

  /**
   * Sends a whole stream.
   *
   * @param stream The stream.
   * @returns How many UTF-16 code units it had.
   * @throws {InvalidResult} If a piece is no text, or all of them are too long.
   */
  async send(stream: AsyncIterable<unknown>): Promise<number> {
    try {
      return await this.#sendAll(stream);
    } finally {
      // A cell passes one answer for each question: the call's end may not come before the front asked on.
      await this.#asked?.promise;
    }
  }

  async #sendAll(stream: AsyncIterable<unknown>): Promise<number> {
    let chars = 0;
    let waiting = "";
    for await (const piece of stream) {
      if (typeof piece !== "string") {
        throw new InvalidResult(
          `Cannot send a piece of type ${typeof piece}: a stream gives texts`,
        );
      }
      chars += piece.length;
      if (chars > MAX_RESULT_CHARS) throw tooLong(chars);
      waiting += piece;
      // Small pieces go together while the front is busy.
      if (this.#asked === undefined || waiting.length >= MAX_CHUNK_CHARS) {
        waiting = await this.#post(waiting, waiting.length >= MAX_CHUNK_CHARS);
      }
      this.#signal.throwIfAborted();
    }
    await this.#post(waiting, true);
    return chars;
  }

  /** Sends the beginning of a text, or all of it; gives what is left. */
  async #post(text: string, all: boolean): Promise<string> {
    let left = text;
    while (left !== "") {
      await this.#asked?.promise;
      this.#signal.throwIfAborted();
      if (this.#isStopped) {
        throw new InvalidResult("Cannot send the rest: the call failed meanwhile");
      }
      this.#asked = Promise.withResolvers();
      const part = left.slice(0, MAX_CHUNK_CHARS);
      this.#send({ type: "chunk", id: this.#id, index: this.#index++, text: part });
      left = left.slice(part.length);
      if (!all) break;
    }
    return left;
  }
}
