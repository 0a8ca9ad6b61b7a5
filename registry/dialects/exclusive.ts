/**
 * Whether alternatives exclude each other.
 * @module
 */
import type { JsonSchema, JsonValue } from "../../core/json.ts";
import { isSame, type Schema } from "./projection.ts";
import { hasType } from "./types_of.ts";

const TYPES: readonly string[] = ["string", "number", "boolean", "null", "array", "object"];

/**
 * Whether no value can be in two of some alternatives, as far as types and the values that they list show. What
 * else stands beside them does not count, since a dialect may lose it: of that, only types are always told.
 *
 * @param branches The alternatives, as they are written.
 * @param beside The schema that has them.
 * @returns True when none can.
 */
export function areExclusive(branches: readonly Schema[], { type }: JsonSchema): boolean {
  const types = TYPES.filter((one) => type === undefined || includesType(type, one));
  return types.every((one) => {
    const each = branches.map((branch) => valuesOf(branch, one))
      .filter((values) => values?.length !== 0);
    return each.every((values, at) =>
      each.slice(at + 1).every((others) =>
        values !== undefined && others !== undefined &&
        !values.some((value) => others.some((other) => isSame(value, other)))
      )
    );
  });
}

/** The values of a type to which a schema is limited, `undefined` when it lists none. */
function valuesOf(schema: Schema, type: string): readonly JsonValue[] | undefined {
  if (typeof schema === "boolean") return schema ? undefined : [];
  if (schema.type !== undefined && !includesType(schema.type, type)) return [];
  const listed = schema.const === undefined ? schema.enum : [schema.const];
  if (Array.isArray(listed)) return listed.filter((value) => hasType(value, type));
  const [all, any, one] = ["allOf", "anyOf", "oneOf"].map((key) =>
    (schema[key] as readonly Schema[] | undefined)?.map((inner) => valuesOf(inner, type))
  );
  const limits = [
    ...all ?? [],
    ...[any, one].map((each) => each?.includes(undefined) ? undefined : each?.flat()),
  ];
  return limits.find((values) => values !== undefined) as readonly JsonValue[] | undefined;
}

function includesType(types: JsonSchema["type"], type: string): boolean {
  return [types].flat().some((one) => one === type || (one === "integer" && type === "number"));
}
