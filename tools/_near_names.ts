/**
 * Names that come near a mistyped one.
 * @module
 */

const MOST = 5;
const MOST_ENTRIES = 5_000;

/**
 * The entries of a folder whose names come near, nearest first.
 *
 * @param folder The folder, an absolute path.
 * @param wanted The name that was asked for.
 * @returns At most five names; none when the folder cannot be read.
 */
export async function nearNames(folder: string, wanted: string): Promise<string[]> {
  const scored: { readonly name: string; readonly score: number }[] = [];
  for (const name of await entryNames(folder)) {
    const score = distanceOf(name, wanted);
    if (score !== undefined) scored.push({ name, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, MOST).map(({ name }) => name);
}

/**
 * How many single-character insertions, deletions and replacements turn one text into another.
 *
 * @param a The one.
 * @param b The other.
 * @returns The Levenshtein distance, in UTF-16 code units.
 */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

async function entryNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) {
      names.push(entry.name);
      if (names.length >= MOST_ENTRIES) break;
    }
  } catch {
    // A folder that cannot be read has no names to offer; the caller's error is the one that matters.
  }
  return names;
}

function distanceOf(name: string, wanted: string): number | undefined {
  const [a, b] = [name.normalize().toLowerCase(), wanted.normalize().toLowerCase()];
  if (a === b) return 0;
  const distance = editDistance(a, b);
  if (distance <= Math.max(2, Math.floor(b.length / 3))) return distance;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 3 && long.includes(short) ? long.length : undefined;
}
