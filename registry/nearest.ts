/**
 * The known word that somebody may have meant.
 * @module
 */

/**
 * The known words that differ least from a word.
 *
 * @param word What was written.
 * @param known What could have been meant.
 * @param limit How many to give at most.
 * @returns The nearest ones, at most a third of the letters (or two) away, nearest first.
 */
export function nearestWords(word: string, known: Iterable<string>, limit = 1): readonly string[] {
  // Two letters that changed places count as two changes.
  const most = Math.max(word.length < 4 ? 1 : 2, Math.floor(word.length / 3));
  const wanted = word.toLowerCase();
  const near: { readonly word: string; readonly distance: number }[] = [];
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > most) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= most) near.push({ word: candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1));
  return near.slice(0, limit).map((candidate) => candidate.word);
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
