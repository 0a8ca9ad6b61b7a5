/**
 * Older drafts of JSON Schema, said in the words of draft 2020-12.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import { isRecord } from "./projection.ts";

/** Keywords that say how a schema is written, not what it allows. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$recursiveAnchor",
  "$vocabulary",
  "$comment",
  "$defs",
  "definitions",
]);

/** Bounds, and the words that in draft 4 make them exclusive. */
const BOUNDS = [["minimum", "exclusiveMinimum"], ["maximum", "exclusiveMaximum"]] as const;

/**
 * Whether words next to a `$ref` do not count, as in draft 7 and before.
 *
 * @param root The whole schema.
 * @returns True when they do not.
 */
export function ignoresSiblings(root: JsonSchema): boolean {
  return /draft-0[467]/.test(String(root.$schema ?? ""));
}

/**
 * Says one schema in the words of draft 2020-12, without bookkeeping. Schemas in it are left as they are.
 *
 * @param schema The schema.
 * @returns A new schema.
 */
export function modernise(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([key]) => !BOOKKEEPING.has(key));
  const next: Record<string, unknown> = Object.fromEntries(kept);
  if (Array.isArray(next.items)) moveItems(next);
  delete next.additionalItems;
  for (const [bound, exclusive] of BOUNDS) moveBound(next, bound, exclusive);
  if (isRecord(next.dependencies)) moveDependencies(next, next.dependencies);
  return next;
}

/**
 * The words of an older draft in which a schema says what `modernise` says otherwise.
 *
 * @param schema The schema.
 * @returns Its own words by those of draft 2020-12, only where they differ.
 */
export function olderWords(schema: JsonSchema): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, readonly string[]>();
  const note = (word: string, ...older: readonly string[]): void =>
    void words.set(word, older.filter((one) => one in schema));
  if (Array.isArray(schema.items)) {
    note("prefixItems", "items");
    note("items", "additionalItems");
  }
  for (const [bound, exclusive] of BOUNDS) {
    if (typeof schema[exclusive] === "boolean") note(exclusive, bound, exclusive);
  }
  if (isRecord(schema.dependencies)) {
    for (const word of ["dependentRequired", "dependentSchemas"]) note(word, "dependencies", word);
  }
  return words;
}

function moveItems(schema: Record<string, unknown>): void {
  schema.prefixItems = schema.items;
  delete schema.items;
  if (schema.additionalItems !== undefined) schema.items = schema.additionalItems;
}

// In draft 4 these are flags.
function moveBound(schema: Record<string, unknown>, bound: string, exclusive: string): void {
  if (typeof schema[exclusive] !== "boolean") return;
  if (schema[exclusive] === true && schema[bound] !== undefined) {
    schema[exclusive] = schema[bound];
    delete schema[bound];
  } else delete schema[exclusive];
}

function moveDependencies(
  schema: Record<string, unknown>,
  dependencies: { readonly [name: string]: unknown },
): void {
  const all = Object.entries(dependencies);
  const names = all.filter(([, value]) => Array.isArray(value));
  const schemas = all.filter(([, value]) => !Array.isArray(value));
  delete schema.dependencies;
  if (names.length > 0) {
    schema.dependentRequired = {
      ...Object.fromEntries(names),
      ...schema.dependentRequired as JsonSchema | undefined,
    };
  }
  if (schemas.length > 0) {
    schema.dependentSchemas = {
      ...Object.fromEntries(schemas),
      ...schema.dependentSchemas as JsonSchema | undefined,
    };
  }
}
