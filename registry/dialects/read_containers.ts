/**
 * Reads lists and objects as forms.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import type { ArrayVariant, Form, ObjectVariant } from "./forms.ts";
import { isRecord, isSame, type ProjectionNotes, type Schema } from "./projection.ts";

type Base = Pick<ArrayVariant, "path" | "words" | "rules">;
type ReadForm = (schema: Schema, notes: ProjectionNotes) => Form;

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
  const items = readItems(schema, notes, readForm);
  const longest = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
  if (schema.items === false || items.variants.length === 0) {
    const maxItems = Math.min(longest, base.rules.maxItems as number ?? Infinity);
    const any: Form = {
      words: {},
      path: base.path,
      variants: [{ ...base, type: "string", rules: {} }],
    };
    const rules = notes.adopt({ ...base.rules, maxItems }, base.rules);
    return { ...base, type: "array", rules, items: items.variants.length === 0 ? any : items };
  }
  return { ...base, type: "array", items };
}

function readItems(schema: JsonSchema, notes: ProjectionNotes, readForm: ReadForm): Form {
  const rest = schema.items as Schema | undefined ?? true;
  if (!Array.isArray(schema.prefixItems)) return readForm(rest, notes);
  const parts = (schema.prefixItems as readonly Schema[]).map((part) => readForm(part, notes));
  if (rest !== false) parts.push(readForm(rest, notes));
  notes.lose(schema, "prefixItems", "Which item stands in which place is not told");
  const variants = parts.flatMap((part) => part.variants);
  const distinct = variants.filter((one, at) =>
    variants.findIndex((other) => isSame(one, other)) === at
  );
  const any = distinct.find(({ type }) => type === "any");
  return { words: {}, path: notes.pathOf(schema), variants: any ? [any] : distinct };
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
    const form = readForm(Object.hasOwn(given, name) ? given[name] as Schema : further, notes);
    if (form.variants.length > 0) properties.push([name, form]);
    else if (required.has(name)) return undefined;
    else notes.lose(schema, "properties", `"${name}", which allows no value, is left out`);
  }
  return {
    ...base,
    type: "object",
    properties,
    required,
    furtherPath: notes.placeOf(schema, "additionalProperties"),
    further: further === true || isEmpty(further) ? "any" : further === false ? "none" : "typed",
  };
}

function isEmpty(schema: Schema): boolean {
  return typeof schema === "object" && Object.keys(schema).length === 0;
}
