/**
 * What discovery and configuration say about a place in a file.
 * @module
 */

/** How bad a finding is: an `error` keeps its module out of the table. */
export type Severity = "error" | "warning" | "info";

/** One finding with its place. */
export interface Diagnostic {
  /** How bad it is. */
  readonly severity: Severity;
  /** A stable snake_case word for programs. */
  readonly code: string;
  /** What is the matter, for people. */
  readonly message: string;
  /** The file's absolute path. */
  readonly path: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1, in UTF-16 code units. */
  readonly column: number;
  /** What to do about it. */
  readonly hint?: string;
}
