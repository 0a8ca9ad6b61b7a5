/**
 * The help texts.
 * @module
 */
import type { Command, OptionTable } from "./command.ts";
import { COMMON_OPTIONS } from "./common_options.ts";

/**
 * The help text of the whole command line.
 *
 * @param commands The commands that exist.
 * @returns The text.
 */
export function generalHelp(commands: readonly Command[]): string {
  const rows = commands.map((command) => [command.name, command.summary] as const);
  return [
    "Cloister runs the tools of an agent, each with the permissions that it declares.",
    "",
    "Usage: cloister COMMAND [options]   (in the checkout: deno task cli COMMAND [options])",
    "",
    section("Commands", rows),
    "",
    section("Options of every command", optionRows(COMMON_OPTIONS)),
    "",
    section("Examples", [
      ["cloister list", "the tools, their availability and permissions"],
      ['cloister call read_file \'{"path": "README.md"}\'', "one call"],
      ["cloister new word_count", "a first tool file"],
    ]),
    "",
    "Exit codes: 0 done, 1 a tool or a check failed, 2 the command line makes no sense, 130 Ctrl-C.",
    "'cloister COMMAND --help' tells more about a command.",
  ].join("\n");
}

/**
 * The help text of one command.
 *
 * @param command The command.
 * @returns The text.
 */
export function commandHelp(command: Command): string {
  const own = optionRows(command.options);
  return [
    `Usage: cloister ${command.name} ${command.usage}`.trimEnd(),
    "",
    `${command.summary}.`,
    ...(command.details === undefined ? [] : ["", command.details]),
    ...(own.length === 0 ? [] : ["", section("Options", own)]),
    "",
    section("Options of every command", optionRows(COMMON_OPTIONS)),
    "",
    section("Examples", command.examples),
  ].join("\n");
}

function optionRows(table: OptionTable): (readonly [string, string])[] {
  return Object.entries(table).map(([name, spec]) => {
    const short = spec.short === undefined ? "    " : `-${spec.short}, `;
    const value = spec.value === undefined ? "" : ` ${spec.value}`;
    return [`${short}--${name}${value}`, spec.help];
  });
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return [`${title}:`, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)]
    .join("\n");
}
