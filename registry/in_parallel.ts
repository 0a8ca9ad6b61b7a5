/**
 * Doing a thing for many items, a few at a time.
 * @module
 */

/**
 * How many at a time: a hash takes longer to come back than to be made, and hashes that are all asked for
 * at once start a thread each.
 */
const LANES = 4;

/**
 * Does a thing for each item, a few at a time.
 *
 * @param items The items.
 * @param work What to do.
 * @param lanes How many at a time. @default {4}
 * @returns The results, in the order of the items.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R> | R,
  lanes = LANES,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const run = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: lanes }, run));
  return results;
}
