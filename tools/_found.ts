/**
 * What a search found, counted in full and kept for one page.
 * @module
 */
import type { JsonObject, JsonValue } from "@cloister/cloister/tool";
import { cutText } from "./_text.ts";

/** A line that matches. */
export interface LineMatch {
  /** Its number, from 1. */
  readonly line: number;
  /** The line without its line end. */
  readonly text: string;
  /** Lines before it. */
  readonly before: readonly string[];
  /** Lines after it. */
  readonly after: readonly string[];
}

/** The matches of one file. */
export interface FileMatches {
  /** The file, an absolute path. */
  readonly path: string;
  /** The lines, in order; never empty. */
  readonly lines: readonly LineMatch[];
}

/** Which part of the results is wanted, and how. */
export interface PageRequest {
  /** What to give. */
  readonly mode: "content" | "files_only" | "count";
  /** How many results to leave out at the beginning. */
  readonly offset: number;
  /** How many results to give at most. */
  readonly limit: number;
  /** Makes a path readable. */
  readonly show: (path: string) => string;
}

const MAX_LINE_CHARS = 500;

/** Counts all results and keeps those of the page. */
export class Tally {
  readonly #request: PageRequest;
  readonly #page: JsonValue[] = [];
  #total = 0;
  #files = 0;
  #matches = 0;

  /**
   * Starts with nothing found.
   *
   * @param request Which results to keep.
   */
  constructor(request: PageRequest) {
    this.#request = request;
  }

  /**
   * Takes the matches of a file. Files must come in the order of the result.
   *
   * @param found The matches.
   */
  add({ path, lines }: FileMatches): void {
    const { mode, show } = this.#request;
    this.#files++;
    this.#matches += lines.length;
    if (mode === "files_only") this.#keep(() => show(path));
    else if (mode === "count") this.#keep(() => ({ path: show(path), count: lines.length }));
    else for (const line of lines) this.#keep(() => matchOf(show(path), line));
  }

  /**
   * Takes a file that was looked for by its name.
   *
   * @param path The file.
   */
  addName(path: string): void {
    this.#keep(() => this.#request.show(path));
  }

  /**
   * Gives the page.
   *
   * @param named Whether files were looked for by name.
   * @returns The results of the page, the totals, and how to go on.
   */
  result(named: boolean): JsonObject {
    const { mode, offset } = this.#request;
    const key = named || mode === "files_only" ? "files" : mode === "count" ? "counts" : "matches";
    const next = offset + this.#page.length;
    const truncated = next < this.#total;
    return {
      [key]: this.#page,
      total: this.#total,
      ...(named ? {} : { total_matches: this.#matches, total_files: this.#files }),
      truncated,
      ...(truncated ? { next_offset: next } : {}),
    };
  }

  #keep(make: () => JsonValue): void {
    const { offset, limit } = this.#request;
    const index = this.#total++;
    if (index >= offset && index < offset + limit) this.#page.push(make());
  }
}

function matchOf(path: string, { line, text, before, after }: LineMatch): JsonObject {
  return {
    path,
    line,
    text: cutText(text, MAX_LINE_CHARS),
    ...(before.length > 0 ? { before: before.map((text) => cutText(text, MAX_LINE_CHARS)) } : {}),
    ...(after.length > 0 ? { after: after.map((text) => cutText(text, MAX_LINE_CHARS)) } : {}),
  };
}
