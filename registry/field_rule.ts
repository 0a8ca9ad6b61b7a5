/**
 * How a field of a tool is checked: a predicate and the words for what it expects.
 * @module
 */
import { show } from "./show.ts";
import { nearestWords } from "./nearest.ts";

/** One field: what it must be, in a predicate and in words. */
export interface FieldRule {
  /** Whether the field must be there. */
  readonly required?: boolean;
  /** Words to follow "expected". */
  readonly expected: string;
  /** Whether a value will do. */
  test(value: unknown): boolean;
}

/** The fields of an object. */
export type FieldTable = Readonly<Record<string, FieldRule>>;

/** Words that other libraries use, and ours for them; or a sentence that says what to do. */
export type Synonyms = ReadonlyMap<string, string>;

/**
 * Checks an object against a table of its fields.
 *
 * @param record The object.
 * @param table Its fields.
 * @param subject How messages begin, for example `Cannot register tool "x"`.
 * @param synonyms Words that are not fields but are often written.
 * @throws {TypeError} If a field is unknown, missing or of the wrong kind.
 */
export function checkFields(
  record: Readonly<Record<string, unknown>>,
  table: FieldTable,
  subject: string,
  synonyms: Synonyms = new Map(),
): void {
  for (const name of Object.keys(record)) {
    if (!Object.hasOwn(table, name)) throw unknownField(name, table, subject, synonyms);
  }
  for (const [name, rule] of Object.entries(table)) {
    const value = record[name];
    if (value === undefined && !rule.required) continue;
    if (!rule.test(value)) {
      throw new TypeError(
        `${subject}: field "${name}" is ${show(value)}, expected ${rule.expected}`,
      );
    }
  }
}

function unknownField(
  name: string,
  table: FieldTable,
  subject: string,
  synonyms: Synonyms,
): TypeError {
  const meant = synonyms.get(name) ?? nearestWords(name, Object.keys(table))[0];
  if (meant?.includes(" ")) {
    return new TypeError(`${subject}: field "${name}" does not belong here; ${meant}`);
  }
  const hint = meant === undefined
    ? `expected one of ${Object.keys(table).join(", ")}`
    : `did you mean "${meant}"?`;
  return new TypeError(`${subject}: unknown field "${name}"; ${hint}`);
}

/** A rule for text. */
export const TEXT: FieldRule = {
  expected: "a string",
  test: (value) => typeof value === "string",
};

/** A rule for text that is not empty. */
export const WORD: FieldRule = {
  expected: "a string that is not empty",
  test: (value) => typeof value === "string" && value.trim() !== "",
};

/** A rule for `true` and `false`. */
export const FLAG: FieldRule = {
  expected: "true or false",
  test: (value) => typeof value === "boolean",
};

/** A rule for functions. */
export const FUNCTION: FieldRule = {
  expected: "a function",
  test: (value) => typeof value === "function",
};

/** A rule for a list of strings that are not empty. */
export const WORDS: FieldRule = {
  expected: "a list of strings that are not empty",
  test: (value) => Array.isArray(value) && Array.from(value).every(WORD.test),
};

/**
 * The same rule for a field that must be there.
 *
 * @param rule The rule.
 * @returns The rule, required.
 */
export function required(rule: FieldRule): FieldRule {
  return { ...rule, required: true };
}
