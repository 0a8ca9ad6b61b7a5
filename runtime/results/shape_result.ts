/**
 * A result on its way to the model: within its limit, and marked where others wrote it.
 * @module
 */
import type { ContentBlock } from "../../core/content.ts";
import { PREVIEW_CHARS } from "../../core/limits.ts";
import type { SpilledResult } from "../../core/result.ts";
import type { SpilledFile, SpillStore } from "../spill.ts";
import { describePersisted, grouped, type SpillReaders } from "./persisted_output.ts";
import { previewOf } from "./preview.ts";
import { markBlocks, markText, type UntrustedMarks, untrustedMarks } from "./untrusted.ts";

/** What is shaped. */
export interface UnshapedResult {
  /** The text. */
  readonly content: string;
  /** The parts, when there are some. */
  readonly blocks?: readonly ContentBlock[];
}

/** What goes to the model. */
export interface ShapedResult extends UnshapedResult {
  /** Where the whole text is, when it was too long and could be kept. */
  readonly spilled?: SpilledResult;
}

/** How to shape it. */
export interface ShapeOptions {
  /** The tool. */
  readonly name: string;
  /** The most characters that may pass; `Infinity` for no limit. */
  readonly limit: number;
  /** What the limit is, in a message. @default {"the LIMIT that fit here"} */
  readonly limitName?: string;
  /** Where long texts go; `undefined` when there is no such place. */
  readonly store?: SpillStore;
  /** Whether others wrote it. @default {false} */
  readonly untrusted?: boolean;
  /** Who can read a spilled text back. @default {read_file} */
  readonly readers?: SpillReaders;
  /** The whole text is in a file now. */
  readonly onSpill?: (file: SpilledFile) => void;
}

const BY_FILE: SpillReaders = { file: true, result: false };

/**
 * Lets a result pass that is not longer than its limit; of a longer one the whole text goes to a file, and
 * the model gets its beginning, its size, and how to read the rest. Pictures, sounds and links always pass.
 *
 * @param result The result.
 * @param options Whose it is, its limit, and who wrote it.
 * @returns What goes to the model; at once when nothing goes to a file.
 * @throws {SpillLimitError} If it is too long and there is no room for it.
 */
export function shapeResult(
  result: UnshapedResult,
  options: ShapeOptions,
): ShapedResult | Promise<ShapedResult> {
  if (result.content.length > options.limit) return spillResult(result, options);
  return options.untrusted ? marked(result, untrustedMarks(options.name, result.content)) : result;
}

function marked({ content, blocks }: UnshapedResult, marks: UntrustedMarks): ShapedResult {
  return {
    content: markText(content, marks),
    ...(blocks && { blocks: markBlocks(blocks, marks) }),
  };
}

async function spillResult(
  result: UnshapedResult,
  options: ShapeOptions,
): Promise<ShapedResult> {
  const { name, limit, store, untrusted = false } = options;
  const { content, blocks } = result;
  const preview = previewOf(content, Math.min(PREVIEW_CHARS, limit));
  const file = await store?.spill(name, content, { untrusted });
  return shapeSpilled({ chars: content.length, preview, file, blocks }, options);
}

/** A result whose text went to a file, or could not be kept. */
export interface SpilledText {
  /** Length of the whole text. */
  readonly chars: number;
  /** Its beginning. */
  readonly preview: string;
  /** Where it is. */
  readonly file: SpilledFile | undefined;
  /** The parts, when there are some. */
  readonly blocks?: readonly ContentBlock[];
}

/**
 * What a model gets in place of a text that went to a file.
 *
 * @param spilled The text.
 * @param options Whose it is, its limit, and who wrote it.
 * @returns What goes to the model.
 */
export function shapeSpilled(spilled: SpilledText, options: ShapeOptions): ShapedResult {
  const { name, limit, untrusted = false, readers = BY_FILE } = options;
  const { chars, preview: beginning, file } = spilled;
  if (file) options.onSpill?.(file);
  const marks = untrusted ? untrustedMarks(name, beginning) : undefined;
  const text = describePersisted({
    chars,
    limit: options.limitName ?? `the ${grouped(limit)} that fit here`,
    preview: marks ? markText(beginning, marks) : beginning,
    previewChars: beginning.length,
    file,
    readers,
  });
  const blocks = spilled.blocks && boundBlocks(text, spilled.blocks, marks);
  return {
    content: text,
    ...(blocks && { blocks }),
    ...(file && {
      spilled: { chars: file.chars, path: file.path, previewChars: beginning.length },
    }),
  };
}

/** The texts are in the file now. */
function boundBlocks(
  text: string,
  blocks: readonly ContentBlock[],
  marks: UntrustedMarks | undefined,
): readonly ContentBlock[] {
  const kept = blocks.filter((block) =>
    block.type !== "text" && !(block.type === "resource" && block.resource.text !== undefined)
  );
  const rest = marks && kept.length > 0 ? markBlocks(kept, marks) : kept;
  return [{ type: "text", text }, ...rest];
}
