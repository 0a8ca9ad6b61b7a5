/**
 * Arguments of nearly the right type as the right ones.
 * @module
 */
import type { JsonObject, JsonSchema } from "../../core/json.ts";
import { coerceText, meansOther } from "./coerce_text.ts";
import { formsOf, isSchema, listOf, type SchemaForm } from "./schema_forms.ts";

const MAX_STEPS = 20_000;
const MAX_DEPTH = 200;

interface Walk {
  readonly root: JsonSchema;
  /** References can multiply without end. */
  left: number;
}

/**
 * Brings arguments to the types of their schema, where that loses nothing: texts that say exactly a number,
 * a truth value, `null`, a list or an object become it, and a single value becomes a list of one where a
 * list is expected. Everything else stays as it was, for the check to refuse. Nothing is ever dropped, and
 * what does not change stays the same object.
 *
 * @param schema The schema of the parameters.
 * @param args The arguments; they are not changed.
 * @returns The same object, or a new one.
 */
export function coerceArguments(schema: JsonSchema, args: JsonObject): JsonObject {
  const walk: Walk = { root: schema, left: MAX_STEPS };
  const forms = formsOf(schema, schema).filter(({ type }) => type === "object");
  return inside(args, forms, schema, walk, 0) as JsonObject;
}

/**
 * Whether coercion would change arguments that are valid as they are: somewhere a text may also be `null`,
 * or be something else that the schema names first.
 *
 * @param schema The schema of the parameters.
 * @returns True when valid arguments must be looked at too.
 */
export function isEager(schema: JsonSchema): boolean {
  const waiting: unknown[] = [schema];
  for (let looked = 0; waiting.length > 0 && looked < MAX_STEPS; looked++) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    if (isSchema(node) && prefersOther(formsOf(node, schema))) return true;
    for (const item of Object.values(node)) waiting.push(item);
  }
  return false;
}

function prefersOther(forms: readonly SchemaForm[]): boolean {
  const text = forms.findIndex(({ type }) => type === "string");
  if (text === -1) return false;
  return forms.some(({ type }, index) =>
    type === "null" || (index < text && ["integer", "number", "boolean"].includes(type))
  );
}

function convert(value: unknown, schema: unknown, walk: Walk, depth: number): unknown {
  if (!isSchema(schema) || --walk.left <= 0 || depth > MAX_DEPTH) return value;
  const forms = formsOf(schema, walk.root);
  if (forms.length === 0) return value;
  return typeof value === "string"
    ? convertText(value, forms, schema, walk, depth)
    : convertOther(value, forms, schema, walk, depth);
}

function convertText(
  text: string,
  forms: readonly SchemaForm[],
  schema: JsonSchema,
  walk: Walk,
  depth: number,
): unknown {
  const coerced = coerceText(text, forms);
  if (coerced) return inside(coerced.value, [coerced.form], schema, walk, depth);
  const list = forms.some(({ type }) => type === "string")
    ? undefined
    : forms.find(({ type }) => type === "array");
  return list && !meansOther(text) ? wrap(text, list, walk, depth) : text;
}

function convertOther(
  value: unknown,
  forms: readonly SchemaForm[],
  schema: JsonSchema,
  walk: Walk,
  depth: number,
): unknown {
  const fitting = forms.filter(({ type }) => hasType(value, type));
  if (fitting.length > 0) return inside(value, fitting, schema, walk, depth);
  const list = forms.find(({ type }) => type === "array");
  return list && value !== null ? wrap(value, list, walk, depth) : value;
}

function wrap(value: unknown, { schema }: SchemaForm, walk: Walk, depth: number): unknown {
  return [convert(value, itemSchema([schema], 0), walk, depth + 1)];
}

function hasType(value: unknown, type: string): boolean {
  const kind: string = typeof value;
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return kind === type;
  }
}

/** The members of a container by the first of its forms that it fits. */
function inside(
  value: unknown,
  forms: readonly SchemaForm[],
  schema: JsonSchema,
  walk: Walk,
  depth: number,
): unknown {
  if (typeof value !== "object" || value === null) return value;
  const own = forms.some((form) => form.schema === schema) ? [] : [schema];
  const results = forms.map((form) => members(value, [form.schema, ...own], walk, depth));
  if (results.length <= 1) return results[0] ?? value;
  return results.find((result, index) => looksLike(result, forms[index]!.schema)) ?? value;
}

/** Whether the fields of an object are those of one schema among several. */
function looksLike(value: unknown, { properties, required, additionalProperties }: JsonSchema) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
  if (!listOf(required).every((key) => Object.hasOwn(value, String(key)))) return false;
  return Object.entries(value).every(([key, item]) => {
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known === undefined) return additionalProperties !== false;
    if (!isSchema(known)) return known;
    if (known.const !== undefined) return known.const === item;
    return !Array.isArray(known.enum) || known.enum.includes(item);
  });
}

function members(
  value: object,
  schemas: readonly JsonSchema[],
  walk: Walk,
  depth: number,
): unknown {
  const all = schemas.flatMap((schema) => [schema, ...listOf(schema.allOf).filter(isSchema)]);
  if (Array.isArray(value)) {
    const items = value.map((item, index) =>
      convert(item, itemSchema(all, index), walk, depth + 1)
    );
    return items.every((item, index) => Object.is(item, value[index])) ? value : items;
  }
  const fields = Object.entries(value);
  const changed = fields.map(([key, item]) =>
    [key, convert(item, fieldSchema(all, key), walk, depth + 1)] as const
  );
  // `fromEntries` defines members, so that a key "__proto__" stays a key.
  return changed.every(([, item], index) => Object.is(item, fields[index]![1]))
    ? value
    : Object.fromEntries(changed);
}

function itemSchema(schemas: readonly JsonSchema[], index: number): unknown {
  for (const { prefixItems, items, additionalItems } of schemas) {
    const tuple = Array.isArray(items) ? items : listOf(prefixItems);
    if (index < tuple.length) return tuple[index];
    const rest = Array.isArray(items) ? additionalItems : items;
    if (rest !== undefined) return rest;
  }
  return undefined;
}

function fieldSchema(schemas: readonly JsonSchema[], key: string): unknown {
  for (const { properties } of schemas) {
    if (properties && Object.hasOwn(properties, key)) return properties[key];
  }
  const open = schemas.find(({ additionalProperties, patternProperties }) =>
    isSchema(additionalProperties) && patternProperties === undefined
  );
  return open?.additionalProperties;
}
