/**
 * Which types a schema allows.
 * @module
 */
import type { JsonSchema, JsonValue } from "../../core/json.ts";
import type { Variant } from "./forms.ts";
import { type ProjectionNotes, UnprojectableError } from "./projection.ts";

type TypeName = Exclude<Variant["type"], "any">;

/** Keywords that restrict one type, except those that hold schemas. */
export const RULES: { readonly [K in TypeName]: readonly string[] } = {
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  boolean: [],
  null: [],
  array: ["minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"],
  object: ["minProperties", "maxProperties", "patternProperties", "propertyNames"],
};

/** Keywords that hold schemas show the type too. */
const SIGNS: { readonly [K in TypeName]?: readonly string[] } = {
  string: RULES.string,
  number: RULES.number,
  array: [...RULES.array, "items", "prefixItems"],
  object: [...RULES.object, "properties", "required", "additionalProperties"],
};

/**
 * Says which types a schema allows; where it names none, which ones it is about.
 *
 * @param schema The schema, without combinators.
 * @param notes Takes what is lost.
 * @returns The types, `any` when every one is allowed.
 * @throws {UnprojectableError} If it names a type that there is not.
 */
export function typesOf(schema: JsonSchema, notes: ProjectionNotes): readonly Variant["type"][] {
  if (schema.type !== undefined) return named(schema, notes);
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (Array.isArray(values)) return [...new Set((values as JsonValue[]).map(typeOf))];
  const shown = Object.entries(SIGNS).filter(([, keys]) => keys.some((key) => key in schema));
  if (shown.length === 0) return ["any"];
  const types = shown.map(([type]) => type as TypeName);
  notes.lose(schema, "", `It names no type: only ${types.join(" and ")} can be given`);
  return types;
}

function named(schema: JsonSchema, notes: ProjectionNotes): readonly TypeName[] {
  const types = [schema.type].flat() as string[];
  const unknown = types.find((type) => !Object.hasOwn(RULES, type));
  if (unknown !== undefined) {
    const place = notes.pathOf(schema) || "its root";
    throw new UnprojectableError(
      `"${unknown}" at ${place} is no type: expected ${Object.keys(RULES).join(", ")}`,
    );
  }
  const unique = [...new Set(types)] as TypeName[];
  return unique.includes("number") ? unique.filter((type) => type !== "integer") : unique;
}

/** `number` for whole numbers too. */
function typeOf(value: JsonValue): TypeName {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value as TypeName;
}

/**
 * Whether a value is of a type.
 *
 * @param value The value.
 * @param type The type.
 * @returns True when it is.
 */
export function hasType(value: JsonValue, type: unknown): boolean {
  return type === "integer" ? Number.isInteger(value) : typeOf(value) === type;
}
