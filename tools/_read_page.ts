/**
 * Reads some lines of a text file without holding the rest of it.
 * @module
 */
import { type ToolContext, ToolError } from "@cloister/cloister/tool";
import { binaryType } from "./_file_type.ts";
import { cutText, decoderOf, type Encoding, encodingOf } from "./_text.ts";

/** Longest line that is shown whole, in UTF-16 code units. */
export const MAX_LINE_CHARS = 2_000;
const HEAD_BYTES = 8_192;
const CHUNK_BYTES = 262_144;

/** Which lines to take. */
export interface Window {
  /** The first line, from 1. */
  readonly offset: number;
  /** How many. */
  readonly limit: number;
}

/** Lines of a text and what there is to know of the whole. */
export interface Page {
  /** The lines of the window without their line ends, long ones cut. */
  readonly lines: readonly string[];
  /** How many lines the whole text has. */
  readonly total: number;
  /** How many of them end with CR LF. */
  readonly crlf: number;
  /** Whether the last line ends with a line end. */
  readonly closed: boolean;
}

/** Splits a text that comes in pieces into lines and keeps those of a window. */
export class LineWindow {
  readonly #window: Window;
  readonly #lines: string[] = [];
  #total = 0;
  #crlf = 0;
  #kept = "";
  #length = 0;
  #last = "";

  /**
   * Starts at the first line.
   *
   * @param window Which lines to keep.
   */
  constructor(window: Window) {
    this.#window = window;
  }

  /**
   * Takes the next piece of the text.
   *
   * @param piece The piece; it may end anywhere.
   */
  add(piece: string): void {
    let start = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", start)) {
      this.#grow(piece.slice(start, end));
      this.#close();
      start = end + 1;
    }
    this.#grow(piece.slice(start));
  }

  /**
   * Ends the text.
   *
   * @returns The lines of the window and the figures.
   */
  finish(): Page {
    const closed = this.#length === 0;
    if (!closed) this.#push();
    return { lines: this.#lines, total: this.#total, crlf: this.#crlf, closed };
  }

  #grow(part: string): void {
    if (part === "") return;
    if (this.#kept.length <= MAX_LINE_CHARS) {
      this.#kept += part.slice(0, MAX_LINE_CHARS + 1 - this.#kept.length);
    }
    this.#length += part.length;
    this.#last = part.at(-1)!;
  }

  #close(): void {
    if (this.#length > 0 && this.#last === "\r") {
      this.#crlf++;
      this.#length--;
      this.#kept = this.#kept.slice(0, this.#length);
    }
    this.#push();
  }

  #push(): void {
    const index = ++this.#total - this.#window.offset;
    if (index >= 0 && index < this.#window.limit) {
      this.#lines.push(cutText(this.#kept, MAX_LINE_CHARS, this.#length));
    }
    this.#kept = "";
    this.#length = 0;
  }
}

/** A page of a file, with how the file is stored. */
export interface FilePage extends Page {
  /** The file's encoding. */
  readonly encoding: Encoding;
  /** False when some bytes were no text. */
  readonly valid: boolean;
}

/**
 * Reads the lines of a window.
 *
 * @param path The file, a real path.
 * @param name What to call it in messages.
 * @param window Which lines.
 * @param context The call's context.
 * @returns The page.
 * @throws {ToolError} If the file is binary; the message names its type.
 */
export async function readPage(
  path: string,
  name: string,
  window: Window,
  context: ToolContext,
): Promise<FilePage> {
  using file = await Deno.open(path);
  const head = await readHead(file);
  const type = binaryType(head);
  if (type) throw binaryError(name, type);
  const encoding = encodingOf(head);
  for (const fatal of [true, false]) {
    await file.seek(0, Deno.SeekMode.Start);
    const lines = new LineWindow(window);
    if (await decodeInto(lines, file, { encoding, fatal, name, context })) {
      return { ...lines.finish(), encoding, valid: fatal };
    }
  }
  throw new ToolError(`Cannot decode "${name}"`);
}

/**
 * The error for a file that is no text.
 *
 * @param name What to call the file.
 * @param type What it is.
 * @returns The error, to be thrown.
 */
export function binaryError(name: string, type: string): ToolError {
  return new ToolError(`"${name}" is not a text file: ${type}`, { details: { type } });
}

interface Decoding {
  readonly encoding: Encoding;
  readonly fatal: boolean;
  readonly name: string;
  readonly context: ToolContext;
}

/** Gives false when `fatal` is set and a byte is no text. */
async function decodeInto(
  lines: LineWindow,
  file: Deno.FsFile,
  { encoding, fatal, name, context }: Decoding,
): Promise<boolean> {
  const decoder = decoderOf(encoding, fatal);
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let count: number | null; (count = await file.read(chunk)) !== null;) {
    context.signal.throwIfAborted();
    const text = decodeOr(decoder, chunk.subarray(0, count));
    if (text === undefined) return false;
    if (text.includes("\0")) throw binaryError(name, "unknown binary data (it holds NUL)");
    lines.add(text);
  }
  const rest = decodeOr(decoder);
  if (rest === undefined) return false;
  lines.add(rest);
  return true;
}

function decodeOr(decoder: TextDecoder, bytes?: Uint8Array): string | undefined {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    return undefined;
  }
}

async function readHead(file: Deno.FsFile): Promise<Uint8Array> {
  const head = new Uint8Array(HEAD_BYTES);
  let filled = 0;
  while (filled < HEAD_BYTES) {
    const count = await file.read(head.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return head.subarray(0, filled);
}
