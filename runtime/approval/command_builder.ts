/**
 * Putting simple commands together.
 * @module
 */
import type { ShellCommand, ShellRedirect, ShellWord } from "./shell_types.ts";

/** A command that is still being read. */
export class CommandBuilder implements ShellCommand {
  readonly words: ShellWord[] = [];
  readonly assignments: ShellWord[] = [];
  readonly redirects: ShellRedirect[] = [];
  readonly inputs: string[] = [];
  readonly functions: readonly string[];
  pipedFrom: ShellCommand | undefined;
  isBackground = false;

  /**
   * Begins a command.
   *
   * @param functions Functions in whose body it stands.
   * @param pipedFrom The command before it in the pipeline.
   */
  constructor(functions: readonly string[], pipedFrom?: ShellCommand) {
    this.functions = functions;
    this.pipedFrom = pipedFrom;
  }

  /** Whether nothing of it was read, so that a reserved word may come. */
  get isEmpty(): boolean {
    return this.words.length === 0 && this.assignments.length === 0;
  }

  /** Whether it does anything at all. */
  get isCommand(): boolean {
    return !this.isEmpty || this.redirects.length > 0 || this.inputs.length > 0;
  }
}

/**
 * What a command prints, where that can be told: `echo` and `printf` of known words.
 *
 * @param commands The commands of a substitution.
 * @returns The text, or `undefined`.
 */
export function knownOutput(commands: readonly ShellCommand[]): string | undefined {
  const [command] = commands;
  if (commands.length !== 1 || !command || command.redirects.length > 0) return undefined;
  const [program, ...words] = command.words;
  if (program?.text !== "echo" && program?.text !== "printf") return undefined;
  if (words.some(({ isUnknown }) => isUnknown)) return undefined;
  const texts = words.map(({ text }) => text);
  if (program.text === "printf") return formatted(texts);
  while (/^-[neE]+$/.test(texts[0] ?? "")) texts.shift();
  return texts.join(" ");
}

function formatted([format = "", ...values]: readonly string[]): string {
  const plain = format.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
  if (!/%[sbq]/.test(plain)) return plain;
  let index = 0;
  let text = "";
  do {
    text += plain.replace(/%[sbq]/g, () => values[index++] ?? "");
  } while (index < values.length);
  return text;
}
