/** Places in a schema, as JSON Pointers. */

/** What stands at a place; `undefined` where the schema has no such place. */
export function partAt(schema: unknown, path: string): unknown {
  let current = schema;
  for (const token of path.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof current !== "object" || current === null) return undefined;
    if (!Object.hasOwn(current, key)) return undefined;
    current = (current as { readonly [key: string]: unknown })[key];
  }
  return current;
}

/** The place that a reference within the schema names. */
export function placeOf(reference: string): string {
  return decodeURIComponent(reference.slice(1));
}

/** A place, and all to which references from there lead. */
export function reachedFrom(schema: unknown, path: string): ReadonlySet<string> {
  const reached = new Set([path]);
  for (const place of reached) {
    const text = JSON.stringify(partAt(schema, place)) ?? "";
    for (const [, reference] of text.matchAll(/"\$ref":"([^"]*)"/g)) {
      reached.add(placeOf(reference!));
    }
  }
  return reached;
}
