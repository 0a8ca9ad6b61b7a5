/**
 * Whether loading a module is certain to succeed: nothing at the top level of its closure can throw, and
 * everything that is imported is exported.
 * @module
 */
import { isToolSpecifier } from "./bindings.ts";
import type { ClosureFile } from "./closure.ts";

/** The names that modules outside of closures export, by specifier. */
const outside = new Map<string, Promise<ReadonlySet<string> | undefined>>();

/**
 * Whether loading a module is certain to succeed. Nothing of the module runs.
 *
 * @param files The module's closure, the module first.
 * @returns True only when it is certain; false says that somebody has to try.
 */
export async function isSafeToLoad(files: readonly ClosureFile[]): Promise<boolean> {
  if (!files.every(({ topLevel }) => topLevel.harmless)) return false;
  const byName = new Map(files.map((file) => [file.relative, file]));
  // In a circle of imports one is used before it has its values.
  if (files[0] === undefined || hasCircle(byName, files[0])) return false;
  for (const file of files) {
    for (const { specifier, names } of file.topLevel.needs) {
      const exported = await exportsOf(byName, file, specifier);
      if (exported === undefined || !names.every((name) => exported.has(name))) return false;
    }
  }
  return true;
}

async function exportsOf(
  byName: ReadonlyMap<string, ClosureFile>,
  file: ClosureFile,
  specifier: string,
): Promise<ReadonlySet<string> | undefined> {
  const target = file.edges.get(specifier);
  if (target !== "") return byName.get(target ?? "")?.topLevel.exports;
  const known = outside.get(specifier) ?? namesOf(specifier);
  outside.set(specifier, known);
  return await known;
}

/**
 * Modules that load without a permission wherever this program runs (all of `node:` were tried on Deno 2.9.6).
 * Any other package may do anything when it is loaded.
 */
async function namesOf(specifier: string): Promise<ReadonlySet<string> | undefined> {
  try {
    if (isToolSpecifier(specifier)) return new Set(Object.keys(await import("../core/tool.ts")));
    if (specifier === "zod") return new Set(Object.keys(await import("zod")));
    if (!specifier.startsWith("node:")) return undefined;
    return new Set(Object.keys(await import(specifier)));
  } catch {
    return undefined;
  }
}

function hasCircle(byName: ReadonlyMap<string, ClosureFile>, entry: ClosureFile): boolean {
  const done = new Set<string>();
  const open = new Set<string>();
  const visit = (file: ClosureFile): boolean => {
    if (open.has(file.relative)) return true;
    if (done.has(file.relative)) return false;
    open.add(file.relative);
    const found = file.topLevel.needs.some(({ specifier }) => {
      const next = byName.get(file.edges.get(specifier) ?? "");
      return next !== undefined && visit(next);
    });
    open.delete(file.relative);
    done.add(file.relative);
    return found;
  };
  return visit(entry);
}
