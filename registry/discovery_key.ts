/**
 * What verdicts rest on besides the files: scanner, Deno, import map.
 * @module
 */
import { hashText } from "./hash.ts";
import type { ImportMap } from "./resolve.ts";

/** The shape of what is kept under a key. */
const FORMAT = 3;

/**
 * Names the circumstances of a discovery: verdicts of other circumstances do not count.
 *
 * @param importMap The names that may be imported.
 * @param graphName The kind of the second view.
 * @returns A hash, hexadecimal.
 */
export function discoveryKey(importMap: ImportMap, graphName: string): Promise<string> {
  const names = Object.entries(importMap).toSorted(([a], [b]) => a < b ? -1 : 1);
  return hashText(
    // The URL of this module holds the version of a published package.
    JSON.stringify([FORMAT, import.meta.url, sourceStamp(), Deno.version.deno, graphName, names]),
  );
}

/**
 * In a checkout the scanner changes without a new version: sizes and times of its files tell, of the words
 * that it shares with others, and of the configuration that chooses the parser.
 */
function sourceStamp(): readonly unknown[] {
  const dir = import.meta.dirname;
  if (dir === undefined) return [];
  try {
    return [
      ...stampFolder(dir),
      ...stampFolder(`${dir}/../core`),
      stampFile(`${dir}/../deno.json`),
    ];
  } catch {
    return [];
  }
}

function stampFolder(dir: string): readonly unknown[] {
  return Array.from(Deno.readDirSync(dir), ({ name }) => name).toSorted()
    .map((name) => stampFile(`${dir}/${name}`));
}

function stampFile(path: string): readonly unknown[] {
  const { size, mtime } = Deno.statSync(path);
  return [path, size, mtime?.getTime()];
}
