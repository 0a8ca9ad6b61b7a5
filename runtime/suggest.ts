/**
 * Names that somebody probably meant.
 * @module
 */

const MAX_LENGTH = 128;
const MAX_CANDIDATES = 10_000;

/**
 * Finds the names nearest to one that does not exist. Case and the separators `-`, `_`, `.` do not count.
 *
 * @param name The name that was asked for.
 * @param candidates The names that exist.
 * @param limit How many to give at most.
 * @returns The near names, nearest first; empty when none is near.
 */
export function suggestNames(
  name: string,
  candidates: Iterable<string>,
  limit = 3,
): readonly string[] {
  const wanted = fold(name);
  if (wanted === "" || name.length > MAX_LENGTH) return [];
  const bound = Math.max(1, Math.floor(wanted.length / 3));
  const near: { candidate: string; distance: number }[] = [];
  let looked = 0;
  for (const candidate of candidates) {
    if (++looked > MAX_CANDIDATES) break;
    const distance = nearness(wanted, fold(candidate), bound);
    if (distance <= bound) near.push({ candidate, distance });
  }
  return near.sort((a, b) => a.distance - b.distance || compare(a.candidate, b.candidate))
    .slice(0, limit).map(({ candidate }) => candidate);
}

/**
 * Says that a name does not exist, and what was probably meant or what there is.
 *
 * @param name The name that was asked for.
 * @param names The names that exist.
 * @returns The sentence.
 */
export function describeUnknown(name: string, names: readonly string[]): string {
  const near = suggestNames(name, names, 3);
  const hint = near.length > 0
    ? `. Did you mean ${near.map((item) => `"${item}"`).join(" or ")}?`
    : names.length > 0 && name.trim() !== ""
    ? `. Tools: ${names.slice(0, 50).join(", ")}`
    : "";
  return `Unknown tool: ${JSON.stringify(name)}${hint}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_.]/g, "");
}

/** Distance, where one name holding the other as a whole counts as near. */
function nearness(a: string, b: string, bound: number): number {
  if (Math.min(a.length, b.length) >= 4 && (a.includes(b) || b.includes(a))) {
    return Math.min(bound, editDistance(a, b, bound));
  }
  return editDistance(a, b, bound);
}

/**
 * How many single letters must be put in, taken out, replaced or swapped with their neighbour.
 *
 * @param a One text.
 * @param b The other text.
 * @param bound Where to stop looking.
 * @returns The distance, or `bound + 1` when it is larger than the bound.
 */
export function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) > bound) return bound + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    if (Math.min(...row) > bound) return bound + 1;
    [before, previous] = [previous, row];
  }
  return Math.min(previous[b.length]!, bound + 1);
}
