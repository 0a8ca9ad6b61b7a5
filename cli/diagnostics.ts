/**
 * Findings of discovery as lines for people.
 * @module
 */
import { relative } from "../runtime/paths.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import { neutraliseLine } from "../core/neutralise.ts";
import type { Output } from "./output.ts";

/**
 * A path as a person would type it: relative when it lies below the current folder.
 *
 * @param path An absolute path.
 * @param cwd The current folder.
 * @returns The shorter spelling.
 */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") ? path : short;
}

/**
 * Prints findings to stderr, one or two lines each: place, severity, message, code; hint.
 *
 * @param output Prints.
 * @param diagnostics The findings.
 * @param cwd The current folder, for short paths.
 */
export function printDiagnostics(
  output: Output,
  diagnostics: readonly Diagnostic[],
  cwd: string,
): void {
  for (const { severity, code, message, path, line, column, hint } of diagnostics) {
    const text = `${shortPath(path, cwd)}:${line}:${column}: ${neutraliseLine(message)} [${code}]`;
    if (severity === "error") output.error(text);
    else if (severity === "warning") output.warn(text);
    else output.info(text);
    if (hint !== undefined) output.info(`  ${neutraliseLine(hint)}`);
  }
}
