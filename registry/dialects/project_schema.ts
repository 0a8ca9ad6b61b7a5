/**
 * A tool's schema in the words of a provider.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import { writeCommon } from "./common_schema.ts";
import type { Dialect } from "./definition_types.ts";
import { foldRoot } from "./fold_root.ts";
import type { ObjectVariant } from "./forms.ts";
import { writeGeminiObject } from "./gemini_schema.ts";
import { isSame, ProjectionNotes, type SchemaLoss, UnprojectableError } from "./projection.ts";
import { readForm } from "./read_form.ts";
import { resolveReferences } from "./resolve_references.ts";
import { writeStrictObject } from "./strict_schema.ts";

/** A schema in the words of a provider. */
export type Projection =
  | { readonly ok: true; readonly schema: JsonSchema; readonly losses: readonly SchemaLoss[] }
  | { readonly ok: false; readonly reason: string };

const NO_LOSSES: readonly SchemaLoss[] = Object.freeze([]);

/**
 * Writes the schema of a tool's parameters for a provider. What comes out accepts only what the schema accepts,
 * except where a loss says otherwise. Nothing is fetched, and the work is bounded.
 *
 * @param schema The schema, as it was registered.
 * @param dialect The provider's way.
 * @returns The schema, frozen, and what was lost; or why it cannot be written. `mcp` gives the schema itself.
 *
 * @example Optional properties in strict mode
 * ```ts
 * import { projectSchema } from "./project_schema.ts";
 *
 * const given = { type: "object", properties: { limit: { type: "integer" } } };
 * const projection = projectSchema(given, "openai-strict");
 * if (projection.ok) console.log(projection.schema.required, projection.losses[0]?.path);
 * ```
 */
export function projectSchema(schema: JsonSchema, dialect: Dialect): Projection {
  if (dialect === "mcp") return { ok: true, schema, losses: NO_LOSSES };
  try {
    const notes = new ProjectionNotes(schema);
    const folded = foldRoot(resolveReferences(schema, notes), notes);
    const written = write(folded, dialect, notes);
    const isUnchanged = Object.isFrozen(schema) && isSame(written, schema);
    return {
      ok: true,
      schema: isUnchanged ? schema : freezeCopy(written),
      losses: Object.freeze(notes.losses),
    };
  } catch (error) {
    return { ok: false, reason: reasonOf(error, dialect) };
  }
}

function write(
  folded: JsonSchema,
  dialect: Exclude<Dialect, "mcp">,
  notes: ProjectionNotes,
): JsonSchema {
  switch (dialect) {
    case "openai":
    case "anthropic":
      return writeCommon(folded, notes);
    case "openai-strict":
      return writeStrictObject(rootOf(folded, notes), notes);
    case "gemini":
      return writeGeminiObject(rootOf(folded, notes), notes);
    default:
      return dialect satisfies never;
  }
}

function rootOf(folded: JsonSchema, notes: ProjectionNotes): ObjectVariant {
  const [variant] = readForm(folded, notes).variants;
  if (variant?.type === "object") return variant;
  throw new UnprojectableError("a required property has no form that can be told");
}

function reasonOf(error: unknown, dialect: Dialect): string {
  if (error instanceof UnprojectableError) {
    return `Its schema cannot be written for ${dialect}: ${error.message}`;
  }
  if (error instanceof RangeError) {
    return `Its schema cannot be written for ${dialect}: it is nested too deeply`;
  }
  return `Its schema cannot be written for ${dialect}: ${(error as Error).message}`;
}

// What was registered is frozen already, and is shared; what a caller may still change is copied.
function freezeCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const copy = Array.isArray(value)
    ? value.map(freezeCopy)
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, freezeCopy(inner)]));
  return Object.freeze(copy) as T;
}
