/**
 * An example of right arguments.
 * @module
 */
import type { ArgumentIssue } from "../../core/entry.ts";
import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.ts";
import { formsOf, isSchema, listOf } from "./schema_forms.ts";

const MAX_DEPTH = 4;
const MAX_CHARS = 600;
const TEXTS: ReadonlyMap<unknown, string> = new Map([
  ["date", "2026-01-31"],
  ["time", "12:00:00Z"],
  ["date-time", "2026-01-31T12:00:00Z"],
  ["email", "name@example.com"],
  ["uri", "https://example.com/"],
  ["url", "https://example.com/"],
  ["uuid", "123e4567-e89b-42d3-a456-426614174000"],
  ["ipv4", "192.0.2.1"],
  ["hostname", "example.com"],
]);

/**
 * Writes an example: every required field, and the known ones that were wrong.
 *
 * @param schema The schema of the parameters.
 * @param issues What was wrong.
 * @returns The text of a JSON object; `undefined` when it would be too long.
 */
export function exampleOf(
  schema: JsonSchema,
  issues: readonly ArgumentIssue[] = [],
): string | undefined {
  const wrong = issues.map(({ path }) => unescape(path.split("/")[1] ?? ""));
  const text = JSON.stringify(objectExample(schema, schema, 0, wrong));
  return text.length > MAX_CHARS ? undefined : text;
}

function unescape(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

function objectExample(
  schema: JsonSchema,
  root: JsonSchema,
  depth: number,
  more: readonly string[] = [],
): JsonObject {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required = listOf(schema.required).map(String);
  const names = Object.keys(properties).filter((key) =>
    required.includes(key) || more.includes(key)
  );
  return Object.fromEntries(
    names.map((key) => [key, valueExample(properties[key] as JsonSchema, root, depth + 1)]),
  );
}

function valueExample(schema: unknown, root: JsonSchema, depth: number): JsonValue {
  if (!isSchema(schema) || depth > MAX_DEPTH) return "…";
  if (schema.const !== undefined) return schema.const;
  const known = [...listOf(schema.examples), ...listOf(schema.enum)];
  if (known.length > 0) return known[0] as JsonValue;
  const form = formsOf(schema, root).find(({ type }) => type !== "null");
  if (form === undefined) return "…";
  return form.schema !== schema && form.type !== "object"
    ? valueExample({ ...form.schema, type: form.type }, root, depth + 1)
    : typeExample(form.type, form.schema, root, depth);
}

function typeExample(
  type: string,
  schema: JsonSchema,
  root: JsonSchema,
  depth: number,
): JsonValue {
  switch (type) {
    case "integer":
    case "number":
      return numberExample(schema, type === "integer" ? 1 : 0.5);
    case "boolean":
      return true;
    case "array":
      return listExample(schema, root, depth);
    case "object":
      return objectExample(schema, root, depth);
    default:
      return TEXTS.get(schema.format) ?? "…".padEnd(Math.min(sizeOf(schema.minLength), 40), "…");
  }
}

function numberExample(schema: JsonSchema, step: number): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  if (typeof multipleOf === "number") return multipleOf;
  if (typeof minimum === "number") return minimum;
  if (typeof exclusiveMinimum === "number") return exclusiveMinimum + step;
  if (typeof maximum === "number") return Math.min(1, maximum);
  return typeof exclusiveMaximum === "number" ? Math.min(1, exclusiveMaximum - step) : 1;
}

function listExample(schema: JsonSchema, root: JsonSchema, depth: number): JsonValue {
  const tuple = listOf(schema.prefixItems);
  if (tuple.length > 0) return tuple.map((item) => valueExample(item, root, depth + 1));
  const count = Math.min(Math.max(sizeOf(schema.minItems), 1), 3);
  return Array.from({ length: count }, () => valueExample(schema.items, root, depth + 1));
}

function sizeOf(value: unknown): number {
  return typeof value === "number" ? value : 1;
}
