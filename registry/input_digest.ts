/**
 * One hash over everything that the verdicts of a manifest rest on, where one for each of 80 files costs a
 * warm start 10 ms (measured on Deno 2.9.6).
 * @module
 */
import type { FileReader } from "./candidate_reader.ts";
import { hashBytes } from "./hash.ts";
import type { Verdict } from "./verdict.ts";

/** Where the files of verdicts are. */
export interface InputPlaces {
  /** The absolute real paths of roots, by their paths as they were given. */
  readonly roots: ReadonlyMap<string, string>;
  /** Has read the files, or reads them. */
  readonly reader: FileReader;
}

/** The bytes of an input, or the word that says why there are none. */
type Content = Uint8Array | string;

/** The length that stands before the bytes of each file, so that none of them can move to its neighbour. */
const HEADER_BYTES = 4;

/** Most bytes that are hashed together: they are copied to one place first. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Hashes what a run has read of the files of verdicts.
 *
 * @param verdicts The verdicts, in the manifest's order.
 * @param places Where the files are; nothing is read anew, as the verdicts are about what was read.
 * @returns SHA-256, hexadecimal; `undefined` when the run has not looked at every file.
 */
export async function digestSeen(
  verdicts: readonly Verdict[],
  places: InputPlaces,
): Promise<string | undefined> {
  const contents = contentsOf(verdicts, places, (root, relative) => {
    const file = places.reader.seen(root, relative);
    return file?.ok === false ? file.fault : file?.bytes;
  });
  return contents && await hashContents(contents);
}

/**
 * Looks whether every file of verdicts is as it was when they were made.
 *
 * @param verdicts The verdicts, in the manifest's order.
 * @param digest What {@linkcode digestSeen} gave then.
 * @param places Where the files are.
 * @returns Whether all are the same; `false` too when it takes a look at each to tell.
 */
export async function holdsTogether(
  verdicts: readonly Verdict[],
  digest: string,
  places: InputPlaces,
): Promise<boolean> {
  const contents = contentsOf(verdicts, places, (root, relative) => {
    const file = places.reader.readBytes(root, relative);
    return file.ok ? file.bytes : file.fault;
  });
  return contents !== undefined && await hashContents(contents) === digest;
}

function contentsOf(
  verdicts: readonly Verdict[],
  { roots }: InputPlaces,
  read: (root: string, relative: string) => Content | undefined,
): Content[] | undefined {
  const contents: Content[] = [];
  let size = 0;
  for (const verdict of verdicts) {
    const root = roots.get(verdict.dir);
    if (root === undefined) return undefined;
    for (const { relative, state } of verdict.inputs) {
      const content = read(root, relative);
      if (content === undefined) return undefined;
      // A hash is no fault: a file that has come or gone shows here already.
      if (typeof content === "string" ? content !== state : state.length !== 64) return undefined;
      if (typeof content !== "string") size += content.length;
      if (size > MAX_BYTES) return undefined;
      contents.push(content);
    }
  }
  return contents;
}

function hashContents(contents: readonly Content[]): Promise<string> {
  const files = contents.filter((content) => typeof content !== "string");
  const length = files.reduce((sum, file) => sum + HEADER_BYTES + file.length, 0);
  const whole = new Uint8Array(length);
  const view = new DataView(whole.buffer);
  let offset = 0;
  for (const file of files) {
    view.setUint32(offset, file.length);
    whole.set(file, offset + HEADER_BYTES);
    offset += HEADER_BYTES + file.length;
  }
  return hashBytes(whole);
}
