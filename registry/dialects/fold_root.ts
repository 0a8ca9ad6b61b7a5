/**
 * A root that is one plain object schema: several providers refuse a request in which one tool's root has
 * alternatives or conditions.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import { dropLeftovers, intersect, mergeAllOf } from "./intersect.ts";
import { ANNOTATIONS, ASSERTIONS, fromPairs } from "./keywords.ts";
import {
  isRecord,
  isSame,
  only,
  type ProjectionNotes,
  type Schema,
  UnprojectableError,
  without,
} from "./projection.ts";

/** Conditions that have no plain form. */
const CONDITIONS: readonly string[] = [
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "enum",
  "const",
];

/** What alternatives say about properties is told as one. */
const TOLD_TOGETHER: readonly string[] = ["properties", "required", "additionalProperties"];

/**
 * Folds what the root combines into one object schema.
 *
 * @param root The root, its references written out.
 * @param notes Takes what is lost.
 * @returns A schema of type `object` without combinators at its root.
 * @throws {UnprojectableError} If no object can satisfy it.
 */
export function foldRoot(root: Schema, notes: ProjectionNotes): JsonSchema {
  const folded = foldBranch(root, notes);
  if (folded === undefined) {
    throw new UnprojectableError("no arguments can satisfy it: its parts contradict each other");
  }
  const { type: _, ...rest } = folded;
  return notes.adopt({ type: "object", ...rest, properties: folded.properties ?? {} }, folded);
}

function foldBranch(branch: Schema, notes: ProjectionNotes): JsonSchema | undefined {
  if (branch === true) return {};
  if (branch === false) return undefined;
  const merged = mergeAllOf(branch, notes);
  if (typeof merged === "boolean") return merged ? {} : undefined;
  let schema = dropConditions(notes.adopt(merged, branch), notes);
  if (!mayBeObject(schema)) return undefined;
  for (const key of ["anyOf", "oneOf"]) {
    if (!Array.isArray(schema[key])) continue;
    const joined = foldAlternatives(schema, key, notes);
    if (joined === undefined) return undefined;
    schema = dropConditions(joined, notes);
  }
  return schema;
}

function dropConditions(folded: JsonSchema, notes: ProjectionNotes): JsonSchema {
  const schema = dropLeftovers(folded, notes);
  const lost = CONDITIONS.filter((key) => key in schema);
  if (lost.length === 0) return schema;
  for (const key of lost) {
    if (key === "then" || key === "else") continue;
    notes.lose(
      schema,
      key,
      `"${key}" at the root is not told; it is checked when the tool is called`,
    );
  }
  return notes.adopt(without(schema, ...lost), schema);
}

function mayBeObject({ type }: JsonSchema): boolean {
  return type === undefined || type === "object" ||
    (Array.isArray(type) && type.includes("object"));
}

function foldAlternatives(
  parent: JsonSchema,
  key: string,
  notes: ProjectionNotes,
): JsonSchema | undefined {
  const base = notes.adopt(without(parent, key), parent);
  const bare = notes.adopt(without(base, ...ANNOTATIONS), parent);
  const forms = (parent[key] as readonly Schema[])
    .map((one) => foldBranch(intersect(bare, one, notes), notes))
    .filter((one) => one !== undefined);
  const [first, ...others] = forms;
  if (first === undefined || others.length === 0) {
    return first && notes.overlay(only(base, ANNOTATIONS), first, parent);
  }
  notes.lose(
    parent,
    key,
    `The parameters of ${forms.length} alternatives are told together; which of them belong ` +
      "together is checked when the tool is called",
  );
  for (const form of forms) dropOwn(form, base, notes);
  return notes.overlay(unite(forms, notes), besideOf(forms, base, notes), parent);
}

// Where an alternative says the same again, it says so in its own place too.
function besideOf(
  forms: readonly JsonSchema[],
  base: JsonSchema,
  notes: ProjectionNotes,
): JsonSchema {
  const beside = without(base, ...TOLD_TOGETHER);
  const places = Object.keys(beside).map((key) => {
    const same = forms.filter((form) => key in form && isSame(form[key], base[key]));
    return [key, [...new Set([base, ...same].flatMap((one) => notes.placesOf(one, key)))]] as const;
  });
  return notes.compose(beside, base, new Map(places));
}

// What an alternative says beyond its properties is told of none.
function dropOwn(form: JsonSchema, base: JsonSchema, notes: ProjectionNotes): void {
  for (const [key, value] of Object.entries(form)) {
    if (key === "type" || TOLD_TOGETHER.includes(key) || !ASSERTIONS.has(key)) continue;
    if (isSame(value, base[key])) continue;
    const shared = key in base ? notes.placesOf(base, key) : [];
    const own = notes.placesOf(form, key).filter((place) => !shared.includes(place));
    notes.lose(own, "", `"${key}" is not told; it is checked when the tool is called`);
  }
}

function unite(forms: readonly JsonSchema[], notes: ProjectionNotes): JsonSchema {
  const names = new Set(forms.flatMap(({ properties }) => Object.keys(properties ?? {})));
  const properties = fromPairs([...names].map((name) => [name, uniteNamed(forms, name, notes)]));
  const required = (forms[0]!.required ?? []).filter((name) =>
    forms.every((form) => form.required?.includes(name))
  );
  const further = either(forms.map(furtherOf), notes);
  const united = {
    ...(names.size > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(further !== true && { additionalProperties: further }),
  };
  const places = TOLD_TOGETHER.map((key) => {
    const said = forms.filter((form) => key in form).flatMap((form) => notes.placesOf(form, key));
    return [key, [...new Set(said)]] as const;
  });
  return notes.compose(united, forms[0]!, new Map(places));
}

function uniteNamed(forms: readonly JsonSchema[], name: string, notes: ProjectionNotes): Schema {
  const has = ({ properties }: JsonSchema): boolean =>
    isRecord(properties) && Object.hasOwn(properties, name);
  const said = forms.filter(has).map(({ properties }) => properties![name]!);
  const open = forms.filter((form) => !has(form)).map(furtherOf);
  // A form that does not name the property may still allow it.
  return either(said.some((schema) => schema !== false) ? said : open, notes);
}

function furtherOf({ additionalProperties = true }: JsonSchema): Schema {
  return additionalProperties as Schema;
}

function either(schemas: readonly Schema[], notes: ProjectionNotes): Schema {
  if (schemas.includes(true)) return true;
  const all = distinct(schemas.filter((schema) => schema !== false));
  if (all.length <= 1) return all[0] ?? false;
  return notes.adopt({ anyOf: all }, all[0]!);
}

function distinct(schemas: readonly Schema[]): readonly Schema[] {
  return schemas.filter((one, at) => schemas.findIndex((other) => isSame(one, other)) === at);
}
