/**
 * The names of the modules in a tool folder.
 * @module
 */
import { moduleName } from "../registry/candidates.ts";
import { fileUrlToPath, relativeInside, trimSlash } from "../registry/paths.ts";
import { ToolRegistry } from "../registry/tool_registry.ts";
import type { DiscoveryReport } from "./runtime_types.ts";

const ABSOLUTE = /^(?:[A-Za-z]:)?[/\\]/;

/**
 * Names the modules of a tool folder that register tools and load without error. A module whose text leaves open
 * whether it loads is loaded once, in a worker with the grants of its tools; where no process may be started nothing
 * is loaded, and the text has to do.
 *
 * @param dir The folder. @default {the package's own `tools/`}
 * @returns The names, sorted: a file's name without its ending, or the folder's name of a `tool.ts`.
 * @throws {TypeError} If the folder cannot be read.
 *
 * @example The package's own tools
 * ```ts
 * import { discoverBuiltinTools } from "@cloister/cloister";
 *
 * const names = await discoverBuiltinTools();
 * console.log(names.join(", "));
 * ```
 */
export async function discoverBuiltinTools(dir?: string): Promise<string[]> {
  const folder = dir ?? fileUrlToPath(new URL("../tools", import.meta.url));
  if (folder === undefined) return await namesOfPublished();
  const path = trimSlash(ABSOLUTE.test(folder) ? folder : `${Deno.cwd()}/${folder}`);
  const { modules } = await discoverIn(path);
  const unreadable = modules.find((module) => module.path === path);
  if (unreadable !== undefined) {
    throw new TypeError(unreadable.diagnostics[0]?.message ?? `Cannot read tool folder "${path}"`);
  }
  return modules.filter((module) => module.status === "registered")
    .map((module) => moduleName(relativeInside(path, module.path) ?? module.path)).toSorted();
}

/** Discovers in a folder of its own: a question for names leaves nothing behind. */
async function discoverIn(path: string): Promise<DiscoveryReport> {
  const { buildRuntime } = await import("./build_runtime.ts");
  const cacheDir = Deno.makeTempDirSync({ prefix: "cloister-names-" });
  try {
    await using runtime = await buildRuntime({
      registry: new ToolRegistry(),
      roots: [path],
      builtins: false,
      pluginFolder: `${cacheDir}/plugins`,
      config: {},
      cacheDir,
    });
    return await runtime.verifyModules();
  } finally {
    Deno.removeSync(cacheDir, { recursive: true });
  }
}

/** A package on a server cannot be listed: the generated module names its tools. */
async function namesOfPublished(): Promise<string[]> {
  const module: unknown = await import(new URL("../tools/_builtins.ts", import.meta.url).href);
  const builtins = (module as { BUILTINS?: unknown }).BUILTINS;
  return typeof builtins === "object" && builtins !== null ? Object.keys(builtins).toSorted() : [];
}
