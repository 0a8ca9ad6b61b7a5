/**
 * Lines of a byte stream, bounded.
 * @module
 */

/** What came. */
export type ReadLine =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "too-long" };

const NEWLINE = 10;

/** Splits bytes into lines. A line that is too long is told of once, and skipped. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder();
  #parts: Uint8Array[] = [];
  #size = 0;
  #isSkipping = false;

  /**
   * Makes a reader.
   *
   * @param maxBytes Longest line, in bytes.
   */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes bytes.
   *
   * @param chunk The bytes.
   * @returns The lines that end in them.
   */
  *push(chunk: Uint8Array): Generator<ReadLine> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield* this.#add(chunk.subarray(start, end));
      if (!this.#isSkipping) yield { kind: "line", text: this.#take() };
      this.#isSkipping = false;
      start = end + 1;
    }
    yield* this.#add(chunk.subarray(start));
  }

  *#add(part: Uint8Array): Generator<ReadLine> {
    if (this.#isSkipping || part.length === 0) return;
    this.#size += part.length;
    if (this.#size <= this.#maxBytes) {
      // The stream may use its buffer again.
      this.#parts.push(part.slice());
      return;
    }
    this.#clear();
    this.#isSkipping = true;
    yield { kind: "too-long" };
  }

  #take(): string {
    const whole = this.#parts.length === 1 ? this.#parts[0]! : join(this.#parts, this.#size);
    this.#clear();
    const text = this.#decoder.decode(whole);
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }

  #clear(): void {
    this.#parts = [];
    this.#size = 0;
  }
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
