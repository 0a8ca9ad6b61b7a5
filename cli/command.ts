/**
 * What a command of the command line is.
 * @module
 */
import type { Environment } from "./environment.ts";
import type { Output } from "./output.ts";

/** One option, as it is declared. */
export interface OptionSpec {
  /** Whether it takes a value. */
  readonly type: "string" | "boolean";
  /** Whether it may be given more than once. @default {false} */
  readonly multiple?: boolean;
  /** One letter for it. */
  readonly short?: string;
  /** The word for its value in help texts. */
  readonly value?: string;
  /** What it does. */
  readonly help: string;
}

/** Options by name. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** What was typed, checked against the declarations. */
export interface ParsedOptions {
  /**
   * The value of an option that takes one.
   *
   * @param name The option's name.
   * @returns The last value given, or `undefined`.
   */
  text(name: string): string | undefined;
  /**
   * The values of an option that may be given more than once.
   *
   * @param name The option's name.
   * @returns The values in order.
   */
  texts(name: string): readonly string[];
  /**
   * Whether an option without a value was given.
   *
   * @param name The option's name.
   * @returns True when it was.
   */
  flag(name: string): boolean;
}

/** What a command works with. */
export interface CommandContext {
  /** The options. */
  readonly options: ParsedOptions;
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  /** Prints. */
  readonly output: Output;
  /** The surroundings. */
  readonly environment: Environment;
}

/** Exit codes of the command line. */
export const EXIT: Readonly<{ ok: 0; failed: 1; misuse: 2; interrupted: 130 }> = Object.freeze({
  ok: 0,
  failed: 1,
  misuse: 2,
  interrupted: 130,
});

/** One command. */
export interface Command {
  /** Its name. */
  readonly name: string;
  /** What it does, in a line. */
  readonly summary: string;
  /** What follows its name, such as `NAME [JSON or -]`. */
  readonly usage: string;
  /** How many arguments it takes. */
  readonly arity: { readonly min: number; readonly max: number };
  /** Its own options. */
  readonly options: OptionTable;
  /** More about it, for its help text. */
  readonly details?: string;
  /** Command lines with what they do. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /**
   * Runs it.
   *
   * @param context What was typed, and where to print.
   * @returns The exit code.
   */
  run(context: CommandContext): Promise<number>;
}

/** A command line that means nothing; ends with exit code 2. */
export class UsageError extends Error {
  /** The class's name. */
  override readonly name = "UsageError";

  /**
   * Makes the error.
   *
   * @param message What was typed, and what was expected.
   */
  constructor(message: string) {
    super(message);
  }
}
