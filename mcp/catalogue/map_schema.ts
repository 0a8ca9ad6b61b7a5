/**
 * Walking through the schemas inside a schema, and not through its data.
 * @module
 */
import { escapePointer, isPlain } from "../../registry/plain_copy.ts";

/** A JSON Schema as it came over the wire. */
export type RawSchema = Readonly<Record<string, unknown>>;

/** Where a schema stands in the one that holds it. */
export interface SchemaPlace {
  /** JSON Pointer of the schema. */
  readonly pointer: string;
  /** Whether it describes a part of what another schema describes too, as a branch of `anyOf` does. */
  readonly isPartial: boolean;
}

/** Gives what stands for a schema whose inner schemas were mapped already. */
export type SchemaMapper = (schema: RawSchema, place: SchemaPlace) => RawSchema;

const SINGLE: ReadonlySet<string> = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const LISTS: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]);
const TABLES: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);
/** What these hold is also described by the schema around them, or by whoever refers to it. */
const PARTIAL: ReadonlySet<string> = new Set([
  "$defs",
  "allOf",
  "anyOf",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "else",
  "if",
  "not",
  "oneOf",
  "then",
]);

/**
 * Maps every schema inside a schema and then the schema itself. Values of `const`, `default`, `enum` and `examples`
 * are data and stay as they are, and so do names of properties that read like keywords.
 *
 * @param schema The schema; it is not changed.
 * @param map Maps one schema.
 * @param place Where the schema stands. @default {the root}
 * @returns The mapped schema.
 */
export function mapSchema(
  schema: RawSchema,
  map: SchemaMapper,
  place: SchemaPlace = { pointer: "", isPartial: false },
): RawSchema {
  const members = Object.entries(schema).map(([key, value]): [string, unknown] => {
    const pointer = `${place.pointer}/${escapePointer(key)}`;
    return [key, mapMember(key, value, map, { pointer, isPartial: PARTIAL.has(key) })];
  });
  return map(Object.fromEntries(members), place);
}

function mapMember(key: string, value: unknown, map: SchemaMapper, place: SchemaPlace): unknown {
  if (LISTS.has(key) && Array.isArray(value)) {
    return value.map((item: unknown, index) => mapInner(item, map, place, String(index)));
  }
  if (!isPlain(value)) return value;
  if (TABLES.has(key)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, mapInner(item, map, place, name)]),
    );
  }
  return SINGLE.has(key) ? mapSchema(value, map, place) : value;
}

function mapInner(item: unknown, map: SchemaMapper, place: SchemaPlace, key: string): unknown {
  if (!isPlain(item)) return item;
  return mapSchema(item, map, { ...place, pointer: `${place.pointer}/${escapePointer(key)}` });
}
