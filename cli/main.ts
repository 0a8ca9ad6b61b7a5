/**
 * The command line. Importing this module does nothing; `deno run` of it does.
 *
 * @example Run a command from a program
 * ```ts ignore
 * import { main } from "@cloister/cloister/cli";
 *
 * const exitCode = await main(["list", "--json"]);
 * ```
 * @module
 */
import { isAtLeast, VERSION_FLOOR } from "../runtime/version_floor.ts";
import { type Command, type CommandContext, EXIT, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { readEnvironment } from "./environment.ts";
import { Output } from "./output.ts";
import { checkArity, parseLine } from "./parse.ts";
import { VERSION } from "./version.ts";

/**
 * Runs a command line.
 *
 * @param words The words after the program's name.
 * @returns The exit code: 0 done, 1 a tool or a check failed, 2 the command line makes no sense, 130 Ctrl-C.
 */
export async function main(words: readonly string[]): Promise<number> {
  const environment = readEnvironment();
  const plain = new Output({ noColor: environment.noColor || words.includes("--no-color") });
  if (!isAtLeast(Deno.version.deno, VERSION_FLOOR)) return refuseDeno(plain);
  try {
    const { command, options, args } = parseLine(words, COMMANDS);
    const output = new Output({
      json: options.flag("json"),
      quiet: options.flag("quiet"),
      noColor: environment.noColor || options.flag("no-color"),
    });
    return await perform(command, { options, args, output, environment });
  } catch (error) {
    return report(plain, error);
  }
}

async function perform(command: Command | undefined, context: CommandContext): Promise<number> {
  const { options, args, output } = context;
  if (options.flag("version")) return printed(output, VERSION);
  if (options.flag("help")) return printed(output, await helpFor(command));
  if (command === undefined) {
    output.error("No command was named");
    output.info(await helpFor(undefined));
    return EXIT.misuse;
  }
  checkArity(command, args);
  return await command.run(context);
}

async function helpFor(command: Command | undefined): Promise<string> {
  const { commandHelp, generalHelp } = await import("./help.ts");
  return command ? commandHelp(command) : generalHelp(COMMANDS);
}

function printed(output: Output, text: string): number {
  output.line(text);
  return EXIT.ok;
}

function report(output: Output, error: unknown): number {
  output.error(error instanceof Error ? error.message : String(error));
  if (!(error instanceof UsageError)) return EXIT.failed;
  output.info("'cloister --help' lists the commands and options.");
  return EXIT.misuse;
}

function refuseDeno(output: Output): number {
  output.error(
    `Cloister needs Deno ${VERSION_FLOOR} or newer, but this is ${Deno.version.deno}: ` +
      "run 'deno upgrade' or use 'npx --yes deno@latest'",
  );
  return EXIT.failed;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
