/**
 * Arguments that were written as one text.
 * @module
 */

const MAX_CHARS = 32_768;
/** One item of a list: a text in double or in single quotes. */
const ITEM = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*/y;

/**
 * Reads arguments that are one text: a list in brackets, as JSON or Python writes it, else words as a shell takes them
 * apart, without expansions.
 *
 * @param text The text.
 * @returns The arguments.
 * @throws {SyntaxError} If a quote or a bracket is not closed, or something else stands in the list.
 */
export function readArgumentText(text: string): readonly string[] {
  if (text.length > MAX_CHARS) throw new SyntaxError(`it is longer than ${MAX_CHARS} characters`);
  const trimmed = text.trim();
  return /^[[{(]/.test(trimmed) ? readList(trimmed) : splitWords(trimmed);
}

function readList(text: string): readonly string[] {
  const body = /^\[([^]*)\]$/.exec(text)?.[1];
  if (body === undefined) throw new SyntaxError("it begins like a list and does not end like one");
  const items: string[] = [];
  let at = 0;
  while (body.slice(at).trim() !== "") {
    ITEM.lastIndex = at;
    const found = ITEM.exec(body);
    if (found === null) {
      throw new SyntaxError(`"${body.slice(at, at + 20)}" is not a text in quotes`);
    }
    items.push(found[1] === undefined ? unescape(found[2]!) : JSON.parse(`"${found[1]}"`));
    at = ITEM.lastIndex;
    if (body[at] === ",") at++;
    else if (at < body.length) throw new SyntaxError("a comma is missing between two items");
  }
  return items;
}

function unescape(text: string): string {
  const named: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
  return text.replace(/\\(.)/gs, (_, char: string) => named[char] ?? char);
}

function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  const piece = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gys;
  let at = 0;
  for (let found = piece.exec(text); found !== null; found = piece.exec(text)) {
    at = piece.lastIndex;
    const [whole, single, double, escaped, plain] = found;
    if (/^\s/.test(whole)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") +
        (single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain ?? "");
    }
  }
  if (at < text.length) throw new SyntaxError("a quote is not closed");
  return word === undefined ? words : [...words, word];
}
