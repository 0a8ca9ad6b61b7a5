/**
 * OpenAI's strict mode: every object closed, every property required, a small set of keywords.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import type { AnyVariant, ArrayVariant, Form, ObjectVariant, Variant } from "./forms.ts";
import { fromPairs } from "./keywords.ts";
import type { ProjectionNotes } from "./projection.ts";
import { writeRules, writeWords } from "./words.ts";

const WORDS: readonly string[] = ["title", "description"];
const RULES: readonly string[] = [
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
];
const FORMATS: readonly unknown[] = [
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
];
/** What can be given where anything may be. */
const ANYTHING: readonly JsonSchema[] = ["string", "number", "boolean", "null"].map((type) => ({
  type,
}));

/**
 * Writes a form for strict mode.
 *
 * @param form The form.
 * @param notes Takes what is lost.
 * @returns The schema.
 */
export function writeStrict(form: Form, notes: ProjectionNotes): JsonSchema {
  notes.spend();
  const schemas = form.variants.flatMap((variant) => writeVariant(variant, notes));
  const words = writeWords(form, WORDS, notes);
  return { ...words, ...combine(schemas.map((schema) => withoutEcho(schema, words))) };
}

function writeVariant(variant: Variant, notes: ProjectionNotes): readonly JsonSchema[] {
  switch (variant.type) {
    case "any":
      return writeAny(variant, notes);
    case "array":
      return [writeArray(variant, notes)];
    case "object":
      return [writeStrictObject(variant, notes)];
    default: {
      const { type, values } = variant;
      const rules = writeRules(variant, isKnown, notes);
      return [{ ...wordsOf(variant), type, ...rules, ...(values && { enum: values }) }];
    }
  }
}

function isKnown(key: string, value: unknown): boolean {
  return RULES.includes(key) || (key === "format" && FORMATS.includes(value));
}

function wordsOf({ words }: Variant): JsonSchema {
  return typeof words.description === "string" ? { description: words.description } : {};
}

function withoutEcho(schema: JsonSchema, words: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  const said = typeof words.description === "string" ? words.description : "";
  return typeof description === "string" && !said.startsWith(description)
    ? { description, ...rest }
    : rest;
}

function writeAny({ path }: AnyVariant, notes: ProjectionNotes): readonly JsonSchema[] {
  notes.lose(
    [path],
    "",
    "Any value is allowed: only a text, a number, true, false or null can be given",
  );
  return ANYTHING;
}

function writeArray(variant: ArrayVariant, notes: ProjectionNotes): JsonSchema {
  const rules = writeRules(variant, isKnown, notes);
  return { ...wordsOf(variant), type: "array", items: writeStrict(variant.items, notes), ...rules };
}

/**
 * Writes an object for strict mode.
 *
 * @param variant The object.
 * @param notes Takes what is lost.
 * @returns The schema.
 */
export function writeStrictObject(variant: ObjectVariant, notes: ProjectionNotes): JsonSchema {
  const { properties, required, path } = variant;
  writeRules(
    variant,
    (key, value) => key === "minProperties" && Number(value) <= required.size,
    notes,
  );
  if (variant.further === "typed" || (variant.further === "any" && properties.length === 0)) {
    const places = variant.further === "typed" ? variant.furtherPaths : [path];
    notes.lose(places, "", "Only the named properties can be given");
  }
  const written = properties.map(([name, form]) => {
    const schema = writeStrict(form, notes);
    return [name, required.has(name) ? schema : nullable(schema, form, notes)] as const;
  });
  return {
    ...wordsOf(variant),
    type: "object",
    properties: fromPairs(written),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}

function nullable(schema: JsonSchema, form: Form, notes: ProjectionNotes): JsonSchema {
  const alternatives = (schema.anyOf ?? [schema]) as readonly JsonSchema[];
  if (alternatives.some(({ type }) => [type].flat().includes("null"))) return schema;
  notes.lose(form.paths, "", "It may be left out, which is said by null");
  const { title, description, ...rest } = schema;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...combine([...(rest.anyOf ? alternatives : [rest]), { type: "null" }]),
  };
}

/** One schema of alternatives: a list of types where that says it all. */
function combine(schemas: readonly JsonSchema[]): JsonSchema {
  const isNull = (schema: JsonSchema): boolean => schema.type === "null";
  const others = schemas.filter((schema) => !isNull(schema));
  const hasNull = others.length < schemas.length;
  if (others.length === 0) return { type: "null" };
  const [first, ...more] = others;
  if (more.length === 0) return hasNull ? withNull(first!) : first!;
  if (others.every((schema) => Object.keys(schema).length === 1 && isSimple(schema))) {
    const types = [...new Set(others.flatMap(({ type }) => type as string | readonly string[]))];
    return { type: hasNull ? [...types, "null"] : types };
  }
  return { anyOf: hasNull ? [...others, { type: "null" }] : others };
}

function isSimple({ type }: JsonSchema): boolean {
  return type !== undefined && ![type].flat().some((one) => one === "object" || one === "array");
}

function withNull(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return { anyOf: [schema, { type: "null" }] };
  const types = [schema.type].flat();
  return {
    ...schema,
    type: [...types, "null"],
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}
