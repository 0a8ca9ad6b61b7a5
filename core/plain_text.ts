/**
 * Cutting foreign text down to what may stand in a log line or an error.
 * @module
 */
import { stripHidden } from "./hidden_text.ts";

// What ends a line on its own, or stands alone where two belong together.
const LINE_ENDS = /[\r\u2028\u2029]/g;
const MARGIN = 4;

const LONE_SURROGATES = /\p{Surrogate}/gu;

/**
 * Takes out what steers a terminal or cannot be seen, and bounds the length.
 *
 * @param text Text of a server, a tool or a file.
 * @param maxChars The longest text to give back.
 * @returns Plain text; line breaks and tabs stay. A text that was cut ends in `…`.
 */
export function plainText(text: string, maxChars: number): string {
  // What is far behind the limit is not even looked at.
  const near = text.slice(0, maxChars * MARGIN);
  const plain = stripHidden(near.replaceAll(LONE_SURROGATES, "")).text.replace(LINE_ENDS, "");
  const wasCut = plain.length > maxChars || near.length < text.length;
  return wasCut ? `${plain.slice(0, Math.max(0, maxChars - 1)).toWellFormed()}…` : plain;
}

/**
 * Like {@linkcode plainText}, and on one line.
 *
 * @param text Text of a server, a tool or a file.
 * @param maxChars The longest text to give back.
 * @returns One line without white space at its ends.
 */
export function plainLine(text: string, maxChars: number): string {
  return plainText(text, maxChars).replace(/[\n\t]+/g, " ").trim();
}
