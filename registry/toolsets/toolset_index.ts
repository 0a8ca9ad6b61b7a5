/**
 * The tools of one generation by the toolset that they were registered in.
 * @module
 */
import type { RegistrySnapshot } from "../snapshot.ts";

const indexes = new WeakMap<RegistrySnapshot, ReadonlyMap<string, readonly string[]>>();

/**
 * The registered toolsets of a snapshot. Made once for each snapshot.
 *
 * @param snapshot The table.
 * @returns Toolset to the names of its tools, sorted.
 */
export function registeredToolsets(
  snapshot: RegistrySnapshot,
): ReadonlyMap<string, readonly string[]> {
  const known = indexes.get(snapshot);
  if (known) return known;
  const index = new Map<string, string[]>();
  for (const { name, toolset } of snapshot.entries()) {
    const tools = index.get(toolset);
    if (tools) tools.push(name);
    else index.set(toolset, [name]);
  }
  indexes.set(snapshot, index);
  return index;
}
