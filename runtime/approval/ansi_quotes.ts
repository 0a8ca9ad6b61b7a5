/**
 * The escapes between `$'` and `'`.
 * @module
 */

const SIMPLE: Readonly<Record<string, string>> = Object.freeze({
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
});

/**
 * What `$'…'` stands for.
 *
 * @param text The text between the quotes.
 * @returns The text with its escapes resolved.
 */
export function decodeAnsiQuoted(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g,
    (_all, byte?: string, short?: string, long?: string, octal?: string, other?: string) => {
      if (other !== undefined) return Object.hasOwn(SIMPLE, other) ? SIMPLE[other]! : other;
      const code = octal === undefined
        ? parseInt(byte ?? short ?? long ?? "0", 16)
        : parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}
