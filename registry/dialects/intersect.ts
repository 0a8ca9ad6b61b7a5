/**
 * One schema that says what two say together.
 * @module
 */
import type { JsonSchema, JsonValue } from "../../core/json.ts";
import { hasType } from "./types_of.ts";
import { fromPairs, isAssertive } from "./keywords.ts";
import {
  isRecord,
  isSame,
  only,
  type ProjectionNotes,
  type Schema,
  UNEVALUATED,
  without,
} from "./projection.ts";

type Fields = { readonly [key: string]: unknown };
type Merge = (a: Fields, b: Fields, notes: ProjectionNotes) => Fields | false | undefined;

/** Keywords that mean something only together, and how two sets of them become one. */
const GROUPS: readonly (readonly [readonly string[], Merge])[] = [
  [["type"], mergeTypes],
  [["enum"], mergeEnums],
  [["properties", "patternProperties", "additionalProperties"], mergeProperties],
  [["items", "prefixItems"], mergeItems],
  [["contains", "minContains", "maxContains"], () => undefined],
  [["if", "then", "else"], () => undefined],
  [
    ["required"],
    (a, b) => ({ required: [...new Set([...list(a.required), ...list(b.required)])] }),
  ],
  [["allOf"], (a, b) => ({ allOf: [...list(a.allOf), ...list(b.allOf)] })],
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"].map((key) =>
    [[key], bound(key, Math.max)] as const
  ),
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"].map((key) =>
    [[key], bound(key, Math.min)] as const
  ),
  ...["anyOf", "oneOf", "not", "multipleOf", "pattern", "format", "uniqueItems", "propertyNames"]
    .concat("dependentRequired", "dependentSchemas").map((key) =>
      [[key], (() => undefined) as Merge] as const
    ),
];

/**
 * Makes one schema of two, none of which has references. What has no single form stays in `allOf`.
 *
 * @param a A schema; its words to people win.
 * @param b Another.
 * @param notes Knows where parts come from.
 * @returns The schema that accepts exactly what both accept.
 */
export function intersect(a: Schema, b: Schema, notes: ProjectionNotes): Schema {
  if (a === false || b === false) return false;
  if (a === true) return b;
  if (b === true) return a;
  notes.spend();
  const from = isAssertive(a) ? a : b;
  if (!isAssertive(a) || !isAssertive(b)) return notes.overlay(a, b, from);
  const [left, right] = [plainEnum(a, notes), plainEnum(b, notes)];
  const merged = mergeGroups(left, right, notes);
  if (merged === false || hasNoValue(merged, left, right)) return false;
  // What is unevaluated depends on the words beside it, which therefore stay together.
  const whole = [a, b].filter((one) => UNEVALUATED.some((key) => key in one));
  if (whole.length === 0) return merged;
  const plain = without(merged, ...UNEVALUATED);
  return notes.adopt({ ...plain, allOf: [...list(plain.allOf), ...whole] }, merged);
}

// One that is so by itself is a mistake of its author, who meant something.
function hasNoValue(merged: JsonSchema, ...parts: readonly JsonSchema[]): boolean {
  const isEmpty = ({ type, enum: values }: JsonSchema): boolean =>
    type !== undefined && Array.isArray(values) &&
    !values.some((value) => list(type).some((one) => hasType(value as JsonValue, one)));
  return isEmpty(merged) && !parts.some((part) => isEmpty(part));
}

/**
 * Leaves out what `mergeAllOf` found no single form for.
 *
 * @param schema What `mergeAllOf` gave.
 * @param notes Takes what is lost.
 * @returns The schema without `allOf`.
 */
export function dropLeftovers(schema: JsonSchema, notes: ProjectionNotes): JsonSchema {
  if (!Array.isArray(schema.allOf)) return schema;
  for (const part of schema.allOf as readonly JsonSchema[]) {
    const whole = UNEVALUATED.filter((key) => key in part);
    for (const key of whole.length > 0 ? whole : Object.keys(part)) {
      notes.lose(part, key, `"${key}" is not told; it is checked when the tool is called`);
    }
  }
  return notes.adopt(without(schema, "allOf"), schema);
}

/**
 * Makes one schema of a schema and what its `allOf` holds.
 *
 * @param schema The schema.
 * @param notes Knows where parts come from.
 * @returns A schema whose `allOf`, if it still has one, holds what has no single form.
 */
export function mergeAllOf(schema: JsonSchema, notes: ProjectionNotes): Schema {
  if (!Array.isArray(schema.allOf)) return schema;
  let merged: Schema = notes.adopt(without(schema, "allOf"), schema);
  for (const branch of schema.allOf as readonly Schema[]) {
    const inner = typeof branch === "object" ? mergeAllOf(branch, notes) : branch;
    merged = intersect(merged, inner, notes);
  }
  return merged;
}

