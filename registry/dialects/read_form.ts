/**
 * Reads a schema as alternatives of one type each.
 * @module
 */
import type { JsonSchema, JsonValue } from "../../core/json.ts";
import { areExclusive } from "./exclusive.ts";
import type { Form, ScalarVariant, Variant } from "./forms.ts";
import { dropLeftovers, intersect, mergeAllOf, valuesPlaces } from "./intersect.ts";
import { ANNOTATIONS } from "./keywords.ts";
import { isSame, only, type ProjectionNotes, type Schema, without } from "./projection.ts";
import { readArray, readObject } from "./read_containers.ts";
import { hasType, RULES, typesOf } from "./types_of.ts";

/** Conditions that have no form here. */
const CONDITIONS: readonly string[] = [
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependentRequired",
  "unevaluatedProperties",
  "unevaluatedItems",
];

/**
 * Reads a schema.
 *
 * @param schema The schema, its references written out.
 * @param notes Takes what is lost.
 * @param place Where it stands, a JSON Pointer: `true` and `false` are the same everywhere.
 * @returns Its form.
 * @throws {UnprojectableError} If it has a type that there is not.
 */
export function readForm(schema: Schema, notes: ProjectionNotes, place = ""): Form {
  if (typeof schema === "boolean") {
    return { words: {}, paths: [place], variants: schema ? [anyVariant({}, place)] : [] };
  }
  const variants = readVariants(schema, notes);
  return {
    words: notes.adopt(only(schema, ANNOTATIONS), schema),
    paths: notes.placesOf(schema, ""),
    variants: joinEnums(variants),
  };
}

function readVariants(schema: Schema, notes: ProjectionNotes): readonly Variant[] {
  notes.spend();
  if (schema === false) return [];
  if (schema === true) return [anyVariant({}, "")];
  const merged = mergeAllOf(schema, notes);
  if (typeof merged === "boolean") return readVariants(merged, notes);
  const plain = dropConditions(notes.adopt(merged, schema), notes);
  if (Array.isArray(plain.anyOf)) return readAlternatives(plain, "anyOf", notes);
  if (Array.isArray(plain.oneOf)) return readAlternatives(plain, "oneOf", notes);
  return typesOf(plain, notes).flatMap((type) => readVariant(plain, type, notes) ?? []);
}

function dropConditions(merged: JsonSchema, notes: ProjectionNotes): JsonSchema {
  const schema = dropLeftovers(merged, notes);
  const lost = CONDITIONS.filter((key) => key in schema);
  if (lost.length === 0) return schema;
  for (const key of lost) {
    if (key === "then" || key === "else") continue;
    notes.lose(schema, key, `"${key}" is not told; it is checked when the tool is called`);
  }
  return notes.adopt(without(schema, ...lost), schema);
}

function readAlternatives(
  schema: JsonSchema,
  key: "anyOf" | "oneOf",
  notes: ProjectionNotes,
): readonly Variant[] {
  const base = notes.adopt(without(schema, key, ...ANNOTATIONS), schema);
  const branches = schema[key] as readonly Schema[];
  if (key === "oneOf" && !areExclusive(branches, base)) {
    notes.lose(schema, key, "That only one of the alternatives may hold is not told");
  }
  return branches.flatMap((branch) => readVariants(intersect(branch, base, notes), notes));
}

function readVariant(
  schema: JsonSchema,
  type: Variant["type"],
  notes: ProjectionNotes,
): Variant | undefined {
  const path = notes.pathOf(schema);
  const words = notes.adopt(only(schema, ANNOTATIONS), schema);
  if (type === "any") return anyVariant(words, path);
  const rules = notes.adopt(only(schema, RULES[type]), schema);
  const base = { path, words, rules };
  const values = valuesOf(schema, type, notes);
  if (values?.length === 0) return undefined;
  const valuesPaths = valuesPlaces(schema, notes);
  if (type !== "array" && type !== "object") {
    const paths = notes.placesOf(schema, "");
    return { ...base, type, paths, ...(values && { values, valuesPaths }) };
  }
  if (values) notes.lose(valuesPaths, "", "Its values are not told one by one");
  return type === "array"
    ? readArray(schema, base, notes, readForm)
    : readObject(schema, base, notes, readForm);
}

// Where types were written down and no value has one, nothing can be right: types say more than nothing.
function valuesOf(
  schema: JsonSchema,
  type: Variant["type"],
  notes: ProjectionNotes,
): readonly JsonValue[] | undefined {
  const { const: only, enum: listed } = schema;
  if (only === undefined && !Array.isArray(listed)) return undefined;
  const all = (listed ?? [only!]).filter((value) => only === undefined || isSame(value, only));
  const types = [schema.type ?? type].flat();
  const isMistake = !all.some((value) => types.some((one) => hasType(value, one)));
  if (!isMistake || all.length === 0) return all.filter((value) => hasType(value, type));
  for (const key of ["enum", "const"].filter((key) => key in schema)) {
    notes.lose(schema, key, `None of its values is of type "${type}": no value will be accepted`);
  }
  return undefined;
}

function anyVariant(words: JsonSchema, path: string): Variant {
  return { type: "any", path, words, rules: {} };
}

/** Alternatives that only list values of one type become one list. */
function joinEnums(variants: readonly Variant[]): readonly Variant[] {
  const joined: Variant[] = [];
  for (const variant of variants) {
    const at = joined.findIndex((one) => isPlainList(one, variant.type));
    if (at < 0 || !isPlainList(variant, variant.type)) joined.push(variant);
    else {
      const [one, two] = [joined[at] as ScalarVariant, variant as ScalarVariant];
      joined[at] = {
        ...one,
        values: unique([...one.values!, ...two.values!]),
        valuesPaths: [...new Set([...one.valuesPaths!, ...two.valuesPaths!])],
      };
    }
  }
  return joined.some(({ type }) => type === "any")
    ? joined.filter(({ type }) => type === "any").slice(0, 1)
    : joined;
}

function isPlainList(variant: Variant, type: string): boolean {
  return variant.type === type && "values" in variant && variant.values !== undefined &&
    Object.keys(variant.rules).length === 0 && variant.words.description === undefined;
}

function unique(values: readonly JsonValue[]): readonly JsonValue[] {
  return values.filter((value, at) => values.findIndex((other) => isSame(value, other)) === at);
}
