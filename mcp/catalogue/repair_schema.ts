/**
 * One way of writing for what servers write in several, as far as it means the same.
 * @module
 */
import { isPlain } from "../../registry/plain_copy.ts";
import type { RawSchema, SchemaPlace } from "./map_schema.ts";

/** Keywords that say nothing of `null`, because they speak of another type or of no value at all. */
const BOUND_TO_TYPE: ReadonlySet<string> = new Set([
  "additionalProperties",
  "default",
  "deprecated",
  "description",
  "examples",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "pattern",
  "patternProperties",
  "prefixItems",
  "properties",
  "propertyNames",
  "readOnly",
  "required",
  "title",
  "type",
  "uniqueItems",
  "writeOnly",
]);
const UNIONS = ["anyOf", "oneOf"] as const;
/** Next to these, another part of the schema may describe the properties. */
const COMBINING: readonly string[] = [
  "$dynamicRef",
  "$ref",
  "additionalProperties",
  "allOf",
  "anyOf",
  "dependentSchemas",
  "if",
  "oneOf",
  "patternProperties",
];
const OTHER_FORMS: readonly string[] = [
  "$dynamicRef",
  "$ref",
  "allOf",
  "anyOf",
  "const",
  "enum",
  "not",
  "oneOf",
  "type",
];

/**
 * Repairs one schema: a union with `null` becomes a list of types, a union of constants an `enum`, a schema with
 * properties says that it is an object, names that are required and nowhere described go, a list says that its items
 * are free.
 *
 * @param schema The schema; those inside it are repaired already.
 * @param place Where it stands.
 * @returns The repaired schema; the same one where there is nothing to repair.
 */
export function repairSchema(schema: RawSchema, place: SchemaPlace): RawSchema {
  const simple = joinConstants(joinNull(schema));
  const typed = place.isPartial ? simple : withObjectType(simple);
  return withItems(place.isPartial ? typed : withoutDangling(typed));
}

function joinNull(schema: RawSchema): RawSchema {
  for (const union of UNIONS) {
    const branches = schema[union];
    if (!Array.isArray(branches) || branches.length !== 2) continue;
    const others = branches.filter((branch) => !isNull(branch));
    const branch: unknown = others[0];
    if (others.length !== 1 || !isPlain(branch) || !takesNull(branch)) continue;
    const { [union]: _, ...rest } = schema;
    if (Object.keys(branch).some((key) => Object.hasOwn(rest, key))) continue;
    return { ...rest, ...branch, type: [branch.type, "null"] };
  }
  return schema;
}

function isNull(branch: unknown): boolean {
  return isPlain(branch) && branch.type === "null" && Object.keys(branch).length === 1;
}

function takesNull(branch: RawSchema): boolean {
  return typeof branch.type === "string" && branch.type !== "null" &&
    Object.keys(branch).every((key) => BOUND_TO_TYPE.has(key));
}

function joinConstants(schema: RawSchema): RawSchema {
  for (const union of UNIONS) {
    const branches = schema[union];
    if (!Array.isArray(branches) || branches.length === 0) continue;
    if (Object.hasOwn(schema, "enum") || Object.hasOwn(schema, "const")) continue;
    const values = branches.map(constantOf);
    if (values.includes(undefined)) continue;
    const texts = values.map((value) => JSON.stringify(value));
    if (new Set(texts).size < texts.length) continue;
    const { [union]: _, ...rest } = schema;
    return { ...rest, enum: values };
  }
  return schema;
}

// A branch with a title or a description of its own says more than an enum can.
function constantOf(branch: unknown): unknown {
  if (!isPlain(branch) || !Object.hasOwn(branch, "const")) return undefined;
  const { const: value, type, ...rest } = branch;
  if (Object.keys(rest).length > 0) return undefined;
  return type === undefined || type === typeOf(value) ? value : undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value;
}

function withObjectType(schema: RawSchema): RawSchema {
  if (!isPlain(schema.properties) || OTHER_FORMS.some((key) => Object.hasOwn(schema, key))) {
    return schema;
  }
  return { ...schema, type: "object" };
}

function withoutDangling(schema: RawSchema): RawSchema {
  const { properties, required } = schema;
  if (!isPlain(properties) || !Array.isArray(required)) return schema;
  if (COMBINING.some((key) => Object.hasOwn(schema, key) && schema[key] !== false)) return schema;
  const kept = required.filter((name) =>
    typeof name === "string" && Object.hasOwn(properties, name)
  );
  return kept.length === required.length ? schema : { ...schema, required: kept };
}

function withItems(schema: RawSchema): RawSchema {
  const holds = ["items", "prefixItems", "$ref"].some((key) => Object.hasOwn(schema, key));
  return schema.type === "array" && !holds ? { ...schema, items: {} } : schema;
}
