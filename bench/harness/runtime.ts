/**
 * A runtime for a row: its own table, its own cache, no built-in tools.
 * @module
 */
import { createRuntime, type Runtime, ToolRegistry, type ToolResult } from "../../mod.ts";
import type { JsonObject } from "../../core/json.ts";
import { projectPath, tempFolder } from "./temp.ts";

/** Options of {@linkcode openRuntime}. */
export interface OpenOptions {
  /** Folders with tool files. @default {the benchmark's own tools} */
  readonly roots?: readonly string[];
  /** The table. @default {a new one} */
  readonly registry?: ToolRegistry;
  /** The configuration. @default {nothing configured} */
  readonly config?: JsonObject;
  /** The cache folder. @default {one of its own, which vanishes with it} */
  readonly cacheDir?: string;
}

/** A runtime and its folder. */
export interface OpenRuntime extends AsyncDisposable {
  /** The runtime. */
  readonly runtime: Runtime;
  /** Calls a tool and gives its result's text. Rejects when the call fails. */
  call(name: string, args: Parameters<Runtime["dispatch"]>[1]): Promise<string>;
}

function contentOf(result: ToolResult): string {
  if (!result.ok) throw new Error(`${result.name}: ${result.error.code} ${result.error.message}`);
  return result.content;
}

/**
 * Makes a runtime.
 *
 * @param options Roots and table.
 * @returns The runtime; dispose of it when done.
 */
export async function openRuntime(
  { roots = [projectPath("bench/tools")], registry = new ToolRegistry(), config = {}, cacheDir }:
    OpenOptions = {},
): Promise<OpenRuntime> {
  const folder = await tempFolder();
  const workspace = `${folder.path}/workspace`;
  await Deno.mkdir(workspace);
  const runtime = await createRuntime({
    registry,
    roots,
    builtins: false,
    config,
    workspace,
    cacheDir: cacheDir ?? `${folder.path}/cache`,
  });
  return {
    runtime,
    call: async (name, args) => contentOf(await runtime.dispatch(name, args)),
    async [Symbol.asyncDispose]() {
      await runtime[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
