/**
 * The cache of verdicts: unchanged bytes are not parsed again.
 * @module
 */
import { hashText } from "./hash.ts";
import { readVerdicts } from "./manifest_guards.ts";
import { joinPath } from "./paths.ts";
import type { Verdict } from "./verdict.ts";

/** The manifest's file in the cache folder. */
export const MANIFEST_FILE = "discovery-manifest.json";

const HEAD = /^\{"version":1,"key":"([0-9a-f]{64})","checksum":"([0-9a-f]{64})","verdicts":/;

/**
 * Reads the manifest.
 *
 * @param cacheDir The cache folder.
 * @param key Hash of everything besides the files that verdicts rest on.
 * @returns The verdicts by {@linkcode verdictKey}; none when there is no manifest, when it is of another
 * key, or when anything in it is damaged. Never rejects.
 */
export async function readManifest(
  cacheDir: string,
  key: string,
): Promise<ReadonlyMap<string, Verdict>> {
  try {
    const text = Deno.readTextFileSync(joinPath(cacheDir, MANIFEST_FILE));
    const [head = "", storedKey, checksum] = HEAD.exec(text) ?? [];
    const body = text.slice(head.length, -1);
    if (storedKey !== key || !text.endsWith("}")) return new Map();
    if (await hashText(body) !== checksum) return new Map();
    const verdicts = readVerdicts(JSON.parse(body));
    return new Map(verdicts.map((item) => [verdictKey(item.dir, item.relative), item]));
  } catch {
    // Whatever is wrong with it, a full scan is right.
    return new Map();
  }
}

/**
 * Writes the manifest in one step: a reader sees the old one or the new one.
 *
 * @param cacheDir The cache folder; it is made when it is missing.
 * @param key Hash of everything besides the files that verdicts rest on.
 * @param verdicts The verdicts.
 * @returns Whether it could be written; a folder that cannot be written costs the next start a full scan.
 */
export async function writeManifest(
  cacheDir: string,
  key: string,
  verdicts: readonly Verdict[],
): Promise<boolean> {
  const body = JSON.stringify(verdicts);
  const checksum = await hashText(body);
  const text = `{"version":1,"key":"${key}","checksum":"${checksum}","verdicts":${body}}`;
  return replaceFile(cacheDir, text);
}

/**
 * Names a verdict.
 *
 * @param dir The root's path as it was given.
 * @param relative The file's path below it.
 * @returns The name.
 */
export function verdictKey(dir: string, relative: string): string {
  return `${dir}\0${relative}`;
}

function replaceFile(cacheDir: string, text: string): boolean {
  let draft: string | undefined;
  try {
    Deno.mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
    draft = Deno.makeTempFileSync({ dir: cacheDir, prefix: "manifest-" });
    Deno.writeTextFileSync(draft, text);
    Deno.renameSync(draft, joinPath(cacheDir, MANIFEST_FILE));
    return true;
  } catch {
    if (draft !== undefined) removeQuietly(draft);
    return false;
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It was renamed, or the disk refuses everything.
  }
}
