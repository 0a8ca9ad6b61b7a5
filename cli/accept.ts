/**
 * `cloister accept`: takes tool files that were held because tools could have changed them.
 * @module
 */
import { resolve } from "../runtime/paths.ts";
import type { HeldChange } from "../runtime/runtime_types.ts";
import { isAccepted } from "./approval.ts";
import { type CommandContext, EXIT, UsageError } from "./command.ts";
import { shortPath } from "./diagnostics.ts";
import { permissionsText } from "./grants_text.ts";
import { openRuntime } from "./options.ts";

/**
 * Runs it. What a file changes is shown, and taken when the person says yes to what was shown.
 *
 * @param context What was typed, and where to print.
 * @returns The exit code.
 * @throws {UsageError} If a path that was typed is not held.
 */
export async function run(context: CommandContext): Promise<number> {
  const { args, output, environment } = context;
  await using runtime = await openRuntime(context, { findings: "none", mcp: "off" });
  const held = await runtime.held();
  const wanted = args.map((path) => resolve(environment.cwd, path));
  const missing = wanted.findIndex((path) => !held.some((change) => change.path === path));
  if (missing >= 0) throw new UsageError(`Nothing is held of "${args[missing]}"`);
  const chosen = wanted.length === 0 ? held : held.filter(({ path }) => wanted.includes(path));
  if (chosen.length === 0) {
    if (output.json) output.value({ accepted: [] });
    else output.info("No tool file is held");
    return EXIT.ok;
  }
  for (const change of chosen) output.info(changeText(change, environment.cwd));
  if (!await isAccepted(context)) {
    if (output.json) output.value({ held: chosen });
    return EXIT.failed;
  }
  await runtime.acceptHeld(chosen);
  const paths = chosen.map(({ path }) => path);
  if (output.json) output.value({ accepted: paths });
  else output.info(`Accepted: ${paths.map((path) => shortPath(path, environment.cwd)).join(", ")}`);
  return EXIT.ok;
}

function changeText({ path, permissions, before, patch }: HeldChange, cwd: string): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(permissions)])];
  const tools = names.map((name) => {
    const [was, now] = [before?.[name], permissions[name]]
      .map((declared) => declared === undefined ? "none" : permissionsText(declared));
    return `  ${name}: ${was === now ? now : `${was} -> ${now}`}`;
  });
  return [shortPath(path, cwd), ...tools, patch].join("\n");
}
