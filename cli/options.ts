/**
 * What the options that every command takes mean for a runtime.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { JsonObject } from "../core/json.ts";
// Every command that opens a runtime discovers.
import "../registry/discovery.ts";
import { pathToFileUrl } from "../registry/paths.ts";
import { mcpExtension } from "../mcp/create_runtime.ts";
import { SYSTEM_CLOCK } from "../registry/availability/clock.ts";
import { buildRuntime } from "../runtime/build_runtime.ts";
import { resolve } from "../runtime/paths.ts";
import type { Runtime, RuntimeOptions } from "../runtime/runtime_types.ts";
import type { CommandContext } from "./command.ts";
import { printDiagnostics } from "./diagnostics.ts";
import type { Output } from "./output.ts";
import { ConsoleLogger } from "./logger.ts";
import { withProgress } from "./progress.ts";

/** How long a command waits for the MCP servers in use; it says which of them it went on without. */
const SERVERS_MS = 15_000;

/** How a command wants its runtime. */
export interface OpenOptions {
  /** Options that the command sets itself. */
  readonly changes?: Partial<RuntimeOptions>;
  /** How to print what discovery found fault with: each place, one line in all, or not. @default {"each"} */
  readonly findings?: "each" | "count" | "none";
  /** What becomes of the configured MCP servers: awaited, reached meanwhile, or left alone. @default {"wait"} */
  readonly mcp?: "wait" | "background" | "off";
  /** What has to be over before the findings are printed. */
  readonly settle?: (runtime: Runtime) => Promise<unknown>;
}

/**
 * Starts the runtime that a command works with. Its code is loaded with this module, and this module with the
 * command: each wait for code takes 2 ms (measured on Deno 2.9.6).
 *
 * @param context What was typed.
 * @param options How the command wants it.
 * @returns The runtime, discovered.
 */
export async function openRuntime(
  context: CommandContext,
  { changes = {}, findings: show = "each", mcp = "wait", settle }: OpenOptions = {},
): Promise<Runtime> {
  const { output, environment } = context;
  const logger = new ConsoleLogger(output);
  const options = { ...runtimeOptions(context), logger, ...changes };
  const extensions = mcp === "off" ? [] : [mcpExtension(mcp, SERVERS_MS)];
  const starting = start(buildRuntime(options, SYSTEM_CLOCK, extensions), settle);
  let findings: readonly Diagnostic[] = [];
  try {
    const runtime = await withProgress(output, "Discovering tools", starting);
    findings = runtime.lastDiscovery?.modules.flatMap(({ diagnostics }) => diagnostics) ?? [];
    return runtime;
  } finally {
    logger.release(findings);
    const grave = findings.filter(({ severity }) => severity !== "info");
    if (show === "each") printDiagnostics(output, grave, environment.cwd);
    if (show === "count") warnOfFaults(output, grave);
  }
}

async function start(
  building: Promise<Runtime>,
  settle: OpenOptions["settle"],
): Promise<Runtime> {
  const runtime = await building;
  try {
    await settle?.(runtime);
    return runtime;
  } catch (error) {
    await runtime[Symbol.asyncDispose]();
    throw error;
  }
}

// A call is about one tool; what is wrong with other files is said where they are listed.
function warnOfFaults(output: Output, findings: readonly Diagnostic[]): void {
  const files = new Set(findings.map(({ path }) => path)).size;
  if (files === 0) return;
  output.warn(`${files} tool file${files === 1 ? " has" : "s have"} faults: see 'cloister scan'`);
}

/**
 * What the common options mean for a runtime. The usual places are in the current folder also when the workspace
 * is another: a workspace must not bring tools or a configuration of its own.
 *
 * @param context What was typed.
 * @returns Options for `createRuntime`.
 */
export function runtimeOptions(context: CommandContext): RuntimeOptions {
  const { options, environment } = context;
  const here = (path: string) => resolve(environment.cwd, path);
  const named = options.texts("root");
  const roots = named.length > 0 ? named.map(here) : usualRoots(here("tools"));
  const config = options.text("config");
  const { cacheDir } = environment;
  return {
    workspace: here(options.text("workspace") ?? "."),
    roots,
    config: config === undefined ? usualConfig(here("cloister.json")) : here(config),
    environment: environment.read,
    editTools: options.flag("edit-tools"),
    ...(cacheDir === undefined ? {} : { cacheDir }),
  };
}

function usualRoots(path: string): readonly string[] {
  const isBuiltin = pathToFileUrl(path) === new URL("../tools", import.meta.url).href;
  return !isBuiltin && exists(path) ? [path] : [];
}

function usualConfig(path: string): string | JsonObject {
  return exists(path) ? path : {};
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
