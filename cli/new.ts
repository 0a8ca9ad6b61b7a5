/**
 * `cloister new`: a first tool file.
 * @module
 */
import { join, resolve } from "../runtime/paths.ts";
import { type CommandContext, EXIT, UsageError } from "./command.ts";
import { shortPath } from "./diagnostics.ts";
import { toolTemplate } from "./tool_template.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** Files of these names are not looked at by discovery. */
const SKIPPED = /^(?:_.*|mod|registry|mcp_tool|.*_test)$/;
const TOOLSET = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/**
 * Runs it.
 *
 * @param context What was typed, and where to print.
 * @returns The exit code.
 */
export async function run(context: CommandContext): Promise<number> {
  const { args, options, output, environment } = context;
  const name = checkName(args[0]!);
  const toolset = checkToolset(options.text("toolset") ?? "custom");
  const description = options.text("description") ?? `Count the characters of a text.`;
  const folder = resolve(environment.cwd, options.texts("root")[0] ?? "tools");
  await refuseExisting(folder, name);
  const path = join(folder, `${name}.ts`);
  await writeNew(path, folder, toolTemplate(name, toolset, description));
  if (output.json) output.value({ path });
  else output.line(`Wrote ${shortPath(path, environment.cwd)}`);
  output.info(`Try: cloister call ${name} '{"text": "hello"}'`);
  return EXIT.ok;
}

function checkName(name: string): string {
  if (!NAME.test(name)) {
    throw new UsageError(
      `The name ${JSON.stringify(name)} cannot be a tool's: expected a letter or "_", ` +
        'then up to 63 letters, digits, "_" or "-"',
    );
  }
  if (SKIPPED.test(name)) {
    throw new UsageError(
      `The name "${name}" would give a file that discovery skips: ` +
        'do not start with "_", end with "_test", or use mod, registry or mcp_tool',
    );
  }
  return name;
}

function checkToolset(toolset: string): string {
  if (TOOLSET.test(toolset) && !toolset.startsWith("mcp-")) return toolset;
  throw new UsageError(
    `The toolset ${JSON.stringify(toolset)} is not accepted: expected letters, digits, "_" or ` +
      '"-", and no "mcp-" at the start',
  );
}

async function refuseExisting(folder: string, name: string): Promise<void> {
  const files = [".ts", ".mts", ".js", ".mjs", "/tool.ts"].map((end) => join(folder, name + end));
  for (const path of files) {
    const exists = await Deno.lstat(path).then(() => true, () => false);
    if (exists) throw new Error(`Cannot write the tool "${name}": "${path}" is there already`);
  }
}

async function writeNew(path: string, folder: string, text: string): Promise<void> {
  try {
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(path, text, { createNew: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot write "${path}": ${reason}`, { cause: error });
  }
}
