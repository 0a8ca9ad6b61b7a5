/**
 * Which keys a place in the configuration may have.
 * @module
 */
type Schema = { readonly [keyword: string]: unknown };

/**
 * Walks the configuration's JSON Schema.
 *
 * @param schema The schema.
 * @param path The place.
 * @returns The keys that are known there; empty where every key is.
 */
export function knownKeys(schema: Schema, path: readonly (string | number)[]): readonly string[] {
  let current: Schema | undefined = schema;
  for (const key of path) {
    const below: unknown = typeof key === "number"
      ? current?.items
      : member(current?.properties, key) ?? current?.additionalProperties;
    current = typeof below === "object" && below !== null ? below as Schema : undefined;
  }
  return formsOf(current).flatMap((form) => Object.keys(form.properties ?? {}));
}

// A place that takes several forms knows the keys of each.
function formsOf(schema: Schema | undefined): readonly Schema[] {
  if (schema === undefined) return [];
  return Array.isArray(schema.anyOf) ? schema.anyOf.flatMap(formsOf) : [schema];
}

function member(properties: unknown, key: string): unknown {
  const isOwn = typeof properties === "object" && properties !== null &&
    Object.hasOwn(properties, key);
  return isOwn ? (properties as Schema)[key] : undefined;
}
