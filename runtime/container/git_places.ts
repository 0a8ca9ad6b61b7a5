/**
 * What in a repository names programs that git starts for whoever uses the repository outside of the container.
 * @module
 */
import { dirname, join, resolve } from "../paths.ts";

/** Names in `.git` that are read as configuration, or lead to some. */
const DECIDING: readonly string[] = [
  "hooks",
  "config",
  "config.worktree",
  "commondir",
  "gitdir",
  "modules",
  "worktrees",
];
/** What `git init` writes: it names no program. */
const PLAIN_CONFIG =
  /^\[core\]\n(?:\t(?:repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase|precomposeunicode) = \w+\n)*$/;
const GITLINK = 0o160000;

/**
 * Lists the places of a repository that decide what git starts.
 *
 * @param git Its `.git`; whether it exists or not.
 * @returns The places, whether they exist or not; `.git` itself too where that is no folder, and leads elsewhere.
 */
export function gitPlaces(git: string): readonly string[] {
  const kind = kindOf(git);
  const folder = kind === "file" ? folderOf(git) : git;
  const here = kind === "file" || kind === "other" ? [git] : [];
  if (kind === "other" || folder === undefined) return here;
  const named = namedIn(join(folder, "config"), dirname(git));
  return [...here, ...DECIDING.map((name) => join(folder, name)), ...named];
}

// "gitdir: <path>", as in a worktree or a submodule.
function folderOf(git: string): string | undefined {
  const path = /^gitdir:\s*(.+?)\s*$/m.exec(textOf(git))?.[1];
  return path === undefined ? undefined : resolve(dirname(git), path);
}

// Hooks are often files of the repository, and configuration may be.
function namedIn(config: string, repository: string): readonly string[] {
  const text = textOf(config);
  const hooks = text.matchAll(/^\s*hookspath\s*=\s*"?(.+?)"?\s*$/gim);
  const included = text.matchAll(/^\s*path\s*=\s*"?(.+?)"?\s*$/gim);
  return [
    ...[...hooks].map(([, path]) => resolve(repository, path!)),
    ...[...included].map(([, path]) => resolve(dirname(config), path!)),
  ];
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

/**
 * Whether a place in a new `.git` is what `git init` makes of it, and starts nothing.
 *
 * @param place One of {@linkcode gitPlaces}.
 * @returns True when it does no harm.
 */
export function isPlainGitPlace(place: string): boolean {
  try {
    if (place.endsWith("/config")) {
      return kindOf(place) === "file" && PLAIN_CONFIG.test(Deno.readTextFileSync(place));
    }
    if (!place.endsWith("/hooks") || kindOf(place) !== "folder") return false;
    return [...Deno.readDirSync(place)].every(({ name, isFile }) =>
      isFile && name.endsWith(".sample")
    );
  } catch {
    return false;
  }
}

/**
 * The repositories inside a repository that its index names: `git status` outside goes into each, and reads its
 * configuration.
 *
 * @param workspace The folder of the outer repository.
 * @returns The `.git` of each, whether it exists or not; `undefined` where the index cannot be read.
 */
export function nestedRepositories(workspace: string): readonly string[] | undefined {
  const git = join(workspace, ".git");
  if (kindOf(git) !== "folder") return [];
  try {
    const names = [...Deno.readDirSync(git)].map(({ name }) => name)
      .filter((name) => name === "index" || name.startsWith("sharedindex."));
    return names.flatMap((name) => gitlinks(Deno.readFileSync(join(git, name))))
      .map((path) => join(workspace, path, ".git"));
  } catch {
    return undefined;
  }
}

// The index: a header, then entries sorted by path, each with its mode at a fixed offset. Version 4 shortens paths.
function gitlinks(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(4);
  if (view.getUint32(0) !== 0x44495243 || version < 2 || version > 4) {
    throw new TypeError("The index is of an unknown version");
  }
  const found: string[] = [];
  const decoder = new TextDecoder();
  let at = 12;
  let path: readonly number[] = [];
  for (let count = view.getUint32(8); count > 0; count--) {
    const start = at;
    const isLink = view.getUint32(at + 24) === GITLINK;
    at += version > 2 && (view.getUint16(at + 60) & 0x4000) !== 0 ? 64 : 62;
    let kept: readonly number[] = [];
    if (version === 4) {
      const [drop, next] = readVarint(bytes, at);
      kept = path.slice(0, path.length - drop);
      at = next;
    }
    const end = bytes.indexOf(0, at);
    if (end < 0) throw new RangeError("The index ends within a path");
    if (version === 4) path = [...kept, ...bytes.subarray(at, end)];
    if (isLink) {
      found.push(decoder.decode(version === 4 ? Uint8Array.from(path) : bytes.subarray(at, end)));
    }
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
  }
  return found;
}

function readVarint(bytes: Uint8Array, from: number): [value: number, next: number] {
  let at = from;
  let byte = bytes[at++]!;
  let value = byte & 127;
  while ((byte & 128) !== 0) {
    byte = bytes[at++]!;
    value = ((value + 1) << 7) | (byte & 127);
  }
  return [value, at];
}

function kindOf(path: string): "file" | "folder" | "other" | undefined {
  try {
    const { isFile, isDirectory } = Deno.lstatSync(path);
    return isFile ? "file" : isDirectory ? "folder" : "other";
  } catch {
    return undefined;
  }
}
