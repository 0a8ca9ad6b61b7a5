/**
 * Numbers on their way through JSON.
 * @module
 */

/**
 * `Infinity` as the word that JSON can carry.
 *
 * @param value A number.
 * @returns `"unlimited"` for `Infinity`, else the number.
 */
export function toJsonLimit(value: number): number | "unlimited" {
  return value === Infinity ? "unlimited" : value;
}

/**
 * The number behind {@linkcode toJsonLimit}'s word.
 *
 * @param value A number or `"unlimited"`.
 * @returns The number.
 */
export function fromJsonLimit(value: number | "unlimited"): number {
  return value === "unlimited" ? Infinity : value;
}
