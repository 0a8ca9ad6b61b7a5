/**
 * Why a module does not load.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { AdmittedModule, DiscoveredModule } from "../registry/discovery_types.ts";
import { pathToFileUrl } from "../registry/paths.ts";
import type { LoadOutcome } from "../workers/load_outcome.ts";
import { explainDenied } from "./denied.ts";
import { sanitiseErrorText } from "./error_text.ts";

/** A tool with the module that registers it. */
export interface ModuleTool {
  /** The tool. */
  readonly entry: ToolEntry;
  /** Its module. */
  readonly module: DiscoveredModule;
}

/** Why a module does not load. */
export interface LoadFault extends ModuleTool {
  /** Why, fit to be shown. */
  readonly reason: string;
  /** Where it threw, in one of the module's files. */
  readonly at?: { readonly path: string; readonly line: number; readonly column: number };
}

/**
 * Says why a module does not load, in words that may be shown.
 *
 * @param entry The tool with whose grants it was loaded.
 * @param module The module.
 * @param outcome What came of it.
 * @returns The reason, and the place in the module's files where it threw.
 */
export function explainLoad(
  entry: ToolEntry,
  module: AdmittedModule | undefined,
  { reason, error, at }: Extract<LoadOutcome, { ok: false }>,
): Pick<LoadFault, "reason" | "at"> {
  const files = module?.files ?? [];
  const name = error?.errorName;
  const text = error?.denied
    ? explainDenied(entry, error.denied, error.message).message
    : name === undefined || name === "Error"
    ? reason
    : `${name}: ${reason}`;
  // The copies are of no use to whoever wrote the files.
  const own = files.reduce(
    (told, { stored, path }) =>
      told.replaceAll(pathToFileUrl(stored), path).replaceAll(stored, path),
    text,
  );
  const file = files.find(({ stored }) => pathToFileUrl(stored) === at?.url);
  const shown = sanitiseErrorText(own);
  if (file === undefined || at === undefined) return { reason: shown };
  return { reason: shown, at: { path: file.path, line: at.line, column: at.column } };
}
