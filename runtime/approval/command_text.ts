/**
 * The ways in which a text may be read as a command.
 * @module
 */

// Format characters, which are not seen: zero width, bidirectional, tags, soft hyphen.
const UNSEEN = /[\p{Cf}\u115f\u1160\u3164\uffa0]/gu;
// Letters of other scripts that look like Latin ones.
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [..."аaсcеeіiјjоoрpѕsхxуyһhԁdԛqѡwɡgαaοoρpνvτtκkιiмmтtкkнhвbгr"].reduce<[string, string][]>(
    (pairs, char, index, all) => index % 2 === 0 ? [...pairs, [char, all[index + 1]!]] : pairs,
    [],
  ),
);

/**
 * A text as it is, and as it would be if what only looks like a letter, a quote or a blank were one. Both are looked
 * at, because what one of them hides in quotes the other may run.
 *
 * @param text The command.
 * @returns One or two texts.
 */
export function readingsOf(text: string): readonly string[] {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return [text];
  const folded = text.normalize("NFKC").replace(UNSEEN, "").replace(
    /[\u0370-\u052f\u0250-\u02af]/g,
    (char) => LOOK_ALIKES.get(char) ?? char,
  );
  return folded === text ? [text] : [text, folded];
}

/**
 * A text whose quotes mean nothing.
 *
 * @param text The command.
 * @returns The same length of text.
 */
export function withoutQuotes(text: string): string {
  return text.replace(/["'`\\]/g, " ");
}
