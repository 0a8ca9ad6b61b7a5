/**
 * When two names count as the same.
 * @module
 */
import { CONFUSABLES } from "./confusables.ts";

const FOLDED = /^[a-z0-9_]*$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const ASCII = /^\p{ASCII}*$/u;

/**
 * Folds a name: compatibility forms (NFKC), lower case, `-` and `.` to `_`, look-alike letters of other
 * scripts to their Latin ones, invisible characters removed. `l` and `1`, `O` and `0` stay different.
 * Folding twice gives the same as folding once.
 *
 * @param name A name.
 * @returns What it is compared by.
 *
 * @example Two spellings of one name
 * ```ts
 * import { foldName } from "./fold.ts";
 *
 * console.log(foldName("Read-File") === foldName("read_file")); // true
 * ```
 */
export function foldName(name: string): string {
  if (FOLDED.test(name)) return name;
  if (ASCII.test(name)) return foldLatin(name);
  let folded = name;
  let before: string;
  // Lower case can make a new look-alike, and a decomposition a new capital.
  do {
    before = folded;
    folded = foldLatin(foldLetters(before.normalize("NFKC").replace(INVISIBLE, "")));
  } while (folded !== before);
  return folded;
}

function foldLatin(text: string): string {
  return text.toLowerCase().replace(/[-.]/g, "_");
}

function foldLetters(text: string): string {
  return Array.from(text, (letter) => CONFUSABLES.get(letter) ?? letter).join("");
}
