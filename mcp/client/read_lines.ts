/**
 * Cutting a stream of bytes into lines, with a bound.
 * @module
 */

/** How the lines are cut. */
export interface ReadLinesOptions {
  /** The longest line in bytes. */
  readonly maxBytes: number;
  /** Whether a longer line is cut, or an error. */
  readonly tooLong: "cut" | "fail";
  /** Ends the reading; what holds the other end of a pipe may never close it. */
  readonly signal?: AbortSignal;
}

const NEWLINE = 10;

/**
 * Reads lines of UTF-8. A last line without an end is given too.
 *
 * @param stream The bytes.
 * @param options How the lines are cut.
 * @returns The lines without their ends.
 * @throws {RangeError} If a line is too long and that is an error.
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  { maxBytes, tooLong, signal }: ReadLinesOptions,
): AsyncGenerator<string, void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array): void => {
    if (length + part.length > maxBytes && tooLong === "fail") {
      throw new RangeError(`A line is longer than ${maxBytes} bytes`);
    }
    const kept = part.subarray(0, Math.max(0, maxBytes - length));
    if (kept.length > 0) parts.push(kept);
    length += kept.length;
  };
  for await (const chunk of chunksOf(stream, signal)) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      const line = join(parts, length);
      parts = [];
      length = 0;
      yield line;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield join(parts, length);
}

async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

function join(parts: readonly Uint8Array[], length: number): string {
  if (parts.length === 1) return decode(parts[0]!);
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return decode(whole);
}

function decode(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
