/**
 * The keywords of JSON Schema, by what they hold and what they say.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import { isRecord, type Schema } from "./projection.ts";

/** Keywords that hold one schema. */
const ONE: readonly string[] = [
  "additionalProperties",
  "propertyNames",
  "unevaluatedProperties",
  "items",
  "unevaluatedItems",
  "contains",
  "not",
  "if",
  "then",
  "else",
];
/** Keywords that hold a list of schemas. */
const LIST: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];
/** Keywords that hold schemas by name. */
const NAMED: readonly string[] = ["properties", "patternProperties", "dependentSchemas"];

/** Keywords that say something to people only. */
export const ANNOTATIONS: readonly string[] = [
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
];

/** Keywords that restrict a value. Every other one is a note. */
export const ASSERTIONS: ReadonlySet<string> = new Set([
  ...ONE,
  ...LIST,
  ...NAMED,
  "type",
  "enum",
  "const",
  "multipleOf",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "format",
  "maxItems",
  "minItems",
  "uniqueItems",
  "maxContains",
  "minContains",
  "maxProperties",
  "minProperties",
  "required",
  "dependentRequired",
]);

/**
 * Whether a schema restricts anything.
 *
 * @param schema The schema.
 * @returns True when it does.
 */
export function isAssertive(schema: JsonSchema): boolean {
  return Object.keys(schema).some((key) => ASSERTIONS.has(key));
}

/**
 * Makes a schema anew with each schema in it changed.
 *
 * @param schema The schema.
 * @param change Changes one schema directly below.
 * @returns The new schema, its keywords in the same order.
 */
export function mapSchemas(schema: JsonSchema, change: (inner: unknown) => Schema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (ONE.includes(key)) return [key, change(value)];
      if (LIST.includes(key) && Array.isArray(value)) return [key, value.map(change)];
      if (!NAMED.includes(key) || !isRecord(value)) return [key, value];
      const inner = Object.entries(value).map(([name, item]) => [name, change(item)]);
      return [key, fromPairs(inner as [string, Schema][])];
    }),
  );
}

/**
 * An object of pairs that takes every key, `__proto__` too.
 *
 * @param pairs The pairs.
 * @returns The object.
 */
export function fromPairs<T>(pairs: Iterable<readonly [string, T]>): { [key: string]: T } {
  return Object.fromEntries(pairs);
}
