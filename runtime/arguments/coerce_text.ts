/**
 * A text where a schema wants something else.
 * @module
 */
import { exactNumber } from "./decimal.ts";
import { readJson } from "./read_json.ts";
import type { SchemaForm } from "./schema_forms.ts";

/** What became of a text: another value, and the form that it has now. */
export interface CoercedText {
  /** The value. */
  readonly value: unknown;
  /** The form that it fits. */
  readonly form: SchemaForm;
}

const MEANS_OTHER = /^\s*(?:\[\s*(?:["[{\]\-\d]|true|false|null|$)|null\s*$)/i;

/**
 * Reads a text as the first form that it fits. Only what says exactly the same is taken: `"42"` is a whole
 * number, `"007"`, `"3.14"`, `"inf"` and `"9007199254740993"` are none. Where a text is allowed as well, it
 * stays one unless the other form comes first and is written in just that way, or it is `null`.
 *
 * @param text The text.
 * @param forms The forms that the schema allows.
 * @returns The value; `undefined` when it stays a text.
 */
export function coerceText(text: string, forms: readonly SchemaForm[]): CoercedText | undefined {
  const strict = forms.some(({ type }) => type === "string");
  const none = forms.find(({ type }) => type === "null");
  if (none && word(text, strict) === "null") return { value: null, form: none };
  for (const form of forms) {
    if (form.type === "string") return undefined;
    const value = readAs(text, form.type, strict);
    if (value !== undefined) return { value, form };
  }
  return undefined;
}

/**
 * Whether a text was meant to be a list of its own, or nothing, so that it may not become the item of a list.
 *
 * @param text The text.
 * @returns True when it begins like a JSON array, or is `null`.
 */
export function meansOther(text: string): boolean {
  return MEANS_OTHER.test(text);
}

function word(text: string, strict: boolean): string {
  return strict || text.length > 20 ? text : text.trim().toLowerCase();
}

function readAs(text: string, type: string, strict: boolean): unknown {
  switch (type) {
    case "integer":
    case "number":
      return numberOf(text, type === "integer", strict);
    case "boolean":
      return booleanOf(word(text, strict));
    case "array":
    case "object":
      return strict ? undefined : containerOf(text, type === "array");
    default:
      return undefined;
  }
}

function numberOf(text: string, whole: boolean, strict: boolean): number | undefined {
  const value = exactNumber(text);
  if (value === undefined || (whole && !Number.isSafeInteger(value))) return undefined;
  return strict && String(value) !== text ? undefined : value;
}

function booleanOf(text: string): boolean | undefined {
  return text === "true" ? true : text === "false" ? false : undefined;
}

function containerOf(text: string, list: boolean): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const read = readJson(text);
  if (!read.ok || typeof read.value !== "object" || read.value === null) return undefined;
  return Array.isArray(read.value) === list ? read.value : undefined;
}
