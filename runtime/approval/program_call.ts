/**
 * One program with its arguments, as rules see it.
 * @module
 */
import { knownOutput } from "./command_builder.ts";
import type { ShellCommand, ShellWord } from "./shell_types.ts";

const MAX_UPSTREAM = 16;

/** One program with its arguments. */
export interface ProgramCall {
  /** The program's name: no folder, no `.exe`, lower case. */
  readonly program: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Arguments that are no options; all of them after `--`. */
  readonly operands: readonly string[];
  /** The folder that it runs in, when that is known. */
  readonly folder: string | undefined;
  /** What it reads as its input, when that is known. */
  readonly input: string | undefined;
  /** Programs before it in the pipeline, the nearest first. */
  readonly upstream: readonly string[];
  /** Programs whose output is part of its arguments. */
  readonly inside: readonly string[];
  /** Whether its name is known only when it runs. */
  readonly isUnknown: boolean;
  /** Whether one of the options is there: `-x` alone or among others, or `--word`, shortened or with a value. */
  has(letters: string, ...words: readonly string[]): boolean;
}

/**
 * The name of a program.
 *
 * @param text The word that starts it.
 * @returns The name that rules know.
 */
export function programName(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);
  return name.toLowerCase().replace(/\.(?:exe|com|cmd)$/, "");
}

/**
 * Makes a call ready for the rules.
 *
 * @param words The program and its arguments, without wrappers.
 * @param command The command that they come from.
 * @param folder The folder that it runs in, when that is known.
 * @returns The call.
 */
export function programCall(
  words: readonly ShellWord[],
  command: ShellCommand,
  folder: string | undefined,
): ProgramCall {
  const args = words.slice(1).map(({ text }) => text);
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  const rest = end < 0 ? [] : args.slice(end + 1);
  return {
    program: programName(words[0]?.text ?? ""),
    args,
    operands: [...options.filter((arg) => !/^-./.test(arg)), ...rest],
    folder,
    input: inputOf(command),
    upstream: upstreamOf(command),
    inside: words.flatMap(({ substitutions }) => substitutions.map(nameOf)),
    isUnknown: words[0]?.isUnknown ?? false,
    has: (letters, ...long) => hasLetter(options, letters) || hasWord(options, long),
  };
}

function hasLetter(options: readonly string[], letters: string): boolean {
  return options.some((arg) =>
    /^-[A-Za-z0-9]/.test(arg) && [...letters].some((letter) => arg.includes(letter, 1))
  );
}

// Two letters are enough for a word that is shortened; GNU programs take any beginning that is clear.
function hasWord(options: readonly string[], words: readonly string[]): boolean {
  return options.some((arg) => {
    if (!arg.startsWith("--") || arg.length < 3) return false;
    const given = arg.slice(2).split("=", 1)[0]!.toLowerCase();
    return words.some((word) => word === given || given.length >= 2 && word.startsWith(given));
  });
}

function inputOf({ inputs, pipedFrom }: ShellCommand): string | undefined {
  if (inputs.length > 0) return inputs.join("\n");
  if (pipedFrom === undefined) return undefined;
  const isCat = nameOf(pipedFrom) === "cat" && pipedFrom.words.length === 1;
  return isCat && pipedFrom.inputs.length > 0
    ? pipedFrom.inputs.join("\n")
    : knownOutput([pipedFrom]);
}

function upstreamOf(command: ShellCommand): string[] {
  const names: string[] = [];
  let before = command.pipedFrom;
  while (before !== undefined && names.length < MAX_UPSTREAM) {
    names.push(...before.words.slice(0, 3).map(({ text }) => programName(text)));
    before = before.pipedFrom;
  }
  return names;
}

function nameOf({ words }: ShellCommand): string {
  return programName(words[0]?.text ?? "");
}
