/**
 * A schema as a server sends it, and as the table can use it.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import { isPlain } from "../../registry/plain_copy.ts";
import { show } from "../../registry/show.ts";
import { mapSchema, type RawSchema } from "./map_schema.ts";
import { closeReferences, moveDefinitions } from "./move_definitions.ts";
import { repairSchema } from "./repair_schema.ts";

/** Longest schema as JSON text. */
const MAX_CHARS = 256 * 1024;
const MAX_DEPTH = 64;
const DIALECT =
  /^https?:\/\/json-schema\.org\/(?:draft-0[467]|draft\/2019-09|draft\/2020-12)\/schema#?$/;

/** What became of a schema. */
export type SchemaCheck =
  | {
    readonly ok: true;
    /** The schema in our way of writing. */
    readonly schema: JsonSchema;
    /** What was taken out of it, a sentence each. */
    readonly notes: readonly string[];
  }
  | {
    readonly ok: false;
    /** What is wrong with it, to follow the field's name. */
    readonly reason: string;
  };

/**
 * Checks and normalises the schema of a tool's arguments.
 *
 * @param value What the server sent as `inputSchema`.
 * @returns An object schema, or why it cannot be used.
 */
export function checkInputSchema(value: unknown): SchemaCheck {
  const fault = shapeFault(value);
  if (fault !== undefined) return { ok: false, reason: fault };
  const schema = value as RawSchema;
  if (!isObjectType(schema.type)) {
    return { ok: false, reason: `has the type ${show(schema.type)}, expected "object"` };
  }
  for (const key of ["properties", "$defs", "definitions"]) {
    if (schema[key] === undefined || isPlain(schema[key])) continue;
    return { ok: false, reason: `holds ${show(schema[key])} as "${key}", expected an object` };
  }
  const { required } = schema;
  if (required !== undefined && !Array.isArray(required)) {
    return { ok: false, reason: `holds ${show(required)} as "required", expected a list of names` };
  }
  const { properties = {}, ...rest } = schema;
  return normalise({ ...rest, type: "object", properties });
}

/**
 * Checks and normalises the schema of a tool's structured result.
 *
 * @param value What the server sent as `outputSchema`.
 * @returns The schema, or why it cannot be used.
 */
export function checkOutputSchema(value: unknown): SchemaCheck {
  const fault = shapeFault(value);
  return fault === undefined ? normalise(value as RawSchema) : { ok: false, reason: fault };
}

function shapeFault(value: unknown): string | undefined {
  if (!isPlain(value)) return `is ${show(value)}, expected an object schema`;
  if (isDeeperThan(value, MAX_DEPTH)) return `is nested more than ${MAX_DEPTH} deep`;
  const chars = JSON.stringify(value).length;
  if (chars > MAX_CHARS) {
    return `has ${chars} characters, more than the ${MAX_CHARS} that are taken`;
  }
  const { $schema } = value;
  if ($schema === undefined || (typeof $schema === "string" && DIALECT.test($schema))) {
    return undefined;
  }
  return `is written in the dialect ${
    show($schema)
  }, expected JSON Schema 2020-12, 2019-09 or draft 7, 6 or 4`;
}

// Servers that leave the type out mean an object all the same: arguments are named.
function isObjectType(type: unknown): boolean {
  return type === undefined || type === "object" ||
    (Array.isArray(type) && type.includes("object"));
}

function isDeeperThan(value: unknown, depth: number): boolean {
  let level: unknown[] = [value];
  for (let left = depth; left >= 0; left--) {
    level = level.flatMap((node) =>
      typeof node === "object" && node !== null ? Object.values(node) : []
    );
    if (level.length === 0) return false;
  }
  return true;
}

function normalise(raw: RawSchema): SchemaCheck {
  const { schema, removed } = closeReferences(moveDefinitions(raw));
  const notes = removed.map(({ pointer, target }) =>
    `"${pointer || "/"}" refers to ${show(target)}, which is never fetched: any value passes there`
  );
  return { ok: true, schema: mapSchema(schema, repairSchema) as JsonSchema, notes };
}
