/**
 * Which tool files are held, for other runs of the program and for who accepts them.
 * @module
 */
import type { Permissions } from "../core/permissions.ts";
import { dirname } from "./paths.ts";

/** A module as it was before it was changed. */
export interface ModuleBefore {
  /** Its files, and where their admitted copies are. */
  readonly files: readonly { readonly path: string; readonly stored: string }[];
  /** What each of its tools declared. */
  readonly permissions: Readonly<Record<string, Permissions>>;
}

/** A module that is held. */
export interface HeldEntry {
  /** The module file's absolute path. */
  readonly path: string;
  /** Hash of the module and everything it imports, as it is held. */
  readonly integrity: string;
  /** What it was; absent when it is new. */
  readonly before?: ModuleBefore;
  /** Whether a person has accepted it: said here, because an entry that is gone may have been lost. */
  readonly accepted?: boolean;
}

/** Keeps the held modules in a file of the person's own, which no tool writes. */
export class HeldRecord {
  readonly #path: string | undefined;

  /**
   * Names the file; it need not exist.
   *
   * @param path The file; without one nothing is kept.
   */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /**
   * Reads it.
   *
   * @returns The held modules by their paths; none when there is no file, or it is damaged.
   */
  read(): Map<string, HeldEntry> {
    try {
      const { held } = JSON.parse(Deno.readTextFileSync(this.#path ?? ""));
      return new Map((held as HeldEntry[]).map((entry) => [String(entry.path), entry]));
    } catch {
      return new Map();
    }
  }

  /**
   * Writes it in one step.
   *
   * @param entries The held modules.
   * @returns Whether it could be written.
   */
  write(entries: Iterable<HeldEntry>): boolean {
    const path = this.#path;
    if (path === undefined) return false;
    try {
      Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const draft = `${path}.${crypto.randomUUID()}`;
      const text = JSON.stringify({ version: 1, held: [...entries] });
      Deno.writeTextFileSync(draft, text, { createNew: true, mode: 0o600 });
      Deno.renameSync(draft, path);
      return true;
    } catch {
      return false;
    }
  }
}
