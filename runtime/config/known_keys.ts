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
  return Object.keys(current?.properties ?? {});
}

function member(properties: unknown, key: string): unknown {
  const isOwn = typeof properties === "object" && properties !== null &&
    Object.hasOwn(properties, key);
  return isOwn ? (properties as Schema)[key] : undefined;
}
