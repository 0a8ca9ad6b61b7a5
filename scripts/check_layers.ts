/**
 * Checks that every file imports its own folder and lower ranks only. Prints what breaks the rule and exits
 * with 1. Run by `deno task layers`.
 * @module
 */
import { checkFile, type Violation } from "./layer_rules.ts";

const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "coverage"]);

/**
 * Checks every source file of a checkout.
 *
 * @param root The checkout's folder.
 * @returns How many files were checked, and what they break, by file and line.
 */
export async function checkLayers(
  root: string,
): Promise<{ readonly files: number; readonly violations: readonly Violation[] }> {
  const paths = (await listSources(root, "")).sort();
  const violations: Violation[] = [];
  for (const path of paths) {
    violations.push(...checkFile(path, await Deno.readTextFile(`${root}/${path}`)));
  }
  return { files: paths.length, violations };
}

async function listSources(root: string, folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${root}/${folder}`)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isDirectory) {
      if (name.startsWith(".") || SKIPPED.has(name) || path === "tests/fixtures") continue;
      paths.push(...await listSources(root, path));
    } else if (/\.m?tsx?$/.test(name)) paths.push(path);
  }
  return paths;
}

async function main(): Promise<void> {
  const root = Deno.args[0] ?? new URL("..", import.meta.url).pathname.replace(/\/$/, "");
  const { files, violations } = await checkLayers(root);
  for (const { path, line, message } of violations) console.error(`${path}:${line}: ${message}`);
  if (violations.length > 0) Deno.exit(1);
  console.log(`layers: ${files} files keep to their ranks`);
}

if (import.meta.main) await main();
