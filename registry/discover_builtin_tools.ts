/**
 * The names of the modules in a tool folder.
 * @module
 */
import { moduleName } from "./candidates.ts";
import type { Discovery } from "./discovery.ts";
import type { DiscoveryOutcome } from "./discovery_types.ts";
import { packageImportMap } from "./package_imports.ts";
import { fileUrlToPath, relativeInside, trimSlash } from "./paths.ts";

const ABSOLUTE = /^(?:[A-Za-z]:)?[/\\]/;

/**
 * Names the modules of a tool folder that register tools without error. Nothing in the folder is run.
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
async function discoverIn(path: string): Promise<DiscoveryOutcome> {
  const { Discovery } = await import("./discovery.ts");
  const cacheDir = Deno.makeTempDirSync({ prefix: "cloister-names-" });
  try {
    using discovery: Discovery = new Discovery({ cacheDir, importMap: packageImportMap() });
    return await discovery.discover([{ dir: path, owner: "builtin" }]);
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
