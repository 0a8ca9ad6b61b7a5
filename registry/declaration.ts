/**
 * Tools as they come in: as data from a file's tree, a cache or a worker, and as objects in code.
 * @module
 */
import type { ToolDeclaration } from "../core/entry.ts";
import type { JsonValue } from "../core/json.ts";
import type { ToolAnnotations, ToolRegistration, ToolRequirements } from "../core/registration.ts";
import { isStandardSchema } from "../core/standard_schema.ts";
import { checkFields, type FieldTable } from "./field_rule.ts";
import { readOutputSchema, readParameterSchema } from "./parameter_schema.ts";
import { readPermissions } from "./permission_fields.ts";
import { copyPlain, isPlain } from "./plain_copy.ts";
import { show } from "./show.ts";
import { describeStandardSchema } from "./standard_schema.ts";
import {
  ANNOTATION_FIELDS,
  DECLARATION_FIELDS,
  FIELD_SYNONYMS,
  REGISTRATION_FIELDS,
  REQUIREMENT_FIELDS,
} from "./tool_fields.ts";

/**
 * Checks a tool that comes as plain data and copies it.
 *
 * @param value What a file's tree, a cache or a worker gave.
 * @param where Where it comes from, for messages, for example a file's path.
 * @returns A copy, frozen at every depth.
 * @throws {TypeError} If a field is missing, unknown or of the wrong kind; the message names tool and
 * field, what was given and what is expected.
 */
export function parseDeclaration(value: unknown, where: string): ToolDeclaration {
  if (!isPlain(value)) {
    throw new TypeError(
      `Cannot accept a tool of ${where}: it is ${show(value)}, expected an object`,
    );
  }
  return readTool(value, DECLARATION_FIELDS, `Cannot accept tool ${nameOf(value)} of ${where}`);
}

/**
 * Checks a tool that is registered in code and copies what is plain data of it.
 *
 * @param registration What was passed to `register`.
 * @returns The data, frozen at every depth, without the functions.
 * @throws {TypeError} As {@linkcode parseDeclaration}.
 */
export function readRegistration(registration: ToolRegistration): ToolDeclaration {
  const value: unknown = registration;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`Cannot register a tool: it is ${show(value)}, expected an object`);
  }
  const record = value as Readonly<Record<string, unknown>>;
  const subject = `Cannot register tool ${nameOf(record)}`;
  return readTool(
    {
      ...ownFields(record),
      schema: describe(record.schema, "schema", "input", subject),
      outputSchema: describe(record.outputSchema, "outputSchema", "output", subject),
    },
    REGISTRATION_FIELDS,
    subject,
  );
}

// A class instance may hold its handler on the prototype.
function ownFields(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...record };
  for (const name of ["handler", "checkFn", "dynamicSchemaOverrides"]) {
    const value = record[name];
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

function describe(
  schema: unknown,
  field: string,
  side: "input" | "output",
  subject: string,
): unknown {
  if (!isStandardSchema(schema)) return schema;
  try {
    return describeStandardSchema(schema, side);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${subject}: field "${field}" cannot describe itself: ${problem}`, {
      cause,
    });
  }
}

function readTool(
  record: Readonly<Record<string, unknown>>,
  table: FieldTable,
  subject: string,
): ToolDeclaration {
  checkFields(record, table, subject, FIELD_SYNONYMS);
  const schema = readParameterSchema(record.schema, subject);
  const { outputSchema } = record;
  return Object.freeze({
    ...copyScalars(record, table),
    schema,
    ...(outputSchema === undefined
      ? {}
      : { outputSchema: readOutputSchema(outputSchema, subject) }),
    permissions: readPermissions(record.permissions, schema, subject),
    ...copyLists(record, subject),
  }) as unknown as ToolDeclaration;
}

const SCALARS = ["string", "number", "boolean"];

function copyScalars(
  record: Readonly<Record<string, unknown>>,
  table: FieldTable,
): Record<string, unknown> {
  const names = Object.keys(table).filter((name) => SCALARS.includes(typeof record[name]));
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}

interface ListFields {
  readonly requiresEnv?: ToolDeclaration["requiresEnv"];
  readonly requires?: ToolRequirements;
  readonly annotations?: ToolAnnotations;
}

function copyLists(record: Readonly<Record<string, unknown>>, subject: string): ListFields {
  const { requiresEnv, requires, annotations } = record;
  const copy = (value: unknown): JsonValue =>
    copyPlain(value, (pointer, problem) => new TypeError(`${subject}: "${pointer}": ${problem}`));
  if (requires !== undefined) {
    checkFields(asRecord(requires), REQUIREMENT_FIELDS, `${subject}: "requires"`);
  }
  if (annotations !== undefined) {
    checkFields(asRecord(annotations), ANNOTATION_FIELDS, `${subject}: "annotations"`);
  }
  return {
    ...(requiresEnv === undefined
      ? {}
      : { requiresEnv: copy(requiresEnv) as ToolDeclaration["requiresEnv"] }),
    ...(requires === undefined ? {} : { requires: copy(requires) as ToolRequirements }),
    ...(annotations === undefined ? {} : { annotations: copy(annotations) as ToolAnnotations }),
  };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return value as Readonly<Record<string, unknown>>;
}

function nameOf(record: Readonly<Record<string, unknown>>): string {
  return typeof record.name === "string" ? JSON.stringify(record.name) : "without a name";
}
