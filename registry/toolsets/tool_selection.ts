/**
 * Which tools a selection holds, over one snapshot.
 * @module
 */
import type { RegistrySnapshot } from "../snapshot.ts";
import type { ToolsetCatalogue } from "./toolset_catalogue.ts";

/** Which tools are meant: all of them when every field is left out. */
export interface ToolsetSelection {
  /** Toolsets or their aliases; `[]` means none. */
  readonly toolsets?: readonly string[];
  /** Toolsets that are subtracted last. */
  readonly disabledToolsets?: readonly string[];
  /** Names of single tools. */
  readonly names?: readonly string[];
}

/** A selection whose toolsets were looked up. */
export interface SelectedTools {
  /** Names that are chosen; `undefined` when every tool is. */
  readonly chosen: ReadonlySet<string> | undefined;
  /** Names that are subtracted. */
  readonly disabled: ReadonlySet<string>;
}

/**
 * Looks the toolsets of a selection up.
 *
 * @param selection The selection.
 * @param catalogue What names stand for.
 * @param snapshot The table.
 * @returns The names that are chosen and subtracted.
 */
export function selectTools(
  selection: ToolsetSelection,
  catalogue: ToolsetCatalogue,
  snapshot: RegistrySnapshot,
): SelectedTools {
  const { toolsets, disabledToolsets = [], names } = selection;
  const disabled = new Set<string>();
  for (const name of disabledToolsets) addAll(disabled, catalogue.removedBy(snapshot, name));
  if (!toolsets && !names) return { chosen: undefined, disabled };
  const chosen = new Set(names);
  for (const name of toolsets ?? []) addAll(chosen, catalogue.resolve(snapshot, name).tools);
  return { chosen, disabled };
}

/**
 * Whether a selection holds a tool; what is disabled is subtracted last.
 *
 * @param selected The selection.
 * @param name The tool's name.
 * @returns True when it does.
 */
export function isSelected({ chosen, disabled }: SelectedTools, name: string): boolean {
  return !disabled.has(name) && (chosen === undefined || chosen.has(name));
}

/**
 * Whether a selection leaves nothing out.
 *
 * @param selection The selection.
 * @returns True when every field is left out, or nothing is disabled.
 */
export function isUnlimited({ toolsets, disabledToolsets, names }: ToolsetSelection): boolean {
  return !toolsets && !names && !disabledToolsets?.length;
}

function addAll(set: Set<string>, names: Iterable<string>): void {
  for (const name of names) set.add(name);
}
