/**
 * Two files of one owner with the same tool name.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { DiscoveredModule } from "./discovery_types.ts";
import { diagnosticAt, withFailureWarning } from "./findings.ts";

/**
 * Lets the first file of an owner hold a name; a later one with the same name fails, and none of its tools
 * is taken. Between different owners this decides nothing.
 *
 * @param modules The modules in order.
 * @returns The modules in the same order.
 */
export function settleDuplicates(modules: readonly DiscoveredModule[]): DiscoveredModule[] {
  const holders = new Map<string, string>();
  return modules.map((module) => {
    const found = module.tools.flatMap(({ declaration: { name }, line, column }) => {
      const holder = holders.get(keyOf(module, name));
      return holder === undefined ? [] : [duplicate(module.path, { line, column }, name, holder)];
    });
    if (found.length > 0) return failWith(module, found);
    for (const tool of module.tools) holders.set(keyOf(module, tool.declaration.name), module.path);
    return module;
  });
}

function keyOf(module: DiscoveredModule, name: string): string {
  return JSON.stringify([module.root.owner, name]);
}

function duplicate(
  path: string,
  place: { readonly line: number; readonly column: number },
  name: string,
  holder: string,
): Diagnostic {
  return diagnosticAt(path, place, {
    code: "duplicate_name",
    message: `Cannot take tool "${name}": ${holder} of the same owner registers it already`,
    hint: "Give one of the two another name, or remove one of the files",
  });
}

function failWith(module: DiscoveredModule, found: readonly Diagnostic[]): DiscoveredModule {
  const { path, root } = module;
  const diagnostics = withFailureWarning(path, [...found, ...module.diagnostics]);
  return { path, root, status: "failed", tools: [], diagnostics };
}
