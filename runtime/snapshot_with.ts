/**
 * A table in which a tool is certain to be.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import { createSnapshot, type RegistrySnapshot } from "../registry/snapshot.ts";
import { TableVersion } from "../registry/table_version.ts";

/**
 * The table for questions about a tool, which may have gone from it meanwhile, or not be visible.
 *
 * @param entry The tool.
 * @param snapshot The newest table.
 * @returns The table, or one that holds this tool alone.
 */
export function snapshotWith(entry: ToolEntry, snapshot: RegistrySnapshot): RegistrySnapshot {
  if (snapshot.get(entry.name) === entry) return snapshot;
  return createSnapshot(snapshot.generation, new TableVersion(new Map([[entry.name, entry]])));
}
