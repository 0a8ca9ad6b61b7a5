/**
 * Modules that do not load: what is told of them, and what is left of them.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { DiscoveredModule } from "../registry/discovery_types.ts";
import { diagnosticAt, withFailureWarning } from "../registry/findings.ts";
import type { LoadFault } from "./load_module.ts";

/** How many tools of a module are named. */
const MOST_NAMED = 8;

/** A module that does not load. */
export interface FailedLoad {
  /** The module file's absolute path. */
  readonly path: string;
  /** Hash of the module and everything it imports, as it was loaded. */
  readonly integrity: string;
  /** Gives the module without its tools, and with the reason. */
  readonly fail: (module: DiscoveredModule) => DiscoveredModule;
}

/**
 * Puts faults into words, one for each module.
 *
 * @param faults The faults, by tool.
 * @returns The modules.
 */
export function failedLoads(faults: readonly LoadFault[]): readonly FailedLoad[] {
  const byPath = Map.groupBy(faults, ({ module }) => module.path);
  return Array.from(byPath, ([path, [first]]) => {
    const { entry, module, reason, at } = first!;
    const names = module.tools.map(({ declaration }) => declaration.name);
    // Its place in a file is the most that is known; else where the tool is registered.
    const { line = 1, column = 1 } = at ?? entry.source;
    const diagnostic = diagnosticAt(at?.path ?? path, { line, column }, {
      code: "load_failed",
      message: `Cannot load the module of ${quoteAll(names)}: ${reason}`,
      hint: "Before its tools are offered a module is loaded once, with their grants and within " +
        "2 seconds. Do what may fail in the handler, or in checkFn",
    });
    const integrity = module.admitted?.integrity ?? "";
    return { path, integrity, fail: (now) => withFailedLoad(now, diagnostic) };
  });
}

function withFailedLoad(module: DiscoveredModule, reason: Diagnostic): DiscoveredModule {
  const { path, root } = module;
  const diagnostics = withFailureWarning(path, [reason, ...module.diagnostics]);
  return { path, root, status: "failed", tools: [], diagnostics };
}

function quoteAll(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => `"${name}"`);
  const more = names.length - shown.length;
  return `tool${names.length === 1 ? "" : "s"} ${shown.join(", ")}${
    more > 0 ? ` and ${more} more` : ""
  }`;
}
