/**
 * Parsing a shell command within bounds.
 * @module
 */
import { parse, type ParsedScript } from "unbash";

/** Longest command that is parsed, in characters. */
const MAX_CHARS = 65_536;
/** A parse that took longer counts as none. */
const MAX_MS = 50;
// Measured on unbash 6.0.4: text without these takes 30 ms at most for 64 KB, 300 nested substitutions take 5 ms,
// and 4,000 take over a second, some of them while nobody looks, because parts are parsed when they are first read.
const OPENERS = /[(`{[$]|<</g;
const MAX_OPENERS = 300;
const OPERATORS = /[;&|<>\n]/g;
const MAX_OPERATORS = 3_000;

/** A parsed command, or why there is none. */
export type ParsedCommand =
  | { readonly ok: true; readonly script: ParsedScript }
  | { readonly ok: false; readonly reason: string };

/**
 * Parses a command as bash does.
 *
 * @param text The command.
 * @returns Its syntax tree; the parser is tolerant, so that a tree with `errors` may mean something else.
 */
export function parseCommand(text: string): ParsedCommand {
  const reason = "it is too long or too deeply nested to be read";
  if (text.length > MAX_CHARS || new TextEncoder().encode(text).length > MAX_CHARS) {
    return { ok: false, reason };
  }
  if (count(text, OPENERS) > MAX_OPENERS || count(text, OPERATORS) > MAX_OPERATORS) {
    return { ok: false, reason };
  }
  const begin = performance.now();
  try {
    const script = parse(text);
    return performance.now() - begin > MAX_MS ? { ok: false, reason } : { ok: true, script };
  } catch (error) {
    // A stack that is full, for one.
    return { ok: false, reason: `it cannot be parsed: ${(error as Error).message}` };
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
