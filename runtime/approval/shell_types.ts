/**
 * A shell script, taken apart.
 * @module
 */

/** One word of a command, with its quotes removed and what is known put in. */
export interface ShellWord {
  /** The text. `~` stands for the home folder, however it was spelled; what is not known stays as it was written. */
  readonly text: string;
  /** Whether it was written without quotes and expansions, so that it may be a reserved word. */
  readonly isPlain: boolean;
  /** Whether part of it is known only when it runs. */
  readonly isUnknown: boolean;
  /** Commands whose output is part of it. */
  readonly substitutions: readonly ShellCommand[];
}

/** One redirection to or from a file. */
export interface ShellRedirect {
  /** The operator. */
  readonly operator: string;
  /** The file. */
  readonly target: ShellWord;
}

/** One simple command. */
export interface ShellCommand {
  /** The program and its arguments; empty for redirections alone. */
  readonly words: readonly ShellWord[];
  /** Variables that are set for it. */
  readonly assignments: readonly ShellWord[];
  /** Its redirections. */
  readonly redirects: readonly ShellRedirect[];
  /** Texts that it reads as its input. */
  readonly inputs: readonly string[];
  /** The command before it in the pipeline. */
  readonly pipedFrom: ShellCommand | undefined;
  /** Whether it runs in the background. */
  readonly isBackground: boolean;
  /** Functions in whose body it stands. */
  readonly functions: readonly string[];
}

/** What parsing gave. */
export interface ParsedScript {
  /** Every simple command, those in substitutions too, in order of their end. */
  readonly commands: readonly ShellCommand[];
  /** Whether shells may read part of the text in another way, or it was nested too deeply to be looked at. */
  readonly isUnclear: boolean;
}

/** Variables whose values are known. */
export type ShellVariables = Map<string, string>;
