/**
 * Collects what the scan of one file has to say.
 * @module
 */
import type { Diagnostic, Severity } from "../core/diagnostic.ts";
import type { SyntaxNode } from "./tree.ts";

/** Findings kept of one file: more would help nobody and cost time. */
const MAX_FINDINGS = 200;

/** A place in a file, counted from 1. */
export interface Place {
  /** The line. */
  readonly line: number;
  /** The column, in UTF-16 code units. */
  readonly column: number;
}

/** What a finding says, without its place. */
export interface Finding {
  /** How bad it is. */
  readonly severity: Severity;
  /** The stable word for programs. */
  readonly code: string;
  /** What is the matter. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

/**
 * Where a node starts.
 *
 * @param node A node of the tree.
 * @returns Its line and column, both from 1.
 */
export function placeOf(node: SyntaxNode): Place {
  const start = node.loc?.start;
  return { line: start?.line ?? 1, column: (start?.column ?? 0) + 1 };
}

/**
 * Puts a finding at a place of a file.
 *
 * @param path The file's absolute path.
 * @param place Where it is.
 * @param finding What it says.
 * @returns The diagnostic.
 */
export function diagnosticAt(path: string, place: Place, finding: Finding): Diagnostic {
  const { severity, code, message, hint } = finding;
  const { line, column } = place;
  return { severity, code, message, path, line, column, ...(hint === undefined ? {} : { hint }) };
}

/**
 * Compares two places, for sorting.
 *
 * @param a A place.
 * @param b Another place.
 * @returns Negative when `a` is first.
 */
export function comparePlaces(a: Place, b: Place): number {
  return a.line - b.line || a.column - b.column;
}

/** The findings of one file. */
export class Findings {
  readonly #path: string;
  readonly #items: Diagnostic[] = [];

  /**
   * Starts with none.
   *
   * @param path The file's absolute path.
   */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Adds a finding at a node; drops it when there are too many already.
   *
   * @param node Where it is.
   * @param finding What it says.
   */
  add(node: SyntaxNode, finding: Finding): void {
    this.addAt(placeOf(node), finding);
  }

  /**
   * Adds a finding at a place; drops it when there are too many already.
   *
   * @param place Where it is.
   * @param finding What it says.
   */
  addAt(place: Place, finding: Finding): void {
    if (!this.full) this.#items.push(diagnosticAt(this.#path, place, finding));
  }

  /** Whether no more findings are kept. */
  get full(): boolean {
    return this.#items.length >= MAX_FINDINGS;
  }

  /**
   * What was found.
   *
   * @returns The diagnostics in source order.
   */
  sorted(): readonly Diagnostic[] {
    return this.#items.toSorted(comparePlaces);
  }
}
