/**
 * Discovers a folder of tool files and prints what it found.
 *
 * Arguments: the folder, the cache folder.
 * @module
 */
import { Discovery } from "../../registry/discovery.ts";

const [dir = "", cacheDir = ""] = Deno.args;
const imports = { "@cloister/cloister/tool": new URL("../../core/tool.ts", import.meta.url).href };
const keyFile = `${cacheDir}.key`;
using discovery = new Discovery({
  cacheDir,
  keyFile,
  importMap: imports,
  denoCommand: Deno.execPath(),
});
const { modules, cache, durationMs } = await discovery.discover([{ dir, owner: "user" }]);
const tools = modules.reduce((sum, module) => sum + module.tools.length, 0);
const [diagnostic] = modules.flatMap((module) => module.diagnostics);
console.log(JSON.stringify({ tools, ...cache, durationMs, diagnostic }));
