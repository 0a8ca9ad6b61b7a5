/**
 * Finds a text in a file although its white space may differ: the strategies, strictest first.
 * @module
 */
import { anchoredBlocks, similarBlocks } from "./_match_similar.ts";
import { indentOf, reindent } from "./_lines.ts";

/** A place that a strategy found, and what to put there. */
export interface Match {
  /** Where it begins. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
  /** The new text, fitted to the place. */
  readonly replacement: string;
}

/** A way of finding a text. */
export interface Strategy {
  /** What to call it in results. */
  readonly name: string;
  /** Whether it may change several places of one file. */
  readonly several: boolean;
  /** Finds the places of `old` in `text`, in order; they may overlap. All texts have LF line ends. */
  find(text: string, old: string, replacement: string): Match[];
}

/** The strategies in the order in which they are tried; the first that finds anything decides. */
export const STRATEGIES: readonly Strategy[] = [
  { name: "exact", several: true, find: exact },
  { name: "line-trimmed", several: true, find: lineTrimmed },
  { name: "indentation-flexible", several: true, find: indentationFlexible },
  { name: "whitespace-normalised", several: true, find: whitespaceNormalised },
  { name: "escape-normalised", several: true, find: escapeNormalised },
  { name: "trimmed-boundary", several: true, find: trimmedBoundary },
  { name: "block-anchor", several: false, find: blockAnchor },
  { name: "context-aware", several: false, find: contextAware },
];

/** Character for character. */
function exact(text: string, old: string, replacement: string): Match[] {
  const matches: Match[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + 1)) {
    matches.push({ start: at, end: at + old.length, replacement });
  }
  return matches;
}

/** White space at the ends of lines is ignored. */
function lineTrimmed(text: string, old: string, replacement: string): Match[] {
  const written = linesOf(old).map((line) => line.trimEnd());
  return windows(text, written.length)
    .filter(({ lines }) => lines.every((line, index) => line.trimEnd() === written[index]))
    .map((window) => fit(window, old, replacement));
}

/** The block may stand deeper or less deep in the file, as a whole. */
function indentationFlexible(text: string, old: string, replacement: string): Match[] {
  const written = dedent(linesOf(old));
  if (written.every((line) => line === "")) return [];
  return windows(text, written.length)
    .filter(({ lines }) => dedent(lines).every((line, index) => line === written[index]))
    .map((window) => fit(window, old, replacement));
}

/** Any run of white space equals any other. */
function whitespaceNormalised(text: string, old: string, replacement: string): Match[] {
  const words = old.trim().split(/\s+/);
  if (words[0] === "") return [];
  const [lead, trail] = [/^\s*/.exec(old)![0], /\s*$/.exec(old)![0]];
  const pattern = new RegExp(
    (lead.includes("\n") ? "\\n\\s*" : lead === "" ? "" : "[^\\S\\n]*") +
      words.map(escapeRegExp).join("\\s+") + (trail.includes("\n") ? "[^\\S\\n]*\\n" : ""),
    "g",
  );
  return [...text.matchAll(pattern)].map((found) => {
    const lines = reindent(replacement.split("\n"), old.split("\n"), found[0].split("\n"));
    return {
      start: found.index,
      end: found.index + found[0].length,
      replacement: lines.join("\n"),
    };
  });
}

/** The model wrote `\n`, `\t` or `\"` where the characters themselves were meant. */
function escapeNormalised(text: string, old: string, replacement: string): Match[] {
  const plain = unescape(old);
  return plain === old ? [] : exact(text, plain, unescape(replacement));
}

/** White space around the whole text is ignored. */
function trimmedBoundary(text: string, old: string, replacement: string): Match[] {
  const core = old.trim();
  if (core === "" || core === old) return [];
  return exact(text, core, replacement.trim());
}

/** First and last line are there, and what stands between is alike. */
function blockAnchor(text: string, old: string, replacement: string): Match[] {
  const lines = linesOf(text);
  return anchoredBlocks(lines, linesOf(old))
    .map(({ from, count }) => fit(windowAt(text, lines, from, count), old, replacement));
}

/** As many lines, most of them the same, the others alike. */
function contextAware(text: string, old: string, replacement: string): Match[] {
  const lines = linesOf(text);
  return similarBlocks(lines, linesOf(old))
    .map(({ from, count }) => fit(windowAt(text, lines, from, count), old, replacement));
}

interface LineWindow {
  readonly lines: readonly string[];
  readonly start: number;
  /** Where the last line ends, before its line end. */
  readonly end: number;
  /** Whether a line end follows. */
  readonly closed: boolean;
}

/** The lines of a text; a line end at its end opens no further line. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

function windows(text: string, count: number): LineWindow[] {
  const lines = linesOf(text);
  const found: LineWindow[] = [];
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length + 1);
  for (let from = 0; from + count <= lines.length; from++) {
    const end = starts[from + count]! - 1;
    const window = lines.slice(from, from + count);
    found.push({ lines: window, start: starts[from]!, end, closed: end < text.length });
  }
  return found;
}

function windowAt(
  text: string,
  lines: readonly string[],
  from: number,
  count: number,
): LineWindow {
  const start = lines.slice(0, from).reduce((sum, line) => sum + line.length + 1, 0);
  const window = lines.slice(from, from + count);
  const end = start + window.join("\n").length;
  return { lines: window, start, end, closed: end < text.length };
}

/** Whole lines were found: the replacement takes their indentation, and their line end where `old` has one. */
function fit(window: LineWindow, old: string, replacement: string): Match {
  const closed = old.endsWith("\n");
  const end = closed && window.closed ? window.end + 1 : window.end;
  const lines = reindent(replacement.split("\n"), linesOf(old), window.lines);
  const text = lines.join("\n");
  const surplus = closed && !window.closed && text.endsWith("\n");
  return { start: window.start, end, replacement: surplus ? text.slice(0, -1) : text };
}

function dedent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== "").map(indentOf);
  let common = indents[0] ?? "";
  for (const indent of indents) {
    while (!indent.startsWith(common)) common = common.slice(0, -1);
  }
  return lines.map((line) => line.trim() === "" ? "" : line.slice(common.length).trimEnd());
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "", "\\": "\\" };

function unescape(text: string): string {
  return text.replace(/\\([ntr\\'"`$])/g, (_, char: string) => ESCAPES[char] ?? char);
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
