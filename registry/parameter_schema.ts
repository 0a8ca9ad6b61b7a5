/**
 * What a tool's schema may look like.
 * @module
 */
import type { JsonSchema } from "../core/json.ts";
import { copyPlain, isPlain } from "./plain_copy.ts";
import { show } from "./show.ts";

/**
 * Checks and copies the JSON Schema of a tool's parameters: an object schema. A missing `type` is added.
 *
 * @param schema The schema.
 * @param subject How messages begin, for example `Cannot register tool "x"`.
 * @returns A frozen copy.
 * @throws {TypeError} If it is no JSON Schema of an object, or is a whole function definition.
 */
export function readParameterSchema(schema: unknown, subject: string): JsonSchema {
  const record = assertSchemaObject(schema, "schema", subject);
  assertNoFunctionDefinition(record, subject);
  if (record.type !== "object" && !(record.type === undefined && record.properties !== undefined)) {
    throw new TypeError(
      `${subject}: the root of "schema" has type ${show(record.type)}, expected "object": ` +
        `arguments are named; for a tool without parameters write { type: "object" }`,
    );
  }
  assertMembers(record, subject);
  return copySchema({ ...record, type: "object" }, "schema", subject);
}

/**
 * Checks and copies the JSON Schema of a tool's structured result.
 *
 * @param schema The schema.
 * @param subject How messages begin.
 * @returns A frozen copy.
 * @throws {TypeError} If it is no JSON Schema.
 */
export function readOutputSchema(schema: unknown, subject: string): JsonSchema {
  return copySchema(assertSchemaObject(schema, "outputSchema", subject), "outputSchema", subject);
}

function assertSchemaObject(
  schema: unknown,
  field: string,
  subject: string,
): Readonly<Record<string, unknown>> {
  if (isPlain(schema)) return schema;
  throw new TypeError(
    `${subject}: field "${field}" is ${show(schema)}, expected a JSON Schema object, ` +
      `or a schema of a library that follows Standard Schema, such as zod`,
  );
}

function assertNoFunctionDefinition(schema: Readonly<Record<string, unknown>>, subject: string) {
  const inner = ["parameters", "inputSchema", "input_schema", "function"]
    .find((key) => Object.hasOwn(schema, key));
  if (inner === undefined || Object.hasOwn(schema, "properties")) return;
  const path = inner === "function" ? "schema.function.parameters" : `schema.${inner}`;
  throw new TypeError(
    `${subject}: field "schema" is a whole function definition, expected the schema of its ` +
      `parameters alone: pass what is now at "${path}", and name and description as fields of the tool`,
  );
}

function assertMembers(schema: Readonly<Record<string, unknown>>, subject: string): void {
  const { properties, required } = schema;
  if (properties !== undefined) {
    if (!isPlain(properties)) {
      throw new TypeError(
        `${subject}: "schema.properties" is ${show(properties)}, expected an object`,
      );
    }
    for (const [name, property] of Object.entries(properties)) {
      if (isPlain(property) || typeof property === "boolean") continue;
      throw new TypeError(
        `${subject}: "schema.properties.${name}" is ${show(property)}, expected a JSON Schema`,
      );
    }
  }
  if (required === undefined) return;
  if (Array.isArray(required) && required.every((name) => typeof name === "string")) return;
  throw new TypeError(
    `${subject}: "schema.required" is ${show(required)}, expected a list of names`,
  );
}

function copySchema(schema: unknown, field: string, subject: string): JsonSchema {
  return copyPlain(schema, (pointer, problem) =>
    new TypeError(
      `${subject}: field "${field}" is not plain JSON at "${pointer}": ${problem}`,
    )) as JsonSchema;
}
