/**
 * Files that comments and ambient declarations name: the syntax tree does not count them as imports, but a
 * resolver reads them.
 * @module
 */
import type { Place } from "./findings.ts";

/** A file named outside the import statements. */
export interface CommentReference extends Place {
  /** What stands between the quotes. */
  readonly specifier: string;
}

const EVERYWHERE: readonly RegExp[] = [
  /@(?:deno-types|ts-types|ts-self-types)\s*=\s*(["'`]?)([^"'`\s]+)\1/g,
  /<reference\s+(?:path|types|lib)\s*=\s*(["'])([^"']*)\1/g,
  /@jsxImportSource(?:Types)?\s+(["'`]?)([^"'`\s*]+)\1/g,
  /\bdeclare\s+module\s+(["'])([^"'\n]*)\1/g,
];

// Only in JavaScript do resolvers read types out of documentation comments.
const IN_JAVASCRIPT: readonly RegExp[] = [
  /\bimport\s*\(\s*(["'`])([^"'`\n]*)\1/g,
  /@import\b[^"'`\n]*(["'`])([^"'`\n]*)\1/g,
];

/**
 * Finds what comments and ambient declarations refer to. It looks at the bare text, so it may also find
 * text inside a string; it never misses a form that the resolver reads.
 *
 * @param text The module's text.
 * @param relative The module's path, whose ending tells the language.
 * @returns The references, form by form.
 */
export function findCommentReferences(text: string, relative: string): CommentReference[] {
  const forms = /\.m?js$/.test(relative) ? [...EVERYWHERE, ...IN_JAVASCRIPT] : EVERYWHERE;
  return forms.flatMap((form) =>
    [...text.matchAll(form)].map((match) => ({
      specifier: match[2] ?? "",
      ...placeOf(text, match.index),
    }))
  );
}

function placeOf(text: string, index: number): Place {
  const before = text.slice(0, index);
  return { line: before.split("\n").length, column: index - before.lastIndexOf("\n") };
}
