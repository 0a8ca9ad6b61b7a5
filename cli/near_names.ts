/**
 * "Did you mean …?"
 * @module
 */

/**
 * The known names that are closest to a mistyped one.
 *
 * @param typed What was typed.
 * @param known The names that exist.
 * @returns The nearest names, at most three, the best first; empty when none is near.
 */
export function nearNames(typed: string, known: Iterable<string>): readonly string[] {
  const limit = Math.max(1, Math.floor(typed.length / 3));
  return [...known]
    .map((name) => ({ name, distance: distance(typed.toLowerCase(), name.toLowerCase()) }))
    .filter((near) => near.distance <= limit)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map((near) => near.name);
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function distance(left: string, right: string): number {
  let [older, previous] = [[] as number[], Array.from({ length: right.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1;
      let best = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + cost);
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] &&
        left[i - 2] === right[j - 1];
      if (swapped) best = Math.min(best, older[j - 2]! + 1);
      row.push(best);
    }
    [older, previous] = [previous, row];
  }
  return previous[right.length]!;
}
