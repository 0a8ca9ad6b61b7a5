/**
 * Looking through programs that start the program in their arguments.
 * @module
 */
import { programName } from "./program_call.ts";
import type { ShellWord } from "./shell_types.ts";
import { type Wrapper, WRAPPERS } from "./wrappers.ts";

/** What a wrapper starts. */
export interface Unwrapped {
  /** The program and its arguments; empty when nothing is started. */
  readonly words: readonly ShellWord[];
  /** The same, had an option that is not known taken a value. */
  readonly other?: readonly ShellWord[];
}

/**
 * What a command starts, when its program is a wrapper.
 *
 * @param words The program and its arguments.
 * @returns What it starts; `undefined` when it is no wrapper.
 */
export function unwrap(words: readonly ShellWord[]): Unwrapped | undefined {
  const wrapper = WRAPPERS.get(programName(words[0]?.text ?? ""));
  if (!wrapper) return undefined;
  let at = 1;
  let other: number | undefined;
  for (; at < words.length; at++) {
    const { text } = words[at]!;
    if (wrapper.asks?.includes(text)) return { words: [] };
    if (text === "--") {
      at++;
      break;
    }
    if (!text.startsWith("-")) break;
    const takes = takesValue(text, wrapper);
    if (takes === "unknown") other ??= at + 2;
    if (takes === true) at++;
  }
  return {
    words: skipOperands(words, at, wrapper),
    ...(other === undefined ? {} : { other: skipOperands(words, other, wrapper) }),
  };
}

function takesValue(text: string, { letters = "", words = [] }: Wrapper): boolean | "unknown" {
  if (text.startsWith("--")) {
    if (text.includes("=")) return false;
    return words.includes(text.slice(2)) || "unknown";
  }
  const index = [...text].findIndex((letter, place) => place > 0 && letters.includes(letter));
  if (index < 0) return text.length === 2 && /[A-Za-z]/.test(text[1]!) ? "unknown" : false;
  return index === text.length - 1;
}

function skipOperands(
  words: readonly ShellWord[],
  from: number,
  { operands = 0 }: Wrapper,
): readonly ShellWord[] {
  let at = from;
  let left = operands;
  while (at < words.length) {
    if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(words[at]!.text)) at++;
    else if (left-- > 0) at++;
    else break;
  }
  return words.slice(at);
}
