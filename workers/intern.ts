/**
 * Short numbers for plain data, so that keys need not be written out on every call.
 * @module
 */

/** Contents that are kept; when there are more, all are forgotten and get new numbers. */
const MAX_KEPT = 4096;

const numbers = new Map<string, number>();
const known = new WeakMap<object, number>();
let last = 0;

/**
 * The number of an object's content. Equal content has the same number.
 *
 * @param value Plain data that is never changed.
 * @returns The number.
 */
export function internNumber(value: object): number {
  const found = known.get(value);
  if (found !== undefined) return found;
  const text = JSON.stringify(value);
  if (numbers.size >= MAX_KEPT) numbers.clear();
  const number = numbers.get(text) ?? ++last;
  numbers.set(text, number);
  known.set(value, number);
  return number;
}
