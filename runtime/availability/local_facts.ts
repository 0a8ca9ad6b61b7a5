/**
 * Programs and files of this machine, each looked for once.
 * @module
 */
import type { HostEnvironment } from "../host_environment.ts";
import { delimiter, isAbsolute, join, resolve } from "../paths.ts";

/** What is on this machine, as of one moment: an answer is kept for as long as the object is. */
export class LocalFacts {
  readonly #environment: HostEnvironment;
  readonly #workspace: string;
  readonly #known = new Map<string, boolean>();
  #folders: readonly string[] | undefined;

  /**
   * Looks at nothing yet.
   *
   * @param environment Reads the `PATH`.
   * @param workspace The folder that relative paths of files begin in.
   */
  constructor(environment: HostEnvironment, workspace: string) {
    this.#environment = environment;
    this.#workspace = workspace;
  }

  /**
   * Whether there is a program.
   *
   * @param name Its name, or its absolute path.
   * @returns True when it is there.
   */
  hasProgram(name: string): boolean {
    if (isAbsolute(name)) return this.#exists(name);
    return this.#path().some((folder) => this.#exists(join(folder, name)));
  }

  /**
   * Whether there is a file or folder.
   *
   * @param path Its path, absolute or relative to the workspace.
   * @returns True when it is there.
   */
  hasFile(path: string): boolean {
    return this.#exists(resolve(this.#workspace, path));
  }

  #path(): readonly string[] {
    return this.#folders ??= (this.#environment("PATH") ?? "").split(delimiter)
      .filter((folder) => folder !== "");
  }

  #exists(path: string): boolean {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const found = isThere(path);
    this.#known.set(path, found);
    return found;
  }
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
