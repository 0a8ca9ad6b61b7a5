/**
 * Applies the chunks of a V4A patch to a text.
 * @module
 */
import { ToolError } from "@cloister/cloister/tool";
import { type FileLine, joinLines, reindent, splitLines } from "./_lines.ts";
import { likeliestLine } from "./_match_similar.ts";
import { cutText, mainLineEnd } from "./_text.ts";
import type { Chunk } from "./_v4a_parse.ts";

type Compare = (line: string) => string;

/** How lines are compared, strictest first. */
const COMPARISONS: readonly Compare[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
];

/** A text after a patch. */
export interface Patched {
  /** The whole new text. */
  readonly text: string;
  /** Whether white space had to be ignored to find a place. */
  readonly fuzzy: boolean;
}

interface Edit {
  readonly at: number;
  readonly count: number;
  readonly lines: readonly FileLine[];
  readonly fuzzy: boolean;
}

/**
 * Applies chunks one after the other; each is looked for below the one before.
 *
 * @param original The file's text.
 * @param chunks The chunks.
 * @param name What to call the file in messages.
 * @returns The new text.
 * @throws {ToolError} If a chunk has no place, or more than one.
 */
export function applyChunks(original: string, chunks: readonly Chunk[], name: string): Patched {
  const lines = splitLines(original);
  const end = mainLineEnd(original);
  const result: FileLine[] = [];
  let [done, fuzzy] = [0, false];
  for (const chunk of chunks) {
    const edit = editOf(lines, chunk, done, name, end);
    result.push(...lines.slice(done, edit.at), ...edit.lines);
    done = edit.at + edit.count;
    fuzzy ||= edit.fuzzy;
  }
  result.push(...lines.slice(done));
  return { text: joinLines(result, original), fuzzy };
}

function editOf(
  lines: readonly FileLine[],
  chunk: Chunk,
  from: number,
  name: string,
  end: "\n" | "\r\n",
): Edit {
  const texts = lines.map(({ text }) => text);
  const start = afterAnchors(texts, chunk, from, name);
  const old = chunk.lines.filter(({ mark }) => mark !== "+").map(({ text }) => text);
  const added = chunk.lines.filter(({ mark }) => mark === "+").map(({ text }) => text);
  if (old.length === 0) {
    const at = chunk.anchors.length > 0 && !chunk.endOfFile ? start : lines.length;
    return { at, count: 0, lines: added.map((text) => ({ text, end })), fuzzy: false };
  }
  const { at, level } = find(texts, old, start, chunk, name);
  const found = texts.slice(at, at + old.length);
  const fitted = level === 2 ? reindent(added, old, found) : added;
  return { at, count: old.length, lines: merge(chunk, lines, at, fitted, end), fuzzy: level > 0 };
}

/** Kept lines stay as the file has them. */
function merge(
  chunk: Chunk,
  lines: readonly FileLine[],
  at: number,
  added: readonly string[],
  end: "\n" | "\r\n",
): FileLine[] {
  const merged: FileLine[] = [];
  let [next, taken] = [at, 0];
  for (const { mark } of chunk.lines) {
    if (mark === "+") merged.push({ text: added[taken++]!, end });
    else if (mark === " ") merged.push(lines[next++]!);
    else next++;
  }
  return merged;
}

function afterAnchors(texts: readonly string[], chunk: Chunk, from: number, name: string): number {
  let at = from;
  for (const anchor of chunk.anchors) {
    const found = anchorAt(texts, anchor, at);
    if (found === -1) {
      throw new ToolError(
        `Cannot patch "${name}": no line "${cutText(anchor, 200)}" below line ${at} ` +
          `(chunk at line ${chunk.line} of the patch)${nearHint(texts, anchor)}`,
      );
    }
    at = found + 1;
  }
  return at;
}

function anchorAt(texts: readonly string[], anchor: string, from: number): number {
  const wanted = anchor.trim();
  const tests: readonly ((line: string) => boolean)[] = [
    (line) => line === anchor,
    (line) => line.trim() === wanted,
    (line) => line.includes(wanted),
  ];
  for (const test of tests) {
    const found = texts.findIndex((line, index) => index >= from && test(line));
    if (found !== -1) return found;
  }
  return -1;
}

function find(
  texts: readonly string[],
  old: readonly string[],
  from: number,
  chunk: Chunk,
  name: string,
): { at: number; level: number } {
  for (const [level, compare] of COMPARISONS.entries()) {
    const places = placesOf(texts.map(compare), old.map(compare), from, chunk.endOfFile);
    if (places.length > 1 && chunk.anchors.length === 0) throw ambiguous(places, chunk, name);
    if (places.length > 0) return { at: places[0]!, level };
  }
  throw notFound(texts, old, from, chunk, name);
}

function placesOf(
  texts: readonly string[],
  old: readonly string[],
  from: number,
  endOfFile: boolean,
): number[] {
  const places: number[] = [];
  const last = texts.length - old.length;
  for (let at = endOfFile ? Math.max(from, last) : from; at <= last; at++) {
    if (old.every((line, index) => texts[at + index] === line)) places.push(at);
  }
  return places;
}

function ambiguous(places: readonly number[], chunk: Chunk, name: string): ToolError {
  const lines = places.map((at) => at + 1);
  return new ToolError(
    `Cannot patch "${name}": the chunk at line ${chunk.line} of the patch fits ${lines.length} places, at ` +
      `lines ${lines.slice(0, 10).join(", ")}. Add context lines, or a line "@@ ..." before it`,
    { details: { lines } },
  );
}

function notFound(
  texts: readonly string[],
  old: readonly string[],
  from: number,
  chunk: Chunk,
  name: string,
): ToolError {
  const above = placesOf(texts, old, 0, false).filter((at) => at < from);
  const head =
    `Cannot patch "${name}": the lines of the chunk at line ${chunk.line} of the patch are not `;
  if (chunk.endOfFile) return new ToolError(`${head}at the end of the file`);
  if (above.length > 0) {
    return new ToolError(
      `${head}below line ${from}, only at line ${
        above[0]! + 1
      }. Chunks must come in the order of the file`,
    );
  }
  const first = old.find((line) => line.trim() !== "") ?? "";
  return new ToolError(`${head}in the file${nearHint(texts, first)}`);
}

function nearHint(texts: readonly string[], wanted: string): string {
  const near = likeliestLine(texts, wanted);
  if (near === undefined) return ". Read the file again";
  return `. The likeliest line:\n${near + 1}|${cutText(texts[near]!, 200)}`;
}
