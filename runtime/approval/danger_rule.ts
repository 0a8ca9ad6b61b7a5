/**
 * What a rule about dangerous commands is.
 * @module
 */
import type { DangerLevel } from "./danger_types.ts";
import type { ProgramCall } from "./program_call.ts";

/** One rule. */
export interface DangerRule {
  /** A stable snake_case word for it. */
  readonly id: string;
  /** How bad what it finds is. */
  readonly level: DangerLevel;
  /** What such a command does, for a person. */
  readonly what: string;
  /** Programs that it speaks of, separated by blanks; `*` for all; a word that ends with `*` for a family. */
  readonly programs: string;
  /** Whether a call of such a program is what it speaks of. */
  readonly when: (call: ProgramCall) => boolean;
}

/**
 * Every call of a program, except one that only asks for help.
 *
 * @param call The call.
 * @returns True when it does something.
 */
export function always({ args }: ProgramCall): boolean {
  return !(args.length === 1 && /^(?:--help|--version|-h|-V|\/\?)$/.test(args[0]!));
}

/**
 * Calls whose first operands are one of some sequences of words.
 *
 * @param sequences The sequences, such as `volume rm`.
 * @returns The condition.
 */
export function starting(...sequences: readonly string[]): (call: ProgramCall) => boolean {
  return ({ operands }) =>
    sequences.some((sequence) =>
      sequence.split(" ").every((word, index) => operands[index]?.toLowerCase() === word)
    );
}

/**
 * Calls that have one of some words among their operands.
 *
 * @param words The words.
 * @returns The condition.
 */
export function naming(...words: readonly string[]): (call: ProgramCall) => boolean {
  return ({ operands }) => operands.some((operand) => words.includes(operand.toLowerCase()));
}