function mergeGroups(
  a: JsonSchema,
  b: JsonSchema,
  notes: ProjectionNotes,
): JsonSchema | false {
  const rest: JsonSchema[] = [];
  const apart = new Set<string>();
  let merged: JsonSchema = { ...b, ...a };
  for (const [keys, merge] of GROUPS) {
    const [left, right] = [only(a, keys), only(b, keys)];
    if (isEmpty(left) || isEmpty(right) || isSame(left, right)) continue;
    const joined = merge(left, right, notes);
    if (joined === false) return false;
    merged = { ...without(merged, ...keys), ...(joined ?? left) };
    if (joined) continue;
    rest.push(notes.adopt(right, b));
    for (const key of keys) apart.add(key);
  }
  if (rest.length > 0) merged = { ...merged, allOf: [...list(merged.allOf), ...rest] };
  const places = Object.keys(merged).map((key) => {
    const owners = [a, b].filter((one) => Object.hasOwn(one, key));
    const said = apart.has(key) ? owners.slice(0, 1) : owners;
    return [key, said.flatMap((one) => notes.placesOf(one, key))] as const;
  });
  const whole = ["", [a, b].flatMap((one) => notes.placesOf(one, ""))] as const;
  return notes.compose(merged, a, new Map([...places, whole]));
}

function isEmpty(schema: JsonSchema): boolean {
  return Object.keys(schema).length === 0;
}

function plainEnum(schema: JsonSchema, notes: ProjectionNotes): JsonSchema {
  if (schema.const === undefined) return schema;
  const values = (schema.enum ?? [schema.const]).filter((value) => isSame(value, schema.const));
  const rest = without(schema, "const");
  const places = Object.keys(rest).map((key) => [key, notes.placesOf(schema, key)] as const);
  const own = ["enum", valuesPlaces(schema, notes)] as const;
  return notes.compose({ ...rest, enum: values }, schema, new Map([...places, own]));
}

/**
 * Where the values of a schema are listed.
 *
 * @param schema The schema.
 * @param notes Knows where parts come from.
 * @returns JSON Pointers to its `enum` and its `const`, as far as they are there.
 */
export function valuesPlaces(schema: JsonSchema, notes: ProjectionNotes): readonly string[] {
  return ["enum", "const"].filter((key) => key in schema)
    .flatMap((key) => notes.placesOf(schema, key));
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function bound(key: string, pick: (a: number, b: number) => number): Merge {
  return (a, b) => ({ [key]: pick(a[key] as number, b[key] as number) });
}

function mergeTypes(a: Fields, b: Fields): Fields | false {
  const [left, right] = [list(a.type), list(b.type)];
  const has = (types: readonly unknown[], type: unknown) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const both = [
    ...left.filter((type) => has(right, type)),
    ...right.filter((type) => has(left, type)),
  ];
  const types = [...new Set(both)];
  return types.length === 0 ? false : { type: types.length === 1 ? types[0] : types };
}

function mergeEnums(a: Fields, b: Fields): Fields | false {
  const values = list(a.enum).filter((one) => list(b.enum).some((other) => isSame(one, other)));
  return values.length === 0 ? false : { enum: values };
}

function mergeItems(a: Fields, b: Fields, notes: ProjectionNotes): Fields | undefined {
  if (a.prefixItems !== undefined || b.prefixItems !== undefined) return undefined;
  return { items: intersect(a.items as Schema, b.items as Schema, notes) };
}

function mergeProperties(a: Fields, b: Fields, notes: ProjectionNotes): Fields | undefined {
  if (a.patternProperties !== undefined || b.patternProperties !== undefined) return undefined;
  const [left, right] = [named(a), named(b)];
  const names = new Set([...left.keys(), ...right.keys()]);
  const others = [additional(a), additional(b)] as const;
  const properties = fromPairs([...names].map((name) => {
    const [one, two] = [left.get(name) ?? others[0], right.get(name) ?? others[1]];
    return [name, intersect(one, two, notes)] as const;
  }));
  const further = intersect(others[0], others[1], notes);
  return {
    ...(names.size > 0 && { properties }),
    ...(further !== true && { additionalProperties: further }),
  };
}

function named({ properties }: Fields): Map<string, Schema> {
  return new Map(Object.entries(isRecord(properties) ? properties : {}) as [string, Schema][]);
}

function additional({ additionalProperties = true }: Fields): Schema {
  return additionalProperties as Schema;
}
