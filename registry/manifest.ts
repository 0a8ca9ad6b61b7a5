/**
 * The cache of verdicts: unchanged bytes are not parsed again.
 * @module
 */
import { readVerdicts } from "./manifest_guards.ts";
import { isSealed, sealText } from "./manifest_key.ts";
import { joinPath } from "./paths.ts";
import type { Verdict } from "./verdict.ts";

/** The manifest's file in the cache folder. */
export const MANIFEST_FILE = "discovery-manifest.json";

const HEAD =
  /^\{"version":2,"key":"([0-9a-f]{64})","seal":"([0-9a-f]{64})",(?:"bytes":"([0-9a-f]{64})",)?"verdicts":/;

/** What a manifest holds. */
export interface Manifest {
  /** The verdicts by {@linkcode verdictKey}, in the order in which they were written. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** One hash over everything that they rest on; absent when not all of it was read in one run. */
  readonly bytes?: string;
}

const NONE: Manifest = { verdicts: new Map() };

/**
 * Reads the manifest.
 *
 * @param cacheDir The cache folder.
 * @param key Hash of everything besides the files that verdicts rest on.
 * @param secret What it was sealed with.
 * @returns What it holds; no verdicts when there is no manifest, when it is of another
 * key, or when anything in it is damaged or was written by somebody else. Never rejects.
 */
export async function readManifest(
  cacheDir: string,
  key: string,
  secret: CryptoKey,
): Promise<Manifest> {
  try {
    const text = Deno.readTextFileSync(joinPath(cacheDir, MANIFEST_FILE));
    const [head = "", storedKey, seal = "", bytes] = HEAD.exec(text) ?? [];
    const body = text.slice(head.length, -1);
    if (storedKey !== key || !text.endsWith("}")) return NONE;
    if (!await isSealed(secret, sealedText(key, bytes, body), seal)) return NONE;
    const list = readVerdicts(JSON.parse(body));
    const verdicts = new Map(list.map((item) => [verdictKey(item.dir, item.relative), item]));
    return bytes === undefined ? { verdicts } : { verdicts, bytes };
  } catch {
    // Whatever is wrong with it, a full scan is right.
    return NONE;
  }
}

/**
 * Writes the manifest in one step: a reader sees the old one or the new one.
 *
 * @param cacheDir The cache folder; it is made when it is missing.
 * @param key Hash of everything besides the files that verdicts rest on.
 * @param secret What to seal it with.
 * @param content The verdicts, and one hash over what they rest on, if there is one.
 * @returns Whether it could be written; a folder that cannot be written costs the next start a full scan.
 */
export async function writeManifest(
  cacheDir: string,
  key: string,
  secret: CryptoKey,
  content: { readonly verdicts: readonly Verdict[]; readonly bytes?: string },
): Promise<boolean> {
  const body = JSON.stringify(content.verdicts);
  const seal = await sealText(secret, sealedText(key, content.bytes, body));
  const bytes = content.bytes === undefined ? "" : `"bytes":"${content.bytes}",`;
  const text = `{"version":2,"key":"${key}","seal":"${seal}",${bytes}"verdicts":${body}}`;
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

function sealedText(key: string, bytes: string | undefined, body: string): string {
  return `${key} ${bytes ?? "-"} ${body}`;
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
