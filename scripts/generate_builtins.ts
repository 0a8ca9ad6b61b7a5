/**
 * Writes `tools/_builtins.ts`: the package's own tools for places where its folder cannot be listed.
 * `--check` writes nothing and fails when the file is not up to date.
 * @module
 */
import { moduleName } from "../registry/candidates.ts";
import { Discovery } from "../registry/discovery.ts";
import type { DiscoveredModule } from "../registry/discovery_types.ts";
import { packageImportMap } from "../registry/package_imports.ts";
import { fileUrlToPath, relativeInside } from "../registry/paths.ts";

const TOOLS = fileUrlToPath(new URL("../tools", import.meta.url)) ?? "tools";
const TARGET = `${TOOLS}/_builtins.ts`;

/** Discovers the package's tools; any fault ends the script. */
async function discoverTools(): Promise<readonly DiscoveredModule[]> {
  const cacheDir = await Deno.makeTempDir({ prefix: "cloister-builtins-" });
  try {
    using discovery = new Discovery({ cacheDir, importMap: packageImportMap() });
    const { modules } = await discovery.discover([{ dir: TOOLS, owner: "builtin" }]);
    return modules.filter(isRegistered);
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
}

function isRegistered(module: DiscoveredModule): boolean {
  const fault = module.diagnostics.find((item) => item.severity === "error");
  if (fault === undefined) return module.status === "registered";
  throw new Error(`${fault.path}:${fault.line}:${fault.column}: ${fault.message}`);
}

/** The file's text before formatting. */
function render(modules: readonly DiscoveredModule[]): string {
  const members = modules.map((module) => {
    const relative = relativeInside(TOOLS, module.path) ?? "";
    const declarations = module.tools.map((tool) => tool.declaration);
    return `${JSON.stringify(moduleName(relative))}: Object.freeze({\n` +
      `load: (): Promise<unknown> => import(${JSON.stringify(`./${relative}`)}),\n` +
      `declarations: ${JSON.stringify(declarations)},\n})`;
  });
  return `${HEAD}export const BUILTINS: Readonly<Record<string, BuiltinModule>> = Object.freeze({\n` +
    `${members.map((member) => `${member},\n`).join("")}});\n`;
}

const HEAD = `/**
 * The package's own tools by module name. Written by scripts/generate_builtins.ts: do not edit.
 * @module
 */

/** A tool module of the package. */
export interface BuiltinModule {
  /** Loads the module, which registers its tools. */
  readonly load: () => Promise<unknown>;
  /** What it registers, as plain data. */
  readonly declarations: readonly { readonly name: string; readonly [field: string]: unknown }[];
}

/** The package's tool modules by name. */
`;

async function format(text: string): Promise<string> {
  const child = new Deno.Command("deno", {
    args: ["fmt", "--config", fileUrlToPath(new URL("../deno.json", import.meta.url)) ?? "", "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { code, stdout } = await child.output();
  if (code !== 0) throw new Error(`Cannot format ${TARGET}: deno fmt ended with code ${code}`);
  return new TextDecoder().decode(stdout);
}

async function main(): Promise<number> {
  const text = await format(render(await discoverTools()));
  if (!Deno.args.includes("--check")) {
    await Deno.writeTextFile(TARGET, text);
    return 0;
  }
  const now = await Deno.readTextFile(TARGET).catch(() => "");
  if (now === text) return 0;
  console.error(`${TARGET} is not up to date: run deno run -A scripts/generate_builtins.ts`);
  return 1;
}

if (import.meta.main) Deno.exit(await main());
