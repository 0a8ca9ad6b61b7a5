/**
 * From the words of a command line to a command with checked options.
 * @module
 */
import { type Command, type OptionTable, type ParsedOptions, UsageError } from "./command.ts";
import { suggestNames } from "../runtime/suggest.ts";
import { COMMON_OPTIONS } from "./common_options.ts";
import { type OptionToken, type Token, tokenize } from "./tokens.ts";

/** What was typed. */
export interface ParsedLine {
  /** The command, when one was named. */
  readonly command: Command | undefined;
  /** The options, checked against the command's table and the common one. */
  readonly options: ParsedOptions;
  /** The arguments after the command's name. */
  readonly args: readonly string[];
}

/**
 * Reads a command line. Options may stand before and after the command's name.
 *
 * @param words The words after the program's name.
 * @param commands The commands that exist.
 * @returns What they mean.
 * @throws {UsageError} If the command or an option is unknown, lacks its value, or has one it does not take.
 */
export function parseLine(words: readonly string[], commands: readonly Command[]): ParsedLine {
  const tokens = tokenize(words, everyOption(commands));
  const positionals = tokens.flatMap((token) => token.kind === "positional" ? [token.value] : []);
  const [name, ...args] = positionals;
  const command = name === undefined ? undefined : findCommand(name, commands);
  const table = { ...COMMON_OPTIONS, ...command?.options };
  const options = new Options(collect(tokens, table, command?.name));
  return { command, options, args };
}

/**
 * Checks how many arguments a command got.
 *
 * @param command The command.
 * @param args Its arguments.
 * @throws {UsageError} If there are too few or too many.
 */
export function checkArity(command: Command, args: readonly string[]): void {
  const { min, max } = command.arity;
  if (args.length >= min && args.length <= max) return;
  const extra = args.length > max ? `: "${args[max]}" is too much` : "";
  throw new UsageError(
    `Cannot run "${command.name}" with ${args.length} argument${args.length === 1 ? "" : "s"}` +
      `${extra}; usage: cloister ${command.name} ${command.usage}`,
  );
}

// An option's kind must be known before the command's name is found.
function everyOption(commands: readonly Command[]): OptionTable {
  return Object.assign({}, COMMON_OPTIONS, ...commands.map(({ options }) => options));
}

function findCommand(name: string, commands: readonly Command[]): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const near = suggestNames(name, commands.map((candidate) => candidate.name));
  throw new UsageError(`Unknown command ${JSON.stringify(name)}${suggestion(near)}`);
}

function collect(
  tokens: readonly Token[],
  table: OptionTable,
  command: string | undefined,
): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const value = checkOption(token, table, command);
    const earlier = table[token.name]?.multiple ? values.get(token.name) ?? [] : [];
    values.set(token.name, [...earlier, value]);
  }
  return values;
}

function checkOption(
  token: OptionToken,
  table: OptionTable,
  command: string | undefined,
): string {
  const spec = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
  if (spec === undefined) throw unknownOption(token.rawName, table, command);
  if (spec.type === "boolean") {
    if (token.value === undefined) return "";
    throw new UsageError(`The option ${token.rawName} takes no value, but got "${token.value}"`);
  }
  // "--root --json" is a forgotten value; a value that starts with a dash is written with "=".
  const forgotten = token.value === undefined ||
    (!token.inlineValue && token.value.startsWith("-") && token.value !== "-");
  if (forgotten || token.value === "") {
    throw new UsageError(
      `The option ${token.rawName} needs a value: ${token.rawName}=${spec.value}`,
    );
  }
  return token.value!;
}

function unknownOption(
  rawName: string,
  table: OptionTable,
  command: string | undefined,
): UsageError {
  const near = suggestNames(rawName, Object.keys(table).map((name) => `--${name}`));
  const place = command === undefined ? "" : ` for the command "${command}"`;
  return new UsageError(`Unknown option ${JSON.stringify(rawName)}${place}${suggestion(near)}`);
}

function suggestion(near: readonly string[]): string {
  return near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`;
}

class Options implements ParsedOptions {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  texts(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  flag(name: string): boolean {
    return this.#values.has(name);
  }
}
