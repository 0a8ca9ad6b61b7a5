/**
 * Gemini's subset of OpenAPI: one type for each schema, `nullable`, enumerations of texts.
 * @module
 */
import type { JsonSchema, JsonValue } from "../../core/json.ts";
import type { AnyVariant, Form, ObjectVariant, ScalarVariant, Variant } from "./forms.ts";
import { fromPairs } from "./keywords.ts";
import type { ProjectionNotes } from "./projection.ts";
import { writeRules, writeWords } from "./words.ts";

const WORDS: readonly string[] = ["title", "description", "default"];
const RULES: readonly string[] = [
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
];
/** What can be given where anything may be. */
const ANYTHING: readonly JsonSchema[] = ["string", "number", "boolean", "object"].map((type) => ({
  type,
}));

/**
 * Writes a form for Gemini.
 *
 * @param form The form.
 * @param notes Takes what is lost.
 * @returns The schema.
 */
export function writeGemini(form: Form, notes: ProjectionNotes): JsonSchema {
  notes.spend();
  const words = writeWords(form, WORDS, notes);
  const isNull = (variant: Variant): boolean => variant.type === "null";
  const others = form.variants.filter((variant) => !isNull(variant));
  const nullable = others.length < form.variants.length ||
    others.some(({ type }) => type === "any");
  const schemas = others.flatMap((variant) => writeVariant(variant, notes));
  const flag = nullable ? { nullable: true } : {};
  if (schemas.length === 0) return { ...words, ...onlyNull(form, notes) };
  if (schemas.length === 1) return { ...schemas[0], ...words, ...flag };
  // Nothing may stand beside `anyOf`.
  return { anyOf: schemas.map((schema) => ({ ...words, ...schema, ...flag })) };
}

function onlyNull({ variants }: Form, notes: ProjectionNotes): JsonSchema {
  const places = (variants as readonly ScalarVariant[]).flatMap(({ paths }) => paths);
  notes.lose(places, "", "Only null is allowed, which is not told");
  return { type: "string", nullable: true };
}

function writeVariant(variant: Variant, notes: ProjectionNotes): readonly JsonSchema[] {
  switch (variant.type) {
    case "any":
      return writeAny(variant, notes);
    case "array": {
      const items = writeGemini(variant.items, notes);
      return [{ ...wordsOf(variant), type: "array", items, ...rulesOf(variant, notes) }];
    }
    case "object":
      return [writeGeminiObject(variant, notes)];
    default:
      return [writeScalar(variant, notes)];
  }
}

function rulesOf(variant: Variant, notes: ProjectionNotes): JsonSchema {
  const known = (key: string, value: unknown): boolean =>
    RULES.includes(key) || (key === "format" && value === "date-time");
  return writeRules(variant, known, notes);
}

function wordsOf({ words }: Variant): JsonSchema {
  return typeof words.description === "string" ? { description: words.description } : {};
}

function writeAny({ path }: AnyVariant, notes: ProjectionNotes): readonly JsonSchema[] {
  notes.lose([path], "", "Any value is allowed: a list cannot be given");
  return ANYTHING;
}

function writeScalar(variant: ScalarVariant, notes: ProjectionNotes): JsonSchema {
  const bounded = variant.type === "integer" ? withWholeBounds(variant, notes) : variant;
  const schema = { ...wordsOf(variant), type: variant.type, ...rulesOf(bounded, notes) };
  if (!variant.values) return schema;
  return variant.type === "string"
    ? { ...schema, ...writeTexts(variant, notes) }
    : narrow(schema, writeNumbers(variant, notes));
}

function narrow(schema: JsonSchema, bounds: { readonly [bound: string]: number }): JsonSchema {
  const [low, high] = [Number(schema.minimum ?? -Infinity), Number(schema.maximum ?? Infinity)];
  const { minimum, maximum } = bounds;
  return {
    ...schema,
    ...(minimum !== undefined && { minimum: Math.max(minimum, low) }),
    ...(maximum !== undefined && { maximum: Math.min(maximum, high) }),
  };
}

/** For whole numbers "over 3" is "from 4". */
function withWholeBounds(variant: ScalarVariant, notes: ProjectionNotes): ScalarVariant {
  const { exclusiveMinimum: over, exclusiveMaximum: under, ...rules } = variant.rules;
  const lower = [rules.minimum, typeof over === "number" ? Math.floor(over) + 1 : undefined];
  const upper = [rules.maximum, typeof under === "number" ? Math.ceil(under) - 1 : undefined];
  const numbers = (all: readonly unknown[]) => all.filter((one) => typeof one === "number");
  const bounds = {
    ...rules,
    ...(numbers(lower).length > 0 && { minimum: Math.max(...numbers(lower)) }),
    ...(numbers(upper).length > 0 && { maximum: Math.min(...numbers(upper)) }),
  };
  return { ...variant, rules: notes.adopt(bounds, variant.rules) };
}

function writeTexts(
  { values = [], valuesPaths = [] }: ScalarVariant,
  notes: ProjectionNotes,
): JsonSchema {
  const texts = values.filter((value) => value !== "");
  if (texts.length < values.length) notes.lose(valuesPaths, "", "The empty text is not told");
  return texts.length === 0 ? { maxLength: 0 } : { enum: texts };
}

function writeNumbers(
  { values = [], valuesPaths = [], type }: ScalarVariant,
  notes: ProjectionNotes,
): { readonly [bound: string]: number } {
  const all = values.filter((value): value is number => typeof value === "number");
  const [minimum, maximum] = [Math.min(...all), Math.max(...all)];
  const isRun = type === "integer" && maximum - minimum === new Set(all).size - 1;
  const isWhole = type === "boolean" && new Set(values).size === 2;
  if (!isRun && !isWhole) {
    notes.lose(
      valuesPaths,
      "",
      `Only these values are allowed, which is not told: ${show(values)}`,
    );
  }
  return type === "boolean" ? {} : { minimum, maximum };
}

function show(values: readonly JsonValue[]): string {
  return values.slice(0, 20).map((value) => JSON.stringify(value)).join(", ") +
    (values.length > 20 ? ", …" : "");
}

/**
 * Writes an object for Gemini.
 *
 * @param variant The object.
 * @param notes Takes what is lost.
 * @returns The schema.
 */
export function writeGeminiObject(variant: ObjectVariant, notes: ProjectionNotes): JsonSchema {
  const { properties, required, further, furtherPaths } = variant;
  if (further !== "any") {
    const message = further === "none"
      ? "That no other properties may be given is not told"
      : "The form of further properties is not told";
    notes.lose(furtherPaths, "", message);
  }
  const names = properties.map(([name]) => name);
  const written = properties.map(([name, form]) => [name, writeGemini(form, notes)] as const);
  const needed = names.filter((name) => required.has(name));
  return {
    ...wordsOf(variant),
    type: "object",
    ...(names.length > 0 && { properties: fromPairs(written) }),
    ...(needed.length > 0 && { required: needed }),
    ...rulesOf(variant, notes),
  };
}
