/**
 * Walks through the files that a search sees: no links, no hidden ones, none that ignore files name.
 * @module
 */
import { basename, dirname, join } from "node:path";
import { IgnoreFiles, type Verdict } from "./_ignore.ts";

/** Where to search and by which rules. */
export interface Scope {
  /** The folder, an absolute real path. */
  readonly root: string;
  /** The ignore files above it that hold in it. */
  readonly above: IgnoreFiles | undefined;
  /** The folders between the workspace and `root`, `root` left out, with the names of their folders. */
  readonly path: readonly { readonly folder: string; readonly folders: readonly string[] }[];
  /** Whether hidden files are seen too, `.git` aside. */
  readonly hidden: boolean;
}

/** What a walk needs of its caller. */
export interface WalkOptions {
  /** Ends the walk. */
  readonly signal: AbortSignal;
  /** Takes notes of what could not be read. */
  readonly warn: (message: string) => void;
}

/**
 * Finds out which rules hold in a folder. A folder that is hidden or ignored itself was named on purpose:
 * then only its own rules hold.
 *
 * @param root The folder to search, a real path.
 * @param workspace The workspace, a real path.
 * @param hidden Whether hidden files are to be seen.
 * @returns The scope.
 */
export async function scopeOf(root: string, workspace: string, hidden: boolean): Promise<Scope> {
  let above: IgnoreFiles | undefined;
  const path: { folder: string; folders: string[] }[] = [];
  for (const child of chain(root, workspace)) {
    const folder = dirname(child);
    const entries = await entriesOf(folder, () => {});
    above = await IgnoreFiles.read(folder, new Set(entries.map(({ name }) => name)), above);
    if (!isSeen(basename(child), above.verdict(child, true), hidden)) {
      return { root, above: undefined, path: [], hidden };
    }
    const folders = entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
    path.push({ folder, folders: folders.filter((name) => name !== basename(child)) });
  }
  return { root, above, path, hidden };
}

/**
 * Gives the files, folder by folder, names in the order of their UTF-8 bytes.
 *
 * @param scope Where to walk.
 * @param options Signal and notes.
 * @returns The absolute paths.
 */
export async function* walk(scope: Scope, options: WalkOptions): AsyncGenerator<string> {
  yield* walkFolder(scope.root, scope.above, scope.hidden, options);
}

/**
 * Orders names as their UTF-8 bytes are ordered.
 *
 * @param a The one.
 * @param b The other.
 * @returns Below zero when `a` comes first.
 */
export function byBytes(a: string, b: string): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    // Surrogates stand for characters above all others, though their numbers are below some.
    if (one !== other) {
      return (isSurrogate(one) ? one + 0x10000 : one) -
        (isSurrogate(other) ? other + 0x10000 : other);
    }
  }
  return a.length - b.length;
}

async function* walkFolder(
  folder: string,
  above: IgnoreFiles | undefined,
  hidden: boolean,
  options: WalkOptions,
): AsyncGenerator<string> {
  options.signal.throwIfAborted();
  const entries = await entriesOf(folder, options.warn);
  const rules = await IgnoreFiles.read(folder, new Set(entries.map(({ name }) => name)), above);
  for (const { name, isDirectory, isFile } of entries.sort((a, b) => byBytes(a.name, b.name))) {
    if (!isDirectory && !isFile) continue;
    const path = join(folder, name);
    if (!isSeen(name, rules.verdict(path, isDirectory), hidden)) continue;
    if (isDirectory) yield* walkFolder(path, rules, hidden, options);
    else yield path;
  }
}

/** A rule that keeps a name also brings it out of hiding. */
function isSeen(name: string, verdict: Verdict, hidden: boolean): boolean {
  if (verdict !== "unsaid") return verdict === "kept";
  return !name.startsWith(".") || (hidden && name !== ".git");
}

async function entriesOf(
  folder: string,
  warn: (message: string) => void,
): Promise<Deno.DirEntry[]> {
  const entries: Deno.DirEntry[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) entries.push(entry);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) warn(`${folder}: cannot be read`);
  }
  return entries;
}

/** The folders from below the workspace down to `root`. */
function chain(root: string, workspace: string): string[] {
  const folders: string[] = [];
  for (let folder = root; folder !== workspace; folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}
