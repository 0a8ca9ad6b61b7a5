/**
 * Makes foreign text harmless for a terminal and for the eye.
 * @module
 */

// Control characters, soft hyphen, Arabic letter mark, Mongolian vowel separator, zero-width and bidirectional
// marks, line separators, invisible operators, byte order mark, tag characters, supplementary variation
// selectors, and surrogates that stand alone.
const UNSAFE =
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]|\p{Surrogate}/gu;
const JOINED_EMOJI = /^\p{Extended_Pictographic}$/u;

/**
 * Writes characters that steer a terminal, turn the text's direction or cannot be seen as `\u{…}`. Line breaks
 * and tabs stay. A joiner between two pictures stays too: it makes them one.
 *
 * @param text Text of a tool, a model or a file.
 * @returns Text that shows what it holds.
 */
export function neutralise(text: string): string {
  return text.replace(UNSAFE, (character, offset: number) => {
    if (character === "\u200d" && joinsEmoji(text, offset)) return character;
    return `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
}

/**
 * Like {@linkcode neutralise}, and on one line.
 *
 * @param text Text of a tool, a model or a file.
 * @returns One line.
 */
export function neutraliseLine(text: string): string {
  return neutralise(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/**
 * JSON text in which the same characters are written as `\uXXXX`: the value stays what it is.
 *
 * @param json JSON text.
 * @returns JSON text of the same value.
 */
export function neutraliseJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    // By code unit: JSON writes what lies above U+FFFF as a pair.
    character.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""));
}

function joinsEmoji(text: string, offset: number): boolean {
  const before = [...text.slice(Math.max(0, offset - 4), offset).replaceAll("\ufe0f", "")].at(-1);
  const after = String.fromCodePoint(text.codePointAt(offset + 1) ?? 0);
  return JOINED_EMOJI.test(before ?? "") && JOINED_EMOJI.test(after);
}
