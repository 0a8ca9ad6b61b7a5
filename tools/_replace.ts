/**
 * The mode `replace` of the tool `patch`: one text of a file for another.
 * @module
 */
import { ToolError } from "@cloister/cloister/tool";
import { lineAt, toLf } from "./_lines.ts";
import { type Match, STRATEGIES, type Strategy } from "./_match.ts";
import { likeliestLine } from "./_match_similar.ts";
import { cutText, mainLineEnd } from "./_text.ts";

/** What to replace by what. */
export interface Replacement {
  /** The text to find. */
  readonly old: string;
  /** The text to put in its place. */
  readonly replacement: string;
  /** Whether every place is meant. */
  readonly all: boolean;
  /** What to call the file in messages. */
  readonly name: string;
}

/** A file's text after a replacement. */
export interface Replaced {
  /** The whole new text. */
  readonly text: string;
  /** How the old text was found. */
  readonly strategy: string;
  /** The lines where the changed places began, from 1. */
  readonly lines: readonly number[];
}

const SHOWN_PLACES = 10;
const HINT_LINES = 3;

/**
 * Replaces a text. Line ends may differ between file and arguments; the file's are kept.
 *
 * @param original The file's text.
 * @param request What to replace.
 * @returns The new text and how the old one was found.
 * @throws {ToolError} If the text is not there (with the likeliest place), is there more than once without
 * `all`, or nothing would change.
 */
export function replaceText(original: string, request: Replacement): Replaced {
  const [old, replacement] = [request.old, request.replacement].map((text) =>
    text.replaceAll("\r\n", "\n")
  ) as [string, string];
  refuseEmpty(old, replacement, request.name);
  const lf = toLf(original);
  for (const strategy of STRATEGIES) {
    const found = strategy.find(lf.text, old, replacement);
    if (found.length === 0) continue;
    refuseAmbiguous(lf.text, found, strategy, request);
    const chosen = withoutOverlaps(found);
    const text = applied(original, lf.original, chosen);
    if (text === original) throw unchanged(request.name, strategy.name);
    const lines = chosen.map(({ start }) => lineAt(lf.text, start));
    return { text, strategy: strategy.name, lines };
  }
  throw notFound(lf.text, old, request.name);
}

function refuseEmpty(old: string, replacement: string, name: string): void {
  if (old === "") {
    throw new ToolError(
      `Cannot patch "${name}": old_string is empty. Give the text to replace, or use write_file`,
    );
  }
  if (old === replacement) {
    throw new ToolError(`Cannot patch "${name}": old_string and new_string are the same`);
  }
}

function refuseAmbiguous(
  text: string,
  found: readonly Match[],
  { name: strategy, several }: Strategy,
  { all, name }: Replacement,
): void {
  if (found.length === 1 || (all && several)) return;
  const lines = found.map(({ start }) => lineAt(text, start));
  const shown = lines.slice(0, SHOWN_PLACES).join(", ") +
    (lines.length > SHOWN_PLACES ? ", …" : "");
  const advice = several ? "Add lines around it, or set replace_all" : "Give the exact text";
  throw new ToolError(
    `Cannot patch "${name}": old_string is there ${lines.length} times, at lines ${shown} ` +
      `(found by ${strategy} comparison). ${advice}`,
    { details: { lines, strategy } },
  );
}

function withoutOverlaps(found: readonly Match[]): Match[] {
  const chosen: Match[] = [];
  for (const match of found) {
    if (match.start >= (chosen.at(-1)?.end ?? 0)) chosen.push(match);
  }
  return chosen;
}

function applied(original: string, back: (offset: number) => number, matches: Match[]): string {
  const lineEnd = mainLineEnd(original);
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, replacement } of matches) {
    parts.push(original.slice(done, back(start)), replacement.replaceAll("\n", lineEnd));
    done = back(end);
  }
  return parts.join("") + original.slice(done);
}

function unchanged(name: string, strategy: string): ToolError {
  return new ToolError(
    `Cannot patch "${name}": the file already holds new_string at the place found by ${strategy} comparison`,
  );
}

function notFound(text: string, old: string, name: string): ToolError {
  const lines = text.split("\n");
  const first = old.split("\n").find((line) => line.trim() !== "");
  const near = first === undefined ? undefined : likeliestLine(lines, first);
  const head = `Cannot patch "${name}": old_string is not in the file`;
  if (near === undefined) {
    return new ToolError(`${head}, and no line is like it. Read the file again`);
  }
  const shown = lines.slice(near, near + HINT_LINES)
    .map((line, index) => `${near + index + 1}|${cutText(line, 200)}`);
  return new ToolError(`${head}. The likeliest place:\n${shown.join("\n")}`, {
    details: { line: near + 1 },
  });
}
