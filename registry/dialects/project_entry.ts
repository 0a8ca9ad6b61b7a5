/**
 * The schemas of tools in the words of providers, each written once.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import type { Dialect } from "./definition_types.ts";
import { type Projection, projectSchema } from "./project_schema.ts";

const projections = new WeakMap<ToolEntry, Map<Dialect, Projection>>();

/**
 * Writes the schema of a tool's parameters for a provider, or gives what was written before.
 *
 * @param entry The tool.
 * @param dialect The provider's way.
 * @returns The schema and what was lost, or why it cannot be written.
 */
export function projectEntry(entry: ToolEntry, dialect: Dialect): Projection {
  const known = projections.get(entry) ?? new Map<Dialect, Projection>();
  projections.set(entry, known);
  const projection = known.get(dialect) ?? projectSchema(entry.schema, dialect);
  known.set(dialect, projection);
  return projection;
}
