/**
 * The forms that a value may have by a schema, in the schema's order.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";

/** One form: a single JSON type, with the schema that describes it. */
export interface SchemaForm {
  /** The type. */
  readonly type: string;
  /** The schema that names the type. */
  readonly schema: JsonSchema;
}

const MAX_FORMS = 64;

/**
 * The forms of a schema. References into the same document are followed; those that lead out of it, or in
 * a circle, give none.
 *
 * @param schema The schema, or a part of it.
 * @param root The whole document.
 * @returns The forms, first named first; empty where the schema does not say.
 */
export function formsOf(schema: JsonSchema | boolean | undefined, root: JsonSchema): SchemaForm[] {
  const forms: SchemaForm[] = [];
  collect(schema, root, forms, new Set());
  return forms;
}

function collect(
  schema: unknown,
  root: JsonSchema,
  forms: SchemaForm[],
  open: Set<unknown>,
): void {
  if (!isSchema(schema) || open.has(schema) || forms.length >= MAX_FORMS) return;
  open.add(schema);
  for (const type of typesOf(schema)) forms.push({ type, schema });
  if (typeof schema.$ref === "string") collect(resolveRef(schema.$ref, root), root, forms, open);
  for (const key of ["anyOf", "oneOf"]) {
    for (const part of listOf(schema[key])) collect(part, root, forms, open);
  }
  if (forms.length === 0) {
    for (const part of listOf(schema.allOf)) {
      if (forms.length === 0) collect(part, root, forms, open);
    }
  }
  if (schema.nullable === true && forms.length > 0) forms.push({ type: "null", schema });
  open.delete(schema);
}

function typesOf(schema: JsonSchema): readonly string[] {
  if (typeof schema.type === "string") return [schema.type];
  if (Array.isArray(schema.type)) return schema.type.filter((type) => typeof type === "string");
  if (isSchema(schema.properties)) return ["object"];
  return schema.items !== undefined || schema.prefixItems !== undefined ? ["array"] : [];
}

/**
 * The part of a document that a reference means.
 *
 * @param ref The reference.
 * @param root The document.
 * @returns The part; `undefined` for a reference that is no JSON Pointer into this document.
 */
export function resolveRef(ref: string, root: JsonSchema): JsonSchema | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let current: unknown = root;
  for (const token of ref.slice(2).split("/")) {
    const key = decode(token)?.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof current !== "object" || current === null || key === undefined) return undefined;
    if (!Object.hasOwn(current, key)) return undefined;
    current = (current as { readonly [key: string]: unknown })[key];
  }
  return isSchema(current) ? current : undefined;
}

function decode(token: string): string | undefined {
  try {
    return decodeURIComponent(token);
  } catch {
    return undefined;
  }
}

/**
 * Whether a value is a schema object.
 *
 * @param value Anything.
 * @returns True for an object that is no array.
 */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A list, or nothing.
 *
 * @param value Anything.
 * @returns The value if it is a list, else an empty one.
 */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
