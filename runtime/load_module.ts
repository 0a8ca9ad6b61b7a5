/**
 * Trying to load a module, and why it does not load.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { AdmittedModule, DiscoveredModule } from "../registry/discovery_types.ts";
import { pathToFileUrl } from "../registry/paths.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { LoadOutcome } from "../workers/load_outcome.ts";
import { explainDenied } from "./denied.ts";
import { sanitiseErrorText } from "./error_text.ts";
import type { CallPool } from "./lazy_pool.ts";
import { snapshotWith } from "./snapshot_with.ts";
import type { ToolPlanner } from "./tool_planner.ts";

/** How long a module's top level may take, in milliseconds. */
const LOAD_MS = 2_000;

/** What modules are loaded with. */
export interface LoadOptions {
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** Loads modules in workers. */
  readonly pool: Pick<CallPool, "load">;
  /** The newest table. */
  readonly snapshot: () => RegistrySnapshot;
}

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
 * Loads a module with the grants of a tool, in a cell apart from the one of its calls: a module that ends its cell takes
 * no call along.
 *
 * @param entry The tool.
 * @param options What it is loaded with.
 * @returns What came of it. Never rejects.
 */
export async function tryLoad(
  entry: ToolEntry,
  { planner, pool, snapshot }: LoadOptions,
): Promise<LoadOutcome> {
  const { plan, isolation } = planner.plan(entry);
  const shared = planner.placement(snapshotWith(entry, snapshot()), entry);
  const perCall = plan.exclusive || isolation === "process";
  const placement = { ...shared, group: `load:${shared.group}`, spare: false, perCall };
  const order = { module: planner.module(entry), grants: plan.grants, placement };
  const first = await pool.load(order, LOAD_MS);
  // Another module may have ended the cell; alone it can only have been this one.
  if (first.ok || first.by !== "cell" || perCall) return first;
  return await pool.load({ ...order, placement: { ...placement, perCall: true } }, LOAD_MS);
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
