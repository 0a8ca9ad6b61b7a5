/**
 * What a model sees in place of a result that went to a file.
 * @module
 */
import type { SpilledFile } from "../spill.ts";
import { READ_RESULT } from "./read_result_name.ts";

/** Which tools of a call's session can read a spilled result back. */
export interface SpillReaders {
  /** Whether the product's `read_file` is offered. */
  readonly file: boolean;
  /** Whether the product's `read_result` is offered. */
  readonly result: boolean;
}

/** What there is to say of a spilled result. */
export interface PersistedOutput {
  /** Length of the whole text. */
  readonly chars: number;
  /** What was exceeded, with the number. */
  readonly limit: string;
  /** The beginning of the text, marked where it must be. */
  readonly preview: string;
  /** Length of the beginning. */
  readonly previewChars: number;
  /** Where the text is; `undefined` when it could not be kept. */
  readonly file: SpilledFile | undefined;
  /** Who can read it. */
  readonly readers: SpillReaders;
}

/** Longest line that `read_file` shows whole. */
const MAX_LINE_CHARS = 2_000;

/**
 * Writes the block: how long the text is, where it is, how to read on, and its beginning.
 *
 * @param output What there is to say.
 * @returns The block.
 */
export function describePersisted(output: PersistedOutput): string {
  const { chars, limit, preview, previewChars, file, readers } = output;
  const rest = file === undefined ? ["The rest could not be saved. Ask for less at a time."] : [
    `The whole text is in ${file.path}`,
    ...howToRead(file, readers),
    "Do not make the same call again to see the rest.",
  ];
  return [
    "<persisted-output>",
    `The result has ${grouped(chars)} characters, more than ${limit}.`,
    ...rest,
    `Its first ${grouped(previewChars)} characters:`,
    preview,
    "</persisted-output>",
  ].join("\n");
}

/**
 * A number with its thousands apart.
 *
 * @param value The number.
 * @returns For example `100,000`.
 */
export function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

function howToRead(file: SpilledFile, { file: byLines, result }: SpillReaders): string[] {
  if (result && (!byLines || file.longestLine > MAX_LINE_CHARS)) {
    return [
      `Read it page by page: ${READ_RESULT} with id "${file.id}" and offset (in characters).`,
    ];
  }
  return byLines
    ? [`Read it page by page: read_file with path "${file.path}", offset and limit (in lines).`]
    : [];
}
