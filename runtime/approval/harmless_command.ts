/**
 * Whether a plain command is on the list of harmless ones, and the command that does the same without a doubt.
 * @module
 */
import { HARMLESS_PROGRAMS, type HarmlessProgram } from "./harmless_programs.ts";
import {
  type PlainCommand,
  type PlainRedirect,
  type PlainWord,
  quote,
  Unclear,
} from "./read_command.ts";
import type { WorkspacePaths } from "./workspace_paths.ts";

/** Folders of programs; the first one that has it counts. */
const SYSTEM_FOLDERS: readonly string[] = ["/usr/bin", "/bin"];

/**
 * Writes a command so that it does what its words say and nothing else: each word in quotes, each program by its path
 * in a system folder, so that neither aliases, functions, builtins nor `PATH` have a say, and patterns replaced by the
 * names that they match.
 *
 * @param command The command.
 * @param paths Says what is in the workspace.
 * @returns The text for a shell.
 * @throws {Unclear} If it is not on the list, an option is not, or a path is not in the workspace.
 */
export function writeHarmless(command: PlainCommand, paths: WorkspacePaths): string {
  const [name, ...given] = command.words;
  if (name!.pattern || name!.isHome) throw new Unclear("which program it starts cannot be told");
  const program = HARMLESS_PROGRAMS.get(name!.text);
  if (!program) throw new Unclear(`"${name!.text}" is not on the list of harmless programs`);
  const words = given.flatMap((word) => expand(word, paths));
  try {
    checkArguments(words, program, paths);
  } catch (error) {
    throw new Unclear(`"${name!.text}": ${(error as Error).message}`);
  }
  const all = [systemPath(name!.text), ...program.first ?? [], ...words].map(quote);
  return [...all, ...command.redirects.map((redirect) => writeRedirect(redirect, paths))].join(" ");
}

/**
 * Writes a redirect to or from a file of the workspace.
 *
 * @param redirect The redirect.
 * @param paths Says what is in the workspace.
 * @returns The text for a shell.
 * @throws {Unclear} If the file is outside, or protected.
 */
export function writeRedirect({ operator, target }: PlainRedirect, paths: WorkspacePaths): string {
  if (typeof target === "number") return `${operator}${target}`;
  if (target.isHome) throw new Unclear("it reads or writes outside of the workspace");
  if (target.text !== "/dev/null") {
    if (operator.endsWith("<")) paths.assertReadable(target.text);
    else paths.assertWritable(target.text);
  }
  // "&>" is no operator of a plain sh.
  const file = quote(target.text);
  return operator.startsWith("&") ? `${operator.slice(1)}${file} 2>&1` : `${operator}${file}`;
}

function expand(word: PlainWord, paths: WorkspacePaths): readonly string[] {
  if (word.isHome) throw new Unclear("it reads or writes outside of the workspace");
  if (!word.pattern) return [word.text];
  const names = paths.expand(word.text, word.pattern);
  if (names.some((name) => name.startsWith("-"))) {
    throw new Unclear(`"${word.text}" matches a name that is read as an option`);
  }
  return names;
}

function systemPath(name: string): string {
  return SYSTEM_FOLDERS.map((folder) => `${folder}/${name}`).find(exists) ??
    `${SYSTEM_FOLDERS[0]}/${name}`;
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function checkArguments(
  words: readonly string[],
  program: HarmlessProgram,
  paths: WorkspacePaths,
): void {
  if (program.isRaw) {
    if (program.operands === "texts") return;
    return words.filter((word) => !word.startsWith("-")).forEach((word) =>
      paths.assertReadable(word)
    );
  }
  if (program.expression) return checkExpression(words, program.expression, paths);
  const { operands, seen } = splitOptions(words, program);
  const kind = program.operands ?? "paths";
  const hasPattern = kind === "pattern" && !program.noPattern?.some((name) => seen.has(name));
  const texts = kind === "texts" ? operands : hasPattern ? operands.slice(0, 1) : [];
  const { like, most = Infinity } = program;
  if (operands.length > most) throw new Unclear("it has more arguments than are harmless");
  const bad = texts.find((text) => like && !like.test(text));
  if (bad !== undefined) throw new Unclear(`the argument "${bad}" is not known to be harmless`);
  for (const path of operands.slice(texts.length)) {
    if (path === "-") continue;
    if (kind === "made") paths.assertWritable(path);
    else paths.assertReadable(path);
  }
}

interface SplitWords {
  readonly operands: readonly string[];
  /** Names of the options that were given. */
  readonly seen: ReadonlySet<string>;
}

function splitOptions(words: readonly string[], program: HarmlessProgram): SplitWords {
  const { flags = "", values = "", long = "" } = program;
  const longNames = new Set(long.split(" "));
  const operands: string[] = [];
  const seen = new Set<string>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word === "--") {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (word.startsWith("--")) {
      const [, name, sign] = /^--([^=]*)(=?)/s.exec(word)!;
      if (!longNames.has(`${name}${sign}`)) throw unknownOption(word);
      seen.add(name!);
    } else if (word.startsWith("-") && word !== "-") {
      for (let at = 1; at < word.length; at++) {
        const letter = word[at]!;
        seen.add(letter);
        if (flags.includes(letter)) continue;
        if (!values.includes(letter)) throw unknownOption(`-${letter}`);
        if (at === word.length - 1 && ++index >= words.length) throw unknownOption(word);
        break;
      }
    } else operands.push(word);
  }
  return { operands, seen };
}

function checkExpression(
  words: readonly string[],
  tests: Readonly<Record<string, number>>,
  paths: WorkspacePaths,
): void {
  let index = 0;
  while (index < words.length && !/^[-(!,]/.test(words[index]!)) {
    paths.assertReadable(words[index++]!);
  }
  while (index < words.length) {
    const word = words[index]!;
    if (!Object.hasOwn(tests, word)) throw unknownOption(word);
    index += 1 + tests[word]!;
  }
}

function unknownOption(word: string): Unclear {
  return new Unclear(`the option "${word}" is not known to be harmless`);
}
