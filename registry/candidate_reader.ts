/**
 * The candidates of all roots with their bytes, each file read and hashed once a run.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import { listCandidates } from "./candidates.ts";
import type { DiscoveredModule, ToolRoot } from "./discovery_types.ts";
import { diagnosticAt, FILE_START, withFailureWarning } from "./findings.ts";
import { hashBytes } from "./hash.ts";
import { type LocalFile, readLocalFile } from "./local_file.ts";
import { joinPath, trimSlash } from "./paths.ts";

/** A candidate, not read yet. */
export interface Candidate {
  /** Its root. */
  readonly root: ToolRoot;
  /** The root's absolute real path. */
  readonly realRoot: string;
  /** The root's path as it was given. */
  readonly dir: string;
  /** The file's path below it. */
  readonly relative: string;
  /** The file's absolute path. */
  readonly path: string;
}

/** A file's bytes with their hash, or why there are none. */
export type HashedLocalFile =
  | (Extract<LocalFile, { ok: true }> & { readonly hash: string })
  | Extract<LocalFile, { ok: false }>;

/** Reads and hashes files, each once. */
export class FileReader {
  readonly #files = new Map<string, LocalFile>();
  readonly #hashes = new Map<LocalFile, Promise<HashedLocalFile>>();

  /**
   * Reads a file of a root.
   *
   * @param root The root's absolute real path.
   * @param relative The file's path below it.
   * @returns Its bytes and hash, or why there are none. Never rejects.
   */
  read(root: string, relative: string): Promise<HashedLocalFile> {
    const file = this.readBytes(root, relative);
    const known = this.#hashes.get(file);
    if (known !== undefined) return known;
    const hashing = hashFile(file);
    this.#hashes.set(file, hashing);
    return hashing;
  }

  /**
   * Reads a file of a root without hashing it.
   *
   * @param root The root's absolute real path.
   * @param relative The file's path below it.
   * @returns Its bytes, or why there are none. Never throws.
   */
  readBytes(root: string, relative: string): LocalFile {
    const known = this.seen(root, relative);
    if (known !== undefined) return known;
    const file = readLocalFile(root, relative);
    this.#files.set(keyOf(root, relative), file);
    return file;
  }

  /**
   * What this reader has read of a file.
   *
   * @param root The root's absolute real path.
   * @param relative The file's path below it.
   * @returns What it read, or `undefined` when it has not looked.
   */
  seen(root: string, relative: string): LocalFile | undefined {
    return this.#files.get(keyOf(root, relative));
  }
}

function keyOf(root: string, relative: string): string {
  return `${root}\0${relative}`;
}

async function hashFile(file: LocalFile): Promise<HashedLocalFile> {
  return file.ok ? { ...file, hash: await hashBytes(file.bytes) } : file;
}

/**
 * Lists the candidates of a root.
 *
 * @param root The root.
 * @returns Its candidates in order, or the one failure that stands for a root that cannot be read.
 */
export function candidatesOf(root: ToolRoot): readonly Candidate[] | DiscoveredModule {
  const dir = trimSlash(root.dir);
  try {
    const realRoot = Deno.realPathSync(root.dir);
    return listCandidates(realRoot).map((relative) => candidateAt(root, realRoot, relative));
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound
      ? "there is no such folder"
      : (error as Error).message;
    const message = `Cannot read tool folder "${root.dir}": ${reason}`;
    return failedModule(
      root,
      dir,
      diagnosticAt(dir, FILE_START, { code: "root_unreadable", message }),
    );
  }
}

/**
 * Makes a candidate of a path.
 *
 * @param root The root.
 * @param realRoot The root's absolute real path.
 * @param relative The file's path below it.
 * @returns The candidate.
 */
export function candidateAt(root: ToolRoot, realRoot: string, relative: string): Candidate {
  const dir = trimSlash(root.dir);
  return { root, realRoot, dir, relative, path: joinPath(dir, relative) };
}

/**
 * Makes the outcome of a candidate that is not even read.
 *
 * @param root Its root.
 * @param path Its absolute path.
 * @param diagnostic Why.
 * @returns The failed module.
 */
export function failedModule(
  root: ToolRoot,
  path: string,
  diagnostic: Diagnostic,
): DiscoveredModule {
  return {
    path,
    root,
    status: "failed",
    tools: [],
    diagnostics: withFailureWarning(path, [diagnostic]),
  };
}
