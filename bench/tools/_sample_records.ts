/**
 * Results of a given size, as a tool might return them.
 * @module
 */

/** A record of a result. */
export type SampleRecord = {
  /** Its number. */
  readonly id: number;
  /** A path. */
  readonly path: string;
  /** Words. */
  readonly tags: readonly string[];
  /** A text. */
  readonly text: string;
};

function recordOf(id: number): SampleRecord {
  const path = `src/folder_${id % 17}/file_${id}.ts`;
  const text = `Line ${id} holds a sentence of about the length that a search result has.`;
  return { id, path, tags: ["match", `group-${id % 5}`], text };
}

/**
 * Records whose JSON text has about so many characters.
 *
 * @param chars How many.
 * @returns The records.
 */
export function sampleRecords(chars: number): { readonly records: readonly SampleRecord[] } {
  const records: SampleRecord[] = [];
  let length = 14;
  while (length < chars) {
    const next = recordOf(records.length);
    length += JSON.stringify(next).length + 1;
    records.push(next);
  }
  return { records };
}
