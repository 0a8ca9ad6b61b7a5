/**
 * Standard Schema objects, recognised and turned into JSON Schema without importing their library.
 * @module
 */
import type { JsonSchema } from "./json.ts";
import type { StandardSchemaV1 } from "./schema.ts";

interface JsonSchemaConverter {
  readonly input?: (options: { readonly target: string }) => unknown;
  readonly output?: (options: { readonly target: string }) => unknown;
}

/**
 * Whether a value follows Standard Schema version 1.
 *
 * @param value Any value.
 * @returns True for a Standard Schema.
 */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard =
    (value as { "~standard"?: { version?: unknown; validate?: unknown } })["~standard"];
  return standard?.version === 1 && typeof standard.validate === "function";
}

/**
 * The JSON Schema (draft 2020-12) that a Standard Schema gives of itself.
 *
 * @param schema The schema.
 * @param side Whether what goes in or what comes out is described.
 * @returns The JSON Schema.
 * @throws {TypeError} If the schema's library cannot describe it.
 */
export function standardToJsonSchema(
  schema: StandardSchemaV1,
  side: "input" | "output" = "input",
): JsonSchema {
  const standard = schema["~standard"];
  const converter = (standard as { readonly jsonSchema?: JsonSchemaConverter }).jsonSchema;
  const convert = converter?.[side];
  if (typeof convert !== "function") {
    throw new TypeError(
      `Cannot describe the ${standard.vendor} schema as JSON Schema: it has no "~standard.jsonSchema". ` +
        "Use a version of the library that has it (zod from 4.2), or write the JSON Schema yourself",
    );
  }
  return convert.call(converter, { target: "draft-2020-12" }) as JsonSchema;
}
