/**
 * Defaults that a schema names.
 * @module
 */
import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.ts";
import { isSchema, listOf, resolveRef } from "./schema_forms.ts";

/** Fills what is missing; gives the same object when nothing is. */
export type Fill = (value: JsonObject) => JsonObject;

/** Says whether a default fits the schema that it stands in. */
export type DefaultTest = (part: JsonSchema) => boolean;

interface Filling {
  readonly adds: (readonly [key: string, value: JsonValue])[];
  readonly below: (readonly [key: string, part: Filling])[];
  items?: Filling;
}

/**
 * Makes ready what fills the defaults of a schema: of properties that are not required, at any depth, in
 * objects that are there. A default that its own schema refuses is left out.
 *
 * @param schema The schema of the parameters.
 * @param fits Says whether a default may be used.
 * @returns The function; `undefined` when there is nothing to fill.
 */
export function compileDefaults(schema: JsonSchema, fits: DefaultTest): Fill | undefined {
  const filling = compile(schema, { root: schema, fits, known: new Map() });
  return isEmpty(filling, new Set()) ? undefined : (value) => fill(value, filling);
}

interface Compiling {
  readonly root: JsonSchema;
  readonly fits: DefaultTest;
  /** A schema may hold itself. */
  readonly known: Map<JsonSchema, Filling>;
}

function compile(schema: JsonSchema, compiling: Compiling): Filling {
  const known = compiling.known.get(schema);
  if (known) return known;
  const filling: Filling = { adds: [], below: [] };
  compiling.known.set(schema, filling);
  const required = listOf(schema.required);
  for (const [key, part] of Object.entries(schema.properties ?? {})) {
    if (!isSchema(part)) continue;
    if (part.default !== undefined && !required.includes(key) && compiling.fits(part)) {
      filling.adds.push([key, part.default as JsonValue]);
    }
    filling.below.push([key, compile(follow(part, compiling.root), compiling)]);
  }
  if (isSchema(schema.items)) {
    filling.items = compile(follow(schema.items, compiling.root), compiling);
  }
  return filling;
}

function follow(schema: JsonSchema, root: JsonSchema): JsonSchema {
  return typeof schema.$ref === "string" ? resolveRef(schema.$ref, root) ?? schema : schema;
}

function isEmpty({ adds, below, items }: Filling, open: Set<Filling>): boolean {
  if (adds.length > 0) return false;
  const parts = [...below.map(([, part]) => part), ...(items ? [items] : [])];
  return parts.every((part) => open.has(part) || (open.add(part), isEmpty(part, open)));
}

function fill<T extends object>(value: T, filling: Filling): T {
  return Array.isArray(value)
    ? fillItems(value, filling) as unknown as T
    : fillFields(value as unknown as JsonObject, filling) as unknown as T;
}

function fillItems(value: readonly unknown[], { items }: Filling): readonly unknown[] {
  if (!items) return value;
  const filled = value.map((item) => isContainer(item) ? fill(item, items) : item);
  return filled.every((item, index) => Object.is(item, value[index])) ? value : filled;
}

function fillFields(value: JsonObject, { adds, below }: Filling): JsonObject {
  const changed: Record<string, JsonValue> = Object.create(null);
  for (const [key, preset] of adds) {
    // Frozen with the schema: a handler of this process may change what it gets.
    if (!Object.hasOwn(value, key)) changed[key] = structuredClone(preset);
  }
  for (const [key, part] of below) {
    const item = Object.hasOwn(value, key) ? value[key] : undefined;
    if (!isContainer(item)) continue;
    const filled = fill(item, part);
    if (filled !== item) changed[key] = filled as JsonValue;
  }
  // Spreading defines members, so that a key "__proto__" stays a key.
  return Object.keys(changed).length === 0 ? value : { ...value, ...changed };
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
