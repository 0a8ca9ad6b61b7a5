/**
 * What a schema expects, in a few words.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";

/**
 * The part of a schema that speaks of a place in a value.
 *
 * @param schema The schema.
 * @param path The place, a JSON Pointer.
 * @returns That part, or `undefined` where only references, combinations or nothing lead there.
 */
export function schemaAt(schema: JsonSchema, path: string): JsonSchema | undefined {
  let current: JsonSchema | boolean | undefined = schema;
  for (const token of path.split("/").slice(1)) {
    if (typeof current !== "object" || current === null) return undefined;
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const { properties, items }: JsonSchema = current;
    current = properties && Object.hasOwn(properties, name)
      ? properties[name]
      : /^\d+$/.test(name)
      ? items
      : undefined;
  }
  return typeof current === "object" && current !== null ? current : undefined;
}

/**
 * What a schema expects.
 *
 * @param schema The schema.
 * @returns For example `integer`, `string, one of "a", "b"`, `a value`.
 */
export function describeExpected(schema: JsonSchema | undefined): string {
  if (schema === undefined) return "a value";
  if (schema.const !== undefined) return JSON.stringify(schema.const).slice(0, 100);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.join(" or ") ?? "";
  const choices = Array.isArray(schema.enum)
    ? `one of ${schema.enum.slice(0, 20).map((item) => JSON.stringify(item)).join(", ")}`
    : "";
  return [type, choices].filter((part) => part !== "").join(", ") || "a value";
}
