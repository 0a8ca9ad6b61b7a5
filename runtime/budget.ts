/**
 * Keeping a result within what the model can take.
 * @module
 */
import { DEFAULT_RESULT_SIZE_CHARS, PREVIEW_CHARS } from "../core/limits.ts";
import type { SpilledResult } from "../core/result.ts";
import type { SpilledFile, SpillStore } from "./spill.ts";

/** Whose result it is. */
export interface BudgetCall {
  /** The tool. */
  readonly name: string;
  /** The call. */
  readonly callId: string;
}

/** A result within the budget. */
export interface BudgetedContent {
  /** What goes to the model. */
  readonly content: string;
  /** Where the whole text is, when it was too long and could be kept. */
  readonly spilled?: SpilledResult;
}

/**
 * The first limit that somebody set: the tool's, the caller's, 100,000.
 *
 * @param own The tool's own limit; `Infinity` for none.
 * @param fallback The caller's limit.
 * @returns The limit in characters.
 */
export function resultLimit(own: number | undefined, fallback?: number): number {
  return own ?? fallback ?? DEFAULT_RESULT_SIZE_CHARS;
}

/**
 * Lets a text pass that is not longer than the limit; of a longer one the whole goes to a file, and the
 * model gets its beginning, its size, and how to read the rest.
 *
 * @param content The text.
 * @param limit The most characters that may pass; `Infinity` for no limit.
 * @param store Where long texts go; `undefined` when there is no such place.
 * @param call Whose result it is.
 * @returns What goes to the model, and where the rest is.
 */
export async function applyBudget(
  content: string,
  limit: number,
  store: SpillStore | undefined,
  call: BudgetCall,
): Promise<BudgetedContent> {
  if (content.length <= limit) return { content };
  const preview = previewOf(content, Math.min(PREVIEW_CHARS, limit));
  const file = await store?.spill(call.name, call.callId, content);
  const text = describe(content.length, limit, preview, file);
  if (file === undefined) return { content: text };
  return {
    content: text,
    spilled: { chars: file.chars, path: file.path, previewChars: preview.length },
  };
}

/**
 * The beginning of a text: whole lines when the last line feed is past half, never half a character.
 *
 * @param text The text.
 * @param chars The most characters to keep.
 * @returns The beginning.
 */
export function previewOf(text: string, chars: number): string {
  const beginning = text.slice(0, chars);
  const lineEnd = beginning.lastIndexOf("\n");
  if (text.length > chars && lineEnd > chars / 2) return beginning.slice(0, lineEnd + 1);
  return /[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning;
}

function describe(
  chars: number,
  limit: number,
  preview: string,
  file: SpilledFile | undefined,
): string {
  const size = `${chars.toLocaleString("en-US")} characters`;
  const rest = file === undefined ? ["The rest could not be saved. Ask for less at a time."] : [
    `The whole text is in ${file.path}`,
    `Read it page by page: read_file with path "${file.path}", offset and limit (in lines).`,
    "Do not make the same call again to see the rest.",
  ];
  return [
    "<persisted-output>",
    `The result has ${size}, more than the ${limit.toLocaleString("en-US")} that fit here.`,
    ...rest,
    `Its first ${preview.length.toLocaleString("en-US")} characters:`,
    preview,
    "</persisted-output>",
  ].join("\n");
}
