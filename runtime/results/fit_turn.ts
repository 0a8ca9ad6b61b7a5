/**
 * Keeping all results of one turn within what the model can take.
 * @module
 */
import { PREVIEW_CHARS } from "../../core/limits.ts";
import type { ToolResult } from "../../core/result.ts";
import type { SpilledFile, SpillStore } from "../spill.ts";
import { SpillLimitError } from "../spill_quota.ts";
import { DEFAULT_TURN_CHARS } from "./context_budget.ts";
import { grouped, type SpillReaders } from "./persisted_output.ts";
import { READ_RESULT } from "./read_result_name.ts";
import { shapeResult } from "./shape_result.ts";
import { unmarkText } from "./untrusted.ts";

/** How a turn's results are fitted. */
export interface FitTurnOptions {
  /** Where long texts go. */
  readonly store: SpillStore;
  /** The most characters that all results have together. @default {200_000} */
  readonly turnChars?: number;
  /** Who can read a spilled text back. @default {read_file} */
  readonly readers?: SpillReaders;
  /** A text is in a file now. */
  readonly onSpill?: (file: SpilledFile) => void;
}

/** What a spilled result takes at least: a shorter one gains nothing. */
const LEAST_CHARS = PREVIEW_CHARS * 2;
/** What reads spilled results back is never spilled. */
const READERS: readonly string[] = ["read_file", READ_RESULT];

/**
 * Puts the longest results of a turn into files until all of them together fit. Results that went to a file
 * before, and those of what reads such files, stay as they are.
 *
 * @param results The results of one turn, in the order of the calls.
 * @param options The limit, and where long texts go.
 * @returns The results in the same order; those that stayed are the same objects.
 *
 * @example Before a turn's results go to the model
 * ```ts ignore
 * const shown = await fitTurn(results, { store, turnChars: 78_643 });
 * ```
 */
export async function fitTurn(
  results: readonly ToolResult[],
  options: FitTurnOptions,
): Promise<readonly ToolResult[]> {
  const { turnChars = DEFAULT_TURN_CHARS } = options;
  const fitted = [...results];
  let chars = results.reduce((sum, { content }) => sum + content.length, 0);
  for (const index of longestFirst(results)) {
    if (chars <= turnChars) break;
    const before = fitted[index]!;
    fitted[index] = await spill(before, { ...options, turnChars });
    chars += fitted[index].content.length - before.content.length;
  }
  return fitted;
}

function longestFirst(results: readonly ToolResult[]): readonly number[] {
  const length = (index: number) => results[index]!.content.length;
  return results.map((_, index) => index).filter((index) => {
    const { spilled, name } = results[index]!;
    return spilled === undefined && !READERS.includes(name) && length(index) > LEAST_CHARS;
  }).sort((a, b) => length(b) - length(a) || a - b);
}

async function spill(
  result: ToolResult,
  { turnChars, ...options }: FitTurnOptions & { readonly turnChars: number },
): Promise<ToolResult> {
  const { name, content, blocks } = result;
  const inner = unmarkText(content);
  try {
    const shaped = await shapeResult({ content: inner ?? content, blocks }, {
      name,
      limit: PREVIEW_CHARS,
      limitName: `fits: the results of one turn may have ${grouped(turnChars)}`,
      untrusted: inner !== undefined,
      ...options,
    });
    if (shaped.spilled) return { ...result, ...shaped };
  } catch (error) {
    if (!(error instanceof SpillLimitError)) throw error;
  }
  // What could not be kept stays whole: too much is better than lost.
  return result;
}
