/**
 * Searches files without ripgrep.
 * @module
 */
import type { FileMatches, LineMatch } from "./_found.ts";
import { decodeText, encodingOf } from "./_text.ts";
import { type Scope, walk, type WalkOptions } from "./_walk.ts";

/** Files over this size are left out, by both ways of searching. */
export const MAX_FILE_BYTES = 52_428_800;

/** What to look for. */
export interface Query {
  /** Tested on each line. */
  readonly regexp: RegExp;
  /** Whether a file is looked into. */
  readonly accepts: (path: string) => boolean;
  /** How many lines to give before and after a match. */
  readonly context: number;
}

/**
 * Looks into the files of a scope.
 *
 * @param scope Where to look.
 * @param query What to look for.
 * @param options Signal and notes.
 * @returns The files with matches, in the order of the walk.
 */
export async function* searchOwn(
  scope: Scope,
  query: Query,
  options: WalkOptions,
): AsyncGenerator<FileMatches> {
  for await (const path of walk(scope, options)) {
    if (!query.accepts(path)) continue;
    options.signal.throwIfAborted();
    const lines = await searchFile(path, query, options.warn);
    if (lines.length > 0) yield { path, lines };
  }
}

/**
 * Looks into one file.
 *
 * @param path The file.
 * @param query What to look for.
 * @param warn Takes a note when it cannot be read.
 * @returns The lines that match; none for a binary file, which is one with a NUL character.
 */
export async function searchFile(
  path: string,
  { regexp, context }: Query,
  warn: (message: string) => void,
): Promise<LineMatch[]> {
  const text = await textOf(path, warn);
  if (text === undefined) return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const plain = lines.map((line) => line.endsWith("\r") ? line.slice(0, -1) : line);
  return plain.flatMap((text, index) => {
    if (!matches(regexp, text)) return [];
    const before = plain.slice(Math.max(0, index - context), index);
    const after = plain.slice(index + 1, index + 1 + context);
    return [{ line: index + 1, text, before, after }];
  });
}

/** A carriage return inside a line cannot be matched, and lines begin and end at it. */
function matches(regexp: RegExp, line: string): boolean {
  return line.includes("\r")
    ? line.split("\r").some((part) => regexp.test(part))
    : regexp.test(line);
}

async function textOf(
  path: string,
  warn: (message: string) => void,
): Promise<string | undefined> {
  try {
    if ((await Deno.lstat(path)).size > MAX_FILE_BYTES) return;
    const bytes = await Deno.readFile(path);
    if (!encodingOf(bytes).startsWith("utf-16") && bytes.includes(0)) return;
    const { text } = decodeText(bytes);
    return text.includes("\0") ? undefined : text;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) warn(`${path}: cannot be read`);
    return;
  }
}
