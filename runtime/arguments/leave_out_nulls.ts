/**
 * The arguments of a model that was told of a tool in strict mode, which has no other way to leave a property
 * out than to write `null`.
 * @module
 */
import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.ts";
import { formsOf, isSchema } from "./schema_forms.ts";

const MAX_DEPTH = 100;

/**
 * Leaves out each optional property that is `null` where its schema takes no `null`.
 *
 * @param schema The schema of the parameters, as it was registered.
 * @param args The arguments, or their text; they are not changed.
 * @returns New arguments; the text itself when it is not that of a JSON object.
 *
 * @example An optional property
 * ```ts
 * import { leaveOutNulls } from "./leave_out_nulls.ts";
 *
 * const schema = { type: "object", properties: { limit: { type: "integer" } } };
 * console.log(leaveOutNulls(schema, { limit: null })); // {}
 * ```
 */
export function leaveOutNulls(
  schema: JsonSchema,
  args: JsonObject | string,
): JsonObject | string {
  const value = typeof args === "string" ? read(args) : args;
  return isSchema(value) ? strip(value as JsonObject, [schema], schema, 0) as JsonObject : args;
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function strip(
  value: JsonValue,
  schemas: readonly unknown[],
  root: JsonSchema,
  depth: number,
): JsonValue {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  const forms = schemas.flatMap((schema) => isSchema(schema) ? formsOf(schema, root) : []);
  const shapes = forms.map(({ schema }) => schema);
  if (Array.isArray(value)) {
    const items = shapes.map(({ items }) => items);
    return value.map((item) => strip(item, items, root, depth + 1));
  }
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const named = shapes.flatMap(({ properties }) =>
      isSchema(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
    );
    const isNeeded = shapes.some(({ required }) => required?.includes(name));
    if (
      inner === null && !isNeeded && named.length > 0 && !named.some((one) => takesNull(one, root))
    ) {
      return [];
    }
    return [[name, strip(inner, named, root, depth + 1)] as const];
  });
  return Object.fromEntries(kept);
}

function takesNull(schema: unknown, root: JsonSchema): boolean {
  if (!isSchema(schema)) return schema !== false;
  const forms = formsOf(schema, root);
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (forms.length === 0) return !Array.isArray(values) || values.includes(null);
  return forms.some(({ type }) => type === "null");
}
