/**
 * What every provider takes: an object at the root without combinators, no references, no bare `true`.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import { mapSchemas } from "./keywords.ts";
import type { ProjectionNotes, Schema } from "./projection.ts";

/** Keywords for which `true` and `false` are usual. */
const FLAGS: readonly string[] = [
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
];

/**
 * Writes a folded schema so that every provider takes it. Nothing is lost.
 *
 * @param schema The schema, its root folded.
 * @param notes Knows where parts come from.
 * @returns The schema.
 */
export function writeCommon(schema: JsonSchema, notes: ProjectionNotes): JsonSchema {
  const written = mapSchemas(schema, (inner) => writePart(inner as Schema, notes));
  const flags = FLAGS.filter((key) => typeof schema[key] === "boolean");
  const next = { ...written, ...Object.fromEntries(flags.map((key) => [key, schema[key]])) };
  return notes.hasUnevaluated("unevaluatedItems") ? next : withItems(next);
}

function writePart(part: Schema, notes: ProjectionNotes): JsonSchema {
  notes.spend();
  if (typeof part === "boolean") return part ? {} : { not: {} };
  return writeCommon(part, notes);
}

// An array without items is refused; it has always meant items of any kind, except to `unevaluatedItems`.
function withItems(schema: JsonSchema): JsonSchema {
  const types = [schema.type ?? []].flat();
  return types.includes("array") && schema.items === undefined && schema.prefixItems === undefined
    ? { ...schema, items: {} }
    : schema;
}
