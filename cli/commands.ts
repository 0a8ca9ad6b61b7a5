/**
 * The commands, in the order of the help text.
 * @module
 */
import { callCommand } from "./call.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT, UsageError } from "./command.ts";
import { doctorCommand } from "./doctor.ts";
import { explainCommand } from "./explain.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { listCommand } from "./list.ts";
import { newCommand } from "./new.ts";
import { permissionsCommand } from "./permissions.ts";
import { scanCommand } from "./scan.ts";
import { serveCommand } from "./serve.ts";
import { startCommand } from "./start.ts";
import { VERSION } from "./version.ts";

const helpCommand: Command = {
  name: "help",
  summary: "Show help, in general or for a command",
  usage: "[COMMAND]",
  arity: { min: 0, max: 1 },
  options: {},
  examples: [["cloister help call", "help for the command 'call'"]],
  run: showHelp,
};

const versionCommand: Command = {
  name: "version",
  summary: "Show the versions of Cloister and Deno",
  usage: "",
  arity: { min: 0, max: 0 },
  options: {},
  examples: [["cloister version --json", "as JSON"]],
  run: showVersion,
};

/** Every command. */
export const COMMANDS: readonly Command[] = Object.freeze([
  startCommand,
  serveCommand,
  listCommand,
  scanCommand,
  callCommand,
  explainCommand,
  newCommand,
  permissionsCommand,
  doctorCommand,
  helpCommand,
  versionCommand,
]);

function showHelp({ args, output }: CommandContext): Promise<number> {
  const [name] = args;
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (name !== undefined && command === undefined) {
    throw new UsageError(`Unknown command ${JSON.stringify(name)}`);
  }
  output.line(command ? commandHelp(command) : generalHelp(COMMANDS));
  return Promise.resolve(EXIT.ok);
}

function showVersion({ output }: CommandContext): Promise<number> {
  const { deno, v8, typescript } = Deno.version;
  if (output.json) output.value({ cloister: VERSION, deno, v8, typescript });
  else output.line(`cloister ${VERSION}\ndeno ${deno}`);
  return Promise.resolve(EXIT.ok);
}
