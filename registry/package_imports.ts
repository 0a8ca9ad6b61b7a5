/**
 * The import map of the package's own tools.
 * @module
 */
import type { ImportMap } from "./resolve.ts";

/** The name under which tool files import the tool module. */
export const TOOL_MODULE = "@cloister/cloister/tool";

/**
 * Reads which names the package's own tools may import: the tool module and the packages that the package's
 * configuration names.
 *
 * @returns The names with what they stand for; the tool module alone when the package is not a local folder.
 */
export function packageImportMap(): ImportMap {
  const tool = { [TOOL_MODULE]: new URL("../core/tool.ts", import.meta.url).href };
  if (!import.meta.url.startsWith("file:")) return tool;
  try {
    const text = Deno.readTextFileSync(new URL("../deno.json", import.meta.url));
    return { ...importsOf(JSON.parse(text)), ...tool };
  } catch {
    return tool;
  }
}

function importsOf(config: unknown): ImportMap {
  if (typeof config !== "object" || config === null || !("imports" in config)) return {};
  const { imports } = config;
  if (typeof imports !== "object" || imports === null) return {};
  return Object.fromEntries(
    Object.entries(imports).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}
