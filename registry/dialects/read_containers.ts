/**
 * Reads lists and objects as forms.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import type { ArrayVariant, Form, ObjectVariant } from "./forms.ts";
import { isRecord, isSame, type ProjectionNotes, type Schema } from "./projection.ts";

type Base = Pick<ArrayVariant, "path" | "words" | "rules">;
type ReadForm = (schema: Schema, notes: ProjectionNotes, place?: string) => Form;

/**
 * Reads the schema of a list.
 *
 * @param schema The schema.
 * @param base What all variants have.
 * @param notes Takes what is lost.
 * @param readForm Reads the schema of items.
 * @returns The variant.
 */
export function readArray(
  schema: JsonSchema,
  base: Base,
  notes: ProjectionNotes,
  readForm: ReadForm,
): ArrayVariant {
  const isTuple = Array.isArray(schema.prefixItems);
  const places = isTuple ? schema.prefixItems as readonly Schema[] : [];
  const [tuple, rest] = ["prefixItems", "items"].map((key) => notes.placesOf(schema, key)[0]!);
  const parts = [
    ...places.map((part, at) => readForm(part, notes, `${tuple}/${at}`)),
    schema.items === undefined
      ? readForm(true, notes, base.path)
      : readForm(schema.items as Schema, notes, rest),
  ];
  if (isTuple) {
    notes.lose(schema, "prefixItems", "Which item stands in which place is not told");
  }
  // Where no value is allowed, the list ends before.
  const end = parts.findIndex(({ variants }) => variants.length === 0);
  const items = isTuple ? joinForms(end < 0 ? parts : parts.slice(0, end), base.path) : parts[0]!;
  if (end < 0) return { ...base, type: "array", items };
  const maxItems = Math.min(end, base.rules.maxItems as number ?? Infinity);
  const any: Form = {
    words: {},
    paths: [base.path],
    variants: [{ ...base, type: "string", paths: [base.path], rules: {} }],
  };
  const rules = notes.adopt({ ...base.rules, maxItems }, base.rules);
  return { ...base, type: "array", rules, items: end === 0 ? any : items };
}

function joinForms(forms: readonly Form[], path: string): Form {
  const variants = forms.flatMap((form) => form.variants);
  const distinct = variants.filter((one, at) =>
    variants.findIndex((other) => isSame(one, other)) === at
  );
  const any = distinct.find(({ type }) => type === "any");
  return { words: {}, paths: [path], variants: any ? [any] : distinct };
}

/**
 * Reads the schema of an object.
 *
 * @param schema The schema.
 * @param base What all variants have.
 * @param notes Takes what is lost.
 * @param readForm Reads the schemas of properties.
 * @returns The variant, or `undefined` when no object satisfies it.
 */
export function readObject(
  schema: JsonSchema,
  base: Base,
  notes: ProjectionNotes,
  readForm: ReadForm,
): ObjectVariant | undefined {
  const further = schema.additionalProperties as Schema | undefined ?? true;
  const given = isRecord(schema.properties) ? schema.properties : {};
  const required = new Set(schema.required ?? []);
  const names = [
    ...Object.keys(given),
    ...[...required].filter((name) => !Object.hasOwn(given, name)),
  ];
  const properties: [string, Form][] = [];
  for (const name of names) {
    const [place = base.path] = notes.placesOfProperty(schema, name);
    const form = readForm(
      Object.hasOwn(given, name) ? given[name] as Schema : further,
      notes,
      place,
    );
    if (form.variants.length > 0) properties.push([name, form]);
    else if (required.has(name)) return undefined;
    else {
      const message = `"${name}", which allows no value, is left out`;
      notes.lose(notes.placesOfProperty(schema, name), "", message);
    }
  }
  return {
    ...base,
    type: "object",
    properties,
    required,
    furtherPaths: notes.placesOf(schema, "additionalProperties"),
    further: further === true || isEmpty(further) ? "any" : further === false ? "none" : "typed",
  };
}

function isEmpty(schema: Schema): boolean {
  return typeof schema === "object" && Object.keys(schema).length === 0;
}
