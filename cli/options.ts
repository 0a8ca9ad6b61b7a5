/**
 * The options that every command takes.
 * @module
 */
import { resolve } from "node:path";
import type { Runtime, RuntimeOptions } from "../runtime/runtime_types.ts";
import type { CommandContext, OptionTable } from "./command.ts";
import { createLogger } from "./logger.ts";
import { withProgress } from "./progress.ts";

/** The common options. */
export const COMMON_OPTIONS: OptionTable = Object.freeze({
  root: {
    type: "string",
    multiple: true,
    value: "DIR",
    help: "folder with tool files; may be repeated (default: ./tools)",
  },
  config: { type: "string", value: "FILE", help: "configuration (default: ./cloister.json)" },
  workspace: {
    type: "string",
    value: "DIR",
    help: "folder that tools work in (default: the current folder)",
  },
  json: { type: "boolean", help: "print results as JSON" },
  quiet: { type: "boolean", short: "q", help: "print results and errors only" },
  "no-color": { type: "boolean", help: "no colours, even on a terminal" },
  help: { type: "boolean", short: "h", help: "show help" },
  version: { type: "boolean", short: "V", help: "show the version" },
});

/**
 * What the common options mean for a runtime. Left out is left to the runtime's own default.
 *
 * @param context What was typed.
 * @returns Options for `createRuntime`.
 */
export function runtimeOptions(context: CommandContext): RuntimeOptions {
  const { options, environment } = context;
  const roots = options.texts("root").map((dir) => resolve(environment.cwd, dir));
  const config = options.text("config");
  const { cacheDir } = environment;
  return {
    workspace: resolve(environment.cwd, options.text("workspace") ?? "."),
    logger: createLogger(context.output),
    ...(roots.length === 0 ? {} : { roots }),
    ...(config === undefined ? {} : { config: resolve(environment.cwd, config) }),
    ...(cacheDir === undefined ? {} : { cacheDir }),
  };
}

/**
 * Starts the runtime that a command works with; its code is loaded only here, so that help texts come at once.
 *
 * @param context What was typed.
 * @param changes Options that the command sets itself.
 * @returns The runtime, discovered.
 */
export async function openRuntime(
  context: CommandContext,
  changes: Partial<RuntimeOptions> = {},
): Promise<Runtime> {
  const { createRuntime } = await import("../runtime/create_runtime.ts");
  const options = { ...runtimeOptions(context), ...changes };
  return await withProgress(context.output, "Discovering tools", createRuntime(options));
}
