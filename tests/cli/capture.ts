/**
 * Runs commands in this process and keeps what they print.
 * @module
 */
import type { Command, CommandContext } from "../../cli/command.ts";
import { COMMANDS } from "../../cli/commands.ts";
import type { Environment } from "../../cli/environment.ts";
import { Output, type OutputOptions, type Sink } from "../../cli/output.ts";
import { checkArity, parseLine } from "../../cli/parse.ts";

/** Keeps text instead of printing it. */
export class MemorySink implements Sink {
  text = "";
  readonly #terminal: boolean;

  constructor(terminal = false) {
    this.#terminal = terminal;
  }

  /** Takes at most 7 bytes at a time, as a pipe may. */
  writeSync(bytes: Uint8Array): number {
    const part = bytes.subarray(0, 7);
    this.#bytes.push(...part);
    this.text = new TextDecoder().decode(Uint8Array.from(this.#bytes));
    return part.byteLength;
  }

  isTerminal(): boolean {
    return this.#terminal;
  }

  readonly #bytes: number[] = [];
}

export function captured(options: OutputOptions & { readonly terminal?: boolean } = {}) {
  const stdout = new MemorySink(options.terminal);
  const stderr = new MemorySink(options.terminal);
  return { output: new Output({ ...options, stdout, stderr }), stdout, stderr };
}

export function environmentAt(cwd: string): Environment {
  return { cwd, cacheDir: undefined, noColor: false, token: undefined, read: () => undefined };
}

/** Runs a command line in a folder, as `main` would. */
export async function runCommand(cwd: string, ...words: string[]) {
  const { command, options, args } = parseLine(words, COMMANDS);
  checkArity(command as Command, args);
  const { output, stdout, stderr } = captured({ json: options.flag("json") });
  const context: CommandContext = { options, args, output, environment: environmentAt(cwd) };
  const code = await command!.run(context);
  return { code, stdout: stdout.text, stderr: stderr.text };
}
