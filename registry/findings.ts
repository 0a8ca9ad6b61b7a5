/**
 * Making, sorting and merging of diagnostics.
 * @module
 */
import type { Diagnostic, Severity } from "../core/diagnostic.ts";

/** A place in a file, both numbers from 1. */
export interface Place {
  /** The line. */
  readonly line: number;
  /** The column. */
  readonly column: number;
}

/** Where a finding stands that concerns a file as a whole. */
export const FILE_START: Place = Object.freeze({ line: 1, column: 1 });

/** What a finding says. */
export interface Finding {
  /** How bad it is. @default {"error"} */
  readonly severity?: Severity;
  /** A stable word for programs. */
  readonly code: string;
  /** What is the matter. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

/**
 * Makes a diagnostic.
 *
 * @param path The file's absolute path.
 * @param place The place in it.
 * @param finding What is the matter.
 * @returns The diagnostic.
 */
export function diagnosticAt(path: string, place: Place, finding: Finding): Diagnostic {
  const { severity = "error", code, message, hint } = finding;
  const base = { severity, code, message, path, line: place.line, column: place.column };
  return hint === undefined ? base : { ...base, hint };
}

/**
 * Puts findings into source order, the module's own first, and drops what an earlier finding says already:
 * a second error at the same place, or the same words again.
 *
 * @param path The module's absolute path.
 * @param diagnostics The findings, those that matter more first.
 * @returns The findings in order.
 */
export function tidyDiagnostics(path: string, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  const kept = diagnostics.filter((item) => {
    const key = item.severity === "error"
      ? JSON.stringify([item.path, item.line, item.column])
      : JSON.stringify([item.path, item.line, item.column, item.code, item.message]);
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
  return kept.toSorted((a, b) => compare(rank(path, a), rank(path, b)) || byPlace(a, b));
}

/**
 * Adds the warning that the failed module as a whole costs.
 *
 * @param path The module's absolute path.
 * @param diagnostics Its findings.
 * @returns The findings and the warning, at the place of the first error; without an error, as they are.
 */
export function withFailureWarning(path: string, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const tidy = tidyDiagnostics(path, diagnostics);
  const first = tidy.find((item) => item.severity === "error");
  if (first === undefined || tidy.some((item) => item.code === "module_failed")) return tidy;
  const place = first.path === path ? first : FILE_START;
  const message = `Could not import tool module ${path}: ${first.message}`;
  return [
    ...tidy,
    diagnosticAt(path, place, { severity: "warning", code: "module_failed", message }),
  ];
}

/**
 * Tells whether a finding keeps the module out.
 *
 * @param diagnostics The findings.
 * @returns Whether there is an error among them.
 */
export function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((item) => item.severity === "error");
}

function rank(path: string, diagnostic: Diagnostic): string {
  return diagnostic.path === path ? "" : diagnostic.path;
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return a.line - b.line || a.column - b.column;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
