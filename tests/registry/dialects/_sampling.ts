/** Looks for values that a projected schema accepts and the original refuses although no loss says so. */
import { type Schema, Validator } from "@cfworker/json-schema";
import type { JsonObject, JsonSchema, JsonValue } from "../../../core/json.ts";
import type { SchemaLoss } from "../../../registry/dialects/projection.ts";
import { leaveOutNulls } from "../../../runtime/arguments/leave_out_nulls.ts";
import { Judge } from "./_judge.ts";

/** Gives numbers from 0 to 1. */
export type Random = () => number;

/** A repeatable source of numbers (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const TEXTS = ["", "a", "ab", "True", "2024-02-30", "2024-02-29", "x@y.z", "12", "über", "a b"];
const NAMES = ["a", "b", "x", "extra", "__proto__", "constructor"];

/** One value that is likely, not certain, to fit a schema without references. */
export function sample(schema: unknown, random: Random, depth = 0): JsonValue {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  if (typeof schema !== "object" || schema === null || random() < 0.04) {
    return anything(random, depth);
  }
  const { type, enum: values, const: value, anyOf, oneOf, allOf, nullable } = schema as JsonSchema;
  if (value !== undefined) return value;
  if (Array.isArray(values) && values.length > 0) return pick(values as JsonValue[]);
  if (nullable === true && random() < 0.2) return null;
  const branches = [anyOf, oneOf, allOf].find(Array.isArray);
  if (branches && branches.length > 0) {
    const inner = sample(pick(branches), random, depth);
    const isObject = typeof inner === "object" && inner !== null && !Array.isArray(inner);
    if (!isObject || (schema as JsonSchema).properties === undefined) return inner;
    return { ...sampleObject(schema as JsonSchema, random, depth), ...inner };
  }
  const types = [type ?? guess(schema as JsonSchema)].flat();
  switch (types.length > 0 ? pick(types) : "any") {
    case "object":
      return sampleObject(schema as JsonSchema, random, depth);
    case "array":
      return sampleArray(schema as JsonSchema, random, depth);
    case "string":
      return sampleText(schema as JsonSchema, random);
    case "number":
      return sampleNumber(schema as JsonSchema, random, 0.5);
    case "integer":
      return sampleNumber(schema as JsonSchema, random, 0.03);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    default:
      return anything(random, depth);
  }
}

function guess(schema: JsonSchema): string[] {
  if (schema.properties !== undefined) return ["object"];
  return schema.items !== undefined || schema.prefixItems !== undefined ? ["array"] : [];
}

function anything(random: Random, depth: number): JsonValue {
  const kind = Math.floor(random() * (depth > 3 ? 5 : 7));
  const text = TEXTS[Math.floor(random() * TEXTS.length)]!;
  const scalars: JsonValue[] = [null, random() < 0.5, text, Math.floor(random() * 9) - 2, random()];
  if (kind < 5) return scalars[kind]!;
  if (kind === 5) return [anything(random, depth + 1)];
  return { [NAMES[Math.floor(random() * 3)]!]: anything(random, depth + 1) };
}

function sampleObject(schema: JsonSchema, random: Random, depth: number): JsonObject {
  const pairs: [string, JsonValue][] = [];
  const required = new Set(schema.required ?? []);
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const chance = required.has(name) ? 0.98 : depth > 5 ? 0.1 : 0.6;
    if (random() < chance) pairs.push([name, sample(inner, random, depth + 1)]);
  }
  for (const name of required) {
    if (!Object.hasOwn(schema.properties ?? {}, name)) pairs.push([name, anything(random, depth)]);
  }
  if (schema.additionalProperties !== false && random() < 0.3) {
    const name = NAMES[Math.floor(random() * NAMES.length)]!;
    if (!pairs.some(([other]) => other === name)) {
      pairs.push([name, sample(schema.additionalProperties, random, depth + 1)]);
    }
  }
  return Object.fromEntries(pairs);
}

function sampleArray(schema: JsonSchema, random: Random, depth: number): JsonValue {
  const least = Number(schema.minItems ?? 0);
  const length = Math.min(
    Math.max(0, least + Math.floor(random() * 4) - (random() < 0.1 ? 1 : 0)),
    130,
  );
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  return Array.from(
    { length },
    (_, at) => sample(at < prefix.length ? prefix[at] : schema.items, random, depth + 1),
  );
}

function sampleText(schema: JsonSchema, random: Random): string {
  const text = TEXTS[Math.floor(random() * TEXTS.length)]!;
  const least = Number(schema.minLength ?? 0);
  return random() < 0.8 ? text.padEnd(least, "a") : text;
}

function sampleNumber(schema: JsonSchema, random: Random, fractions: number): number {
  const low = Number(schema.minimum ?? schema.exclusiveMinimum ?? -3);
  const high = Number(schema.maximum ?? schema.exclusiveMaximum ?? low + 10);
  const edge = random();
  if (edge < 0.15) return low;
  if (edge < 0.3) return high;
  const value = low + random() * (high - low);
  const step = Number(schema.multipleOf ?? 1);
  return random() < fractions ? value : Math.round(value / step) * step;
}

/** What a search found. */
export interface Search {
  /** Values that the projected schema accepts. */
  readonly accepted: number;
  /** The first value that the original refuses for a reason that no loss gives. */
  readonly unreported?: JsonValue;
}

/** Looks for a value that shows an unreported loss. */
export function search(
  original: JsonSchema,
  projected: JsonSchema,
  losses: readonly SchemaLoss[],
  options: { readonly random: Random; readonly tries: number },
): Search {
  const read = readNullable(projected) as JsonSchema;
  const after = new Validator(
    structuredClone(read) as Schema,
    /draft-04/.test(String(projected.$schema)) ? "4" : "2020-12",
    false,
  );
  // The validator takes what is evaluated beside a conditional part for evaluated within it.
  const strictly = new Judge(read, []);
  const judge = new Judge(original, losses);
  const hasNulls = losses.some(({ message }) => message.includes("said by null"));
  let accepted = 0;
  for (let attempt = 0; attempt < options.tries; attempt++) {
    const value = sample(projected, options.random);
    // Arguments are always an object.
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    if (!after.validate(value).valid || strictly.refuses(value)) continue;
    accepted++;
    const given = value as JsonObject;
    // Nulls that say that a property is left out are taken away before a call is checked.
    const calls = hasNulls ? [given, leaveOutNulls(original, given) as JsonObject] : [given];
    if (calls.every((one) => judge.refuses(one))) return { accepted, unreported: value };
  }
  return { accepted };
}

/** Gemini's `nullable`, in the words of JSON Schema. */
function readNullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(readNullable);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, readNullable(value)]),
  );
  const { nullable, ...rest } = inner;
  return nullable === true ? { anyOf: [rest, { type: "null" }] } : inner;
}
