/**
 * Here-documents: texts in a script that a command reads as its input.
 * @module
 */
import type { CommandBuilder } from "./command_builder.ts";

/** A here-document whose text comes with the next line. */
export interface PendingInput {
  /** The line that ends it. */
  readonly delimiter: string;
  /** Whether it is taken as it stands, without expansions. */
  readonly isQuoted: boolean;
  /** Whether the delimiter cannot be told for sure. */
  readonly isUnclear: boolean;
  /** Whether tabs at the beginning of lines are left out. */
  readonly skipsTabs: boolean;
  /** Who reads it. */
  readonly command: CommandBuilder;
}

/**
 * Reads the word that ends a here-document.
 *
 * @param text The script.
 * @param at Where it is behind the operator.
 * @param operator The operator.
 * @param command Who reads the document.
 * @returns What is known of the document, and where the script goes on.
 */
export function readDelimiter(
  text: string,
  at: number,
  operator: string,
  command: CommandBuilder,
): { readonly input: PendingInput; readonly end: number } {
  const word = /[ \t]*((?:[^\s;&|<>()'"\\$`]|'[^'\n]*'|"[^"\n\\$`]*"|\\[^\n])*)/y;
  word.lastIndex = at;
  const written = word.exec(text)?.[1] ?? "";
  const end = Math.max(word.lastIndex, at);
  const input: PendingInput = {
    delimiter: written.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, "$1$2$3"),
    isQuoted: /['"\\]/.test(written),
    isUnclear: written === "" || !/^(?:[\s;&|<>()]|$)/.test(text[end] ?? ""),
    skipsTabs: operator === "<<-",
    command,
  };
  return { input, end };
}

/**
 * Takes a here-document's text.
 *
 * @param text The script.
 * @param from Where the line begins.
 * @param input The here-document.
 * @returns Its text, and where the script goes on.
 */
export function takeInput(
  text: string,
  from: number,
  { delimiter, skipsTabs }: PendingInput,
): { readonly text: string; readonly end: number } {
  let at = from;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    let start = at;
    while (skipsTabs && text[start] === "\t") start++;
    if (end - start === delimiter.length && text.startsWith(delimiter, start)) {
      return { text: text.slice(from, at), end: Math.min(end + 1, text.length) };
    }
    at = end + 1;
  }
  return { text: text.slice(from), end: text.length };
}
