/** Recorded calls and function schemas of others, beside the checkout. They are not part of it. */

/** A corpus, and whether the tests that need it have to be left out. */
export interface Corpus<T> {
  /** Its records. */
  readonly records: readonly T[];
  /** Whether it is not there. */
  readonly ignore: boolean;
}

/**
 * Reads a corpus, and says aloud when it is not there.
 *
 * @param name The file's name.
 * @returns The records.
 */
export async function readCorpus<T>(name: string): Promise<Corpus<T>> {
  const file = new URL(`../../shared/data/bfcl/${name}`, import.meta.url);
  try {
    const lines = (await Deno.readTextFile(file)).trim().split("\n");
    return { records: lines.map((line) => JSON.parse(line) as T), ignore: false };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    console.warn(`The tests with ${name} are left out: there is no ${file.pathname}`);
    return { records: [], ignore: true };
  }
}
