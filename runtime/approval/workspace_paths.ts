/**
 * Which paths of a command stay inside the workspace.
 * @module
 */
import { dirname, join, resolve } from "../paths.ts";
import { type PlainWord, Unclear } from "./read_command.ts";

/** Most names and folders that are looked at for a command: everybody waits meanwhile. */
const MAX_LOOKS = 2_000;
const MAX_PATH_CHARS = 4_096;

/** Judges paths as they are now: who may make links meanwhile is asked before. */
export class WorkspacePaths {
  readonly #workspace: string;
  readonly #folder: string;
  readonly #protected: readonly string[];
  #looks = 0;

  /**
   * Makes a judge.
   *
   * @param workspace The workspace, a real path.
   * @param folder Where the command runs, absolute.
   * @param isProtected Places that nothing may be written to.
   */
  constructor(workspace: string, folder: string, isProtected: readonly string[]) {
    this.#workspace = workspace;
    this.#folder = folder;
    this.#protected = isProtected;
  }

  /**
   * Checks that a path leads to something in the workspace, links included.
   *
   * @param path The path, from where the command runs.
   * @returns Where it leads.
   * @throws {Unclear} If it does not.
   */
  assertReadable(path: string): string {
    if (path.length > MAX_PATH_CHARS) throw new Unclear("a path of it is too long");
    const absolute = resolve(this.#folder, path);
    const real = isBelow(absolute, this.#workspace) ? this.#realOf(absolute) : undefined;
    if (real !== undefined && isBelow(real, this.#workspace)) return real;
    throw new Unclear(`"${path}" is outside of the workspace`);
  }

  /**
   * Checks that a path may be written to.
   *
   * @param path The path, from where the command runs.
   * @throws {Unclear} If it leads outside, or to a protected place.
   */
  assertWritable(path: string): void {
    const real = this.assertReadable(path);
    if (this.#protected.some((place) => isBelow(real, place))) {
      throw new Unclear(`"${path}" is a protected place: what is written there decides what runs`);
    }
  }

  /**
   * The names that a pattern matches, as a shell would give them.
   *
   * @param text The pattern.
   * @param pattern Where it looks, and for what.
   * @returns The names, sorted; the pattern itself when there are none.
   * @throws {Unclear} If it looks outside of the workspace, or matches too much.
   */
  expand(text: string, { folder, name }: NonNullable<PlainWord["pattern"]>): readonly string[] {
    const real = this.assertReadable(folder === "" ? "." : folder);
    const names: string[] = [];
    for (const entry of this.#list(real)) {
      if (name.test(entry)) names.push(`${folder}${entry}`);
    }
    return names.length === 0 ? [text] : names.sort();
  }

  #list(folder: string): readonly string[] {
    const names: string[] = [];
    try {
      for (const { name } of Deno.readDirSync(folder)) {
        names.push(name);
        if (names.length > MAX_LOOKS) break;
      }
    } catch {
      return [];
    }
    this.#look(names.length);
    return names;
  }

  #look(times: number): void {
    this.#looks += times;
    if (this.#looks > MAX_LOOKS) throw new Unclear("it names too many files and folders");
  }

  // What does not exist yet is where the folder that would hold it is; a link to what does not exist may lead anywhere.
  #realOf(path: string): string | undefined {
    const missing: string[] = [];
    for (let at = path;; at = dirname(at)) {
      this.#look(1);
      try {
        return join(Deno.realPathSync(at), ...missing.reverse());
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound) || isLink(at) || at === "/") return undefined;
        missing.push(at.slice(at.lastIndexOf("/") + 1));
      }
    }
  }
}

/**
 * Whether a path is a folder or something in it.
 *
 * @param path The path, absolute.
 * @param folder The folder, absolute.
 * @returns True when it is.
 */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}
