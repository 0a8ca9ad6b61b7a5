/**
 * Registrations as plain data, for a front that does not run tool code. Runs inside the worker.
 * @module
 */
import { toJsonLimit } from "../core/json_limit.ts";
import type { JsonValue } from "../core/json.ts";
import type { RegisterOptions, ToolRegistration } from "../core/registration.ts";
import { isStandardSchema, standardToJsonSchema } from "../core/standard_schema.ts";

/** The first tool of each check function. */
const checks = new WeakMap<object, string>();

function describeSchema(schema: unknown, side: "input" | "output"): unknown {
  return isStandardSchema(schema) ? standardToJsonSchema(schema, side) : schema;
}

/**
 * Describes a registration.
 *
 * @param registration The tool.
 * @param options The options of its registration.
 * @returns Plain data; the front checks it again.
 * @throws {TypeError} If a schema cannot be described, or a field is not data.
 */
export function describeRegistration(
  registration: ToolRegistration,
  options: RegisterOptions,
): JsonValue {
  const data: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(registration)) {
    if (key === "handler") continue;
    if (key === "checkFn") data.hasCheckFn = typeof value === "function";
    else if (key === "dynamicSchemaOverrides") data.hasDynamicSchema = typeof value === "function";
    else if (key === "schema") {
      data.schema = describeSchema(value, "input");
      if (isStandardSchema(value)) data.hasOwnCheck = true;
    } else if (key === "outputSchema") data.outputSchema = describeSchema(value, "output");
    else if (typeof value === "number") data[key] = toJsonLimit(value);
    // A function where none belongs: its name goes along, so that the front can say what was meant.
    else data[key] = typeof value === "function" ? null : value;
  }
  if (typeof registration.handler !== "function") {
    throw new TypeError(`Cannot register "${registration.name}": "handler" must be a function`);
  }
  const shared = sharesCheckOf(registration);
  if (shared !== undefined) data.sharesCheckOf = shared;
  if (options?.override === true) data.override = true;
  return JSON.parse(JSON.stringify(data));
}

function sharesCheckOf({ name, checkFn }: ToolRegistration): string | undefined {
  if (typeof checkFn !== "function") return undefined;
  const first = checks.get(checkFn);
  if (first === undefined) checks.set(checkFn, name);
  return first === name ? undefined : first;
}
