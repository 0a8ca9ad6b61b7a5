/**
 * `cloister permissions`: the smallest `deno run` flags for the enabled tools.
 * @module
 */
import { type Command, type CommandContext, EXIT } from "./command.ts";
import { openRuntime } from "./options.ts";
import { neutraliseLine } from "./neutralise.ts";

/** The command. */
export const permissionsCommand: Command = {
  name: "permissions",
  summary: "Print the smallest 'deno run' flags for the enabled tools",
  usage: "",
  arity: { min: 0, max: 0 },
  options: {},
  examples: [["deno run $(cloister permissions) my_program.ts", "run a program with them"]],
  run,
};

async function run(context: CommandContext): Promise<number> {
  const { output } = context;
  await using runtime = await openRuntime(context);
  const flags = runtime.permissionFlags();
  if (output.json) output.value({ flags });
  else output.line(flags.map(neutraliseLine).join(" "));
  return EXIT.ok;
}
