/**
 * Text files: which encoding, which line ends.
 * @module
 */

/** An encoding that the file tools read and write. */
export type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be";

/** A decoded file. */
export interface DecodedText {
  /** The text without its byte order mark. */
  readonly text: string;
  /** How it was stored. */
  readonly encoding: Encoding;
  /** False when some bytes were no valid text; they became U+FFFD. */
  readonly valid: boolean;
}

/** What to call each encoding in messages. */
export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = Object.freeze({
  "utf-8": "UTF-8",
  "utf-8-bom": "UTF-8 with byte order mark",
  "utf-16le": "UTF-16 little endian",
  "utf-16be": "UTF-16 big endian",
});

/**
 * Tells the encoding by the byte order mark; without one it is UTF-8.
 *
 * @param head The first bytes of the file, three or more when it has them.
 * @returns The encoding.
 */
export function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? "utf-8-bom" : "utf-8";
}

/**
 * A decoder for an encoding; it drops the byte order mark.
 *
 * @param encoding The encoding.
 * @param fatal Whether bytes that are no text throw a `TypeError`.
 * @returns The decoder.
 */
export function decoderOf(encoding: Encoding, fatal: boolean): TextDecoder {
  return new TextDecoder(encoding === "utf-8-bom" ? "utf-8" : encoding, { fatal });
}

/**
 * Decodes a whole file.
 *
 * @param bytes The file's bytes.
 * @returns Text, encoding, and whether every byte was text.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = encodingOf(bytes);
  try {
    return { text: decoderOf(encoding, true).decode(bytes), encoding, valid: true };
  } catch {
    return { text: decoderOf(encoding, false).decode(bytes), encoding, valid: false };
  }
}

/**
 * Encodes a text, with the byte order mark where the encoding has one.
 *
 * @param text The text.
 * @param encoding How to store it.
 * @returns The bytes.
 */
export function encodeText(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  if (encoding === "utf-8") return new TextEncoder().encode(text);
  if (encoding === "utf-8-bom") return new TextEncoder().encode("\uFEFF" + text);
  const view = new DataView(new ArrayBuffer(2 + text.length * 2));
  const little = encoding === "utf-16le";
  view.setUint16(0, 0xfeff, little);
  for (let i = 0; i < text.length; i++) view.setUint16(2 + i * 2, text.charCodeAt(i), little);
  return new Uint8Array(view.buffer);
}

/**
 * The line end that most lines of a text have.
 *
 * @param text The text.
 * @returns `\r\n` when more than half of the line ends are, else `\n`.
 */
export function mainLineEnd(text: string): "\n" | "\r\n" {
  const all = text.split("\n").length - 1;
  return text.split("\r\n").length - 1 > all / 2 ? "\r\n" : "\n";
}

/**
 * Cuts a text to a number of UTF-16 code units and says how many are missing. A surrogate pair is not split.
 *
 * @param text The text.
 * @param most How many to keep.
 * @param length How long the whole text is, when `text` is only its beginning.
 * @returns The text, or its beginning with a marker.
 */
export function cutText(text: string, most: number, length: number = text.length): string {
  if (length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
  return `${text.slice(0, end)}… [+${length - end} characters]`;
}

/**
 * How many lines a text has: a line end closes a line, and what follows the last one counts when not empty.
 *
 * @param text The text.
 * @returns The number of lines.
 */
export function lineCount(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
