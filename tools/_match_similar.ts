/**
 * Blocks of lines that are like others without being the same.
 * @module
 */
import { editDistance } from "./_near_names.ts";

/** Some lines of a file. */
export interface Block {
  /** Index of the first line. */
  readonly from: number;
  /** How many lines. */
  readonly count: number;
}

const BETWEEN_ANCHORS = 0.6;
const SAME_LENGTH = 0.85;
const COMPARED_CHARS = 200;

/**
 * Blocks whose first and last line equal those of `wanted`, white space aside, with like lines between.
 *
 * @param lines The file's lines.
 * @param wanted The lines to look for; with fewer than three nothing is found.
 * @returns The blocks, in order; no two of them overlap in their first line.
 */
export function anchoredBlocks(lines: readonly string[], wanted: readonly string[]): Block[] {
  if (wanted.length < 3) return [];
  const [first, last] = [wanted[0]!.trim(), wanted.at(-1)!.trim()];
  if (first === "" || last === "") return [];
  const blocks: Block[] = [];
  for (let from = 0; from < lines.length; from++) {
    if (lines[from]!.trim() !== first) continue;
    const block = closeBlock(lines, wanted, from, last);
    if (block) blocks.push(block);
  }
  return blocks;
}

/**
 * Blocks of as many lines as `wanted`, at least half of them equal, all together alike.
 *
 * @param lines The file's lines.
 * @param wanted The lines to look for; with fewer than two nothing is found.
 * @returns The blocks, in order.
 */
export function similarBlocks(lines: readonly string[], wanted: readonly string[]): Block[] {
  if (wanted.length < 2) return [];
  const [there, asked] = [lines.map(trimmed), wanted.map(trimmed)];
  const blocks: Block[] = [];
  for (let from = 0; from + asked.length <= there.length; from++) {
    if (!halfEqual(there, asked, from)) continue;
    const window = there.slice(from, from + asked.length);
    if (similarity(window, asked) >= SAME_LENGTH) blocks.push({ from, count: asked.length });
  }
  return blocks;
}

/**
 * The line of a file that is most like another one.
 *
 * @param lines The file's lines.
 * @param wanted The line to look for.
 * @returns Its index, or `undefined` when no line is half alike.
 */
export function likeliestLine(lines: readonly string[], wanted: string): number | undefined {
  let best: number | undefined;
  let score = 0.5;
  lines.forEach((line, index) => {
    const value = lineSimilarity(line.trim(), wanted.trim());
    if (value > score) [best, score] = [index, value];
  });
  return best;
}

function closeBlock(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  last: string,
): Block | undefined {
  const slack = Math.floor(wanted.length / 4);
  let best: Block | undefined;
  let score = BETWEEN_ANCHORS;
  for (let count = wanted.length - slack; count <= wanted.length + slack; count++) {
    if (count < 2 || lines[from + count - 1]?.trim() !== last) continue;
    const inner = lines.slice(from + 1, from + count - 1).map(trimmed);
    const value = similarity(inner, wanted.slice(1, -1).map(trimmed));
    if (value >= score) [best, score] = [{ from, count }, value];
  }
  return best;
}

function halfEqual(there: readonly string[], asked: readonly string[], from: number): boolean {
  let equal = 0;
  for (let index = 0; index < asked.length; index++) {
    if (asked[index] !== "" && there[from + index] === asked[index]) equal++;
  }
  return equal * 2 >= asked.length;
}

/** From 0 to 1: the mean of the lines at the same places. */
function similarity(a: readonly string[], b: readonly string[]): number {
  const count = Math.max(a.length, b.length);
  if (count === 0) return 1;
  let sum = 0;
  for (let index = 0; index < count; index++) {
    const [one, other] = [a[index], b[index]];
    if (one !== undefined && other !== undefined) sum += lineSimilarity(one, other);
  }
  return sum / count;
}

function lineSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  const longest = Math.max(a.length, b.length);
  if (Math.abs(a.length - b.length) > longest / 2) return 0;
  const [one, other] = [a.slice(0, COMPARED_CHARS), b.slice(0, COMPARED_CHARS)];
  return 1 - editDistance(one, other) / Math.max(one.length, other.length);
}

function trimmed(line: string): string {
  return line.trim();
}
