/**
 * Turns what a process prints into lines of bounded length and number.
 * @module
 */
import type { Readable } from "node:stream";

const MAX_LINE_CHARS = 4096;
const LINES_PER_SECOND = 200;
const TAIL_CHARS = 8192;

/** Collects a stream's lines. */
export class OutputLog {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new TextDecoder();
  #partial = "";
  #tail = "";
  #second = 0;
  #lines = 0;
  #dropped = 0;
  readonly #end = Promise.withResolvers<void>();

  /**
   * Starts to collect.
   *
   * @param stream The stream.
   * @param onLine Receives each line; at most 200 a second, the rest are counted.
   */
  constructor(stream: Readable, onLine: (line: string) => void) {
    this.#onLine = onLine;
    stream.on("data", (chunk: Uint8Array) => this.#take(chunk));
    stream.on("end", () => this.#flush());
    stream.on("error", () => this.#flush());
  }

  /** The last few thousand characters, for finding out why a process died. */
  get tail(): string {
    return this.#tail;
  }

  /**
   * Waits for the stream's end.
   *
   * @param withinMs How long to wait at most, in milliseconds.
   */
  async ended(withinMs: number): Promise<void> {
    const timer = setTimeout(() => this.#end.resolve(), withinMs);
    await this.#end.promise;
    clearTimeout(timer);
  }

  #take(chunk: Uint8Array): void {
    const text = this.#decoder.decode(chunk, { stream: true });
    this.#tail = (this.#tail + text).slice(-TAIL_CHARS);
    const lines = (this.#partial + text).split("\n");
    this.#partial = lines.pop()!;
    for (const line of lines) this.#say(line);
    // A line without an end must not grow without bound.
    while (this.#partial.length > MAX_LINE_CHARS) {
      this.#say(this.#partial.slice(0, MAX_LINE_CHARS));
      this.#partial = this.#partial.slice(MAX_LINE_CHARS);
    }
  }

  #say(line: string): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      if (this.#dropped > 0) this.#onLine(`${this.#dropped} lines were dropped: too many a second`);
      this.#second = second;
      this.#lines = 0;
      this.#dropped = 0;
    }
    if (++this.#lines > LINES_PER_SECOND) this.#dropped++;
    else this.#onLine(line.slice(0, MAX_LINE_CHARS));
  }

  #flush(): void {
    this.#end.resolve();
    if (this.#partial !== "") this.#say(this.#partial);
    this.#partial = "";
    if (this.#dropped > 0) this.#onLine(`${this.#dropped} lines were dropped: too many a second`);
    this.#dropped = 0;
  }
}
