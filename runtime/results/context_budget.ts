/**
 * How much of a model's context results may fill.
 * @module
 */
import { DEFAULT_RESULT_SIZE_CHARS } from "../../core/limits.ts";

/** Limits of results in characters. */
export interface ResultBudget {
  /** The longest single result. */
  readonly resultChars: number;
  /** The most that all results of one turn have together. */
  readonly turnChars: number;
}

/** What all results of one turn may have together. */
export const DEFAULT_TURN_CHARS = 200_000;
/** How many characters a token counts for. */
export const CHARS_PER_TOKEN = 4;

const RESULT_SHARE = 0.15;
const TURN_SHARE = 0.30;
const MIN_RESULT_CHARS = 8_000;
const MIN_TURN_CHARS = 16_000;

/**
 * Makes the limits for a model: 15 % of its context for one result, 30 % for a turn, within 8,000 to 100,000
 * and 16,000 to 200,000 characters.
 *
 * @param contextTokens The length of the model's context; `undefined` when it is not known.
 * @param charsPerToken How many characters a token counts for. @default {4}
 * @returns The limits.
 * @throws {RangeError} If a number is not positive.
 *
 * @example A small model
 * ```ts ignore
 * budgetForContext(65_536); // { resultChars: 39321, turnChars: 78643 }
 * ```
 */
export function budgetForContext(
  contextTokens: number | undefined,
  charsPerToken: number = CHARS_PER_TOKEN,
): ResultBudget {
  if (contextTokens === undefined) {
    return { resultChars: DEFAULT_RESULT_SIZE_CHARS, turnChars: DEFAULT_TURN_CHARS };
  }
  assertPositive("contextTokens", contextTokens);
  assertPositive("charsPerToken", charsPerToken);
  const chars = contextTokens * charsPerToken;
  return {
    resultChars: within(chars * RESULT_SHARE, MIN_RESULT_CHARS, DEFAULT_RESULT_SIZE_CHARS),
    turnChars: within(chars * TURN_SHARE, MIN_TURN_CHARS, DEFAULT_TURN_CHARS),
  };
}

function within(value: number, least: number, most: number): number {
  return Math.floor(Math.min(most, Math.max(least, value)));
}

function assertPositive(name: string, value: number): void {
  if (value > 0) return;
  throw new RangeError(`Cannot make a result budget: ${name} must be > 0, got ${value}`);
}
