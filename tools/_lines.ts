/**
 * A text as lines that remember their line ends.
 * @module
 */
import { mainLineEnd } from "./_text.ts";

/** One line of a file. */
export interface FileLine {
  /** The line without its line end. */
  readonly text: string;
  /** Its line end; empty for a last line that has none. */
  readonly end: "" | "\n" | "\r\n";
}

/**
 * Splits a text.
 *
 * @param text The text.
 * @returns Its lines; none for an empty text, and none after the last line end.
 */
export function splitLines(text: string): FileLine[] {
  const lines: FileLine[] = [];
  for (let start = 0; start < text.length;) {
    const at = text.indexOf("\n", start);
    if (at === -1) return [...lines, { text: text.slice(start), end: "" }];
    const crlf = at > start && text[at - 1] === "\r";
    lines.push({ text: text.slice(start, crlf ? at - 1 : at), end: crlf ? "\r\n" : "\n" });
    start = at + 1;
  }
  return lines;
}

/**
 * Puts changed lines together again. The last line has a line end if the original's last line had one, or
 * the original was empty; a line that moved away from the end gets the one that most lines have.
 *
 * @param lines The lines.
 * @param original The text they came from.
 * @returns The new text.
 */
export function joinLines(lines: readonly FileLine[], original: string): string {
  const usual = mainLineEnd(original);
  const closed = original === "" || original.endsWith("\n");
  return lines.map(({ text, end }, index) => {
    if (index < lines.length - 1 || closed) return text + (end || usual);
    return text;
  }).join("");
}

/** A text with LF line ends only, and the way back to the places in the original. */
export interface LfText {
  /** The text. */
  readonly text: string;
  /** Gives the offset in the original for an offset in `text`. */
  original(offset: number): number;
}

/**
 * Replaces CR LF by LF.
 *
 * @param original The text.
 * @returns The text with LF, and the way back.
 */
export function toLf(original: string): LfText {
  const dropped: number[] = [];
  for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2)) {
    dropped.push(at - dropped.length);
  }
  const back = (offset: number): number => offset + countBelow(dropped, offset);
  return { text: original.replaceAll("\r\n", "\n"), original: back };
}

/**
 * The number of the line that an offset is in.
 *
 * @param text A text with LF line ends.
 * @param offset The offset.
 * @returns The line, from 1.
 */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
  }
  return line;
}

/**
 * The white space that a line begins with.
 *
 * @param line The line.
 * @returns Spaces and tabs.
 */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

/**
 * Gives new lines the indentation of the file, when the old lines were written with another one.
 *
 * @param lines The new lines.
 * @param written The old lines as the model wrote them.
 * @param found The same lines as they stand in the file.
 * @returns The new lines, indented like the file where it can be told.
 */
export function reindent(
  lines: readonly string[],
  written: readonly string[],
  found: readonly string[],
): string[] {
  const indents = new Map<string, string>();
  written.forEach((line, index) => {
    const there = found[index];
    if (line.trim() === "" || there === undefined || there.trim() === "") return;
    if (!indents.has(indentOf(line))) indents.set(indentOf(line), indentOf(there));
  });
  return lines.map((line) => {
    if (line.trim() === "") return line;
    const own = indentOf(line);
    const known = [...indents.keys()].filter((indent) => own.startsWith(indent))
      .sort((a, b) => b.length - a.length)[0];
    return known === undefined ? line : indents.get(known)! + line.slice(known.length);
  });
}

/** How many of the sorted numbers are below `limit`. */
function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
