/**
 * Cutting foreign text down to what may stand in a log line or an error.
 * @module
 */

// CSI and OSC sequences with either introducer, then other two-byte escapes; every repetition is bounded.
const ESCAPES =
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,16}[@-~]?|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\n]{0,4096}(?:\u0007|\u001b\\|\u009c)?|\u001b[ -~]?/g;
// Control and format characters (zero-width, bidirectional, tags), line separators, lone surrogates and
// supplementary variation selectors.
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{e0100}-\u{e01ef}]/gu;
const MARGIN = 4;

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
  const plain = near.replaceAll("\r\n", "\n").replace(ESCAPES, "").replace(INVISIBLE, "");
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
