/**
 * The fields of a tool: of a registration in code, and of a declaration as plain data.
 * @module
 */
import {
  type FieldRule,
  type FieldTable,
  FLAG,
  FUNCTION,
  required,
  type Synonyms,
  TEXT,
  WORD,
  WORDS,
} from "./field_rule.ts";
import { isPlain } from "./plain_copy.ts";

const OBJECT: FieldRule = { expected: "an object", test: isPlain };

const POSITIVE = (unit: string): FieldRule => ({
  expected: `a positive, finite number of ${unit}`,
  test: (value) => typeof value === "number" && Number.isFinite(value) && value > 0,
});

const RESULT_SIZE: FieldRule = {
  expected: `a number of characters, 0 or more, or "unlimited" (Infinity in code)`,
  test: (value) =>
    value === "unlimited" || value === Infinity || (Number.isInteger(value) && Number(value) >= 0),
};

const ANY_OF: FieldRule = {
  expected: "a list of names, in which an inner list of names means any one of them",
  test: (value) =>
    Array.isArray(value) &&
    Array.from(value).every((item) => WORD.test(item) || (WORDS.test(item) && item.length > 0)),
};

const ISOLATION: FieldRule = {
  expected: `"worker" or "process"`,
  test: (value) => value === "worker" || value === "process",
};

// Looked at by their own readers, which know what to say.
const ANYTHING: FieldRule = { expected: "a value", test: () => true };

const SHARED: FieldTable = {
  name: required(WORD),
  title: TEXT,
  toolset: required(WORD),
  description: required(TEXT),
  emoji: TEXT,
  schema: ANYTHING,
  outputSchema: ANYTHING,
  permissions: ANYTHING,
  requiresEnv: ANY_OF,
  requires: OBJECT,
  isAsync: FLAG,
  maxResultSizeChars: RESULT_SIZE,
  timeoutMs: POSITIVE("milliseconds"),
  memoryMb: POSITIVE("megabytes"),
  isolation: ISOLATION,
  annotations: OBJECT,
};

/** Fields of what is passed to `register`. */
export const REGISTRATION_FIELDS: FieldTable = {
  ...SHARED,
  handler: required(FUNCTION),
  checkFn: FUNCTION,
  dynamicSchemaOverrides: FUNCTION,
};

/** Fields of a tool as plain data. */
export const DECLARATION_FIELDS: FieldTable = {
  ...SHARED,
  hasCheckFn: FLAG,
  sharesCheckOf: TEXT,
  hasDynamicSchema: FLAG,
  hasOwnCheck: FLAG,
  override: FLAG,
};

/** Fields of `annotations`. */
export const ANNOTATION_FIELDS: FieldTable = {
  title: TEXT,
  readOnlyHint: FLAG,
  destructiveHint: FLAG,
  idempotentHint: FLAG,
  openWorldHint: FLAG,
};

/** Fields of `requires`. */
export const REQUIREMENT_FIELDS: FieldTable = { bins: WORDS, files: WORDS };

/** What other libraries call the fields of a tool. */
export const FIELD_SYNONYMS: Synonyms = new Map([
  ["inputSchema", "schema"],
  ["input_schema", "schema"],
  ["parameters", "schema"],
  ["params", "schema"],
  ["args", "schema"],
  ["output_schema", "outputSchema"],
  ["execute", "handler"],
  ["run", "handler"],
  ["call", "handler"],
  ["invoke", "handler"],
  ["callback", "handler"],
  ["func", "handler"],
  ["fn", "handler"],
  ["category", "toolset"],
  ["group", "toolset"],
  ["check", "checkFn"],
  ["check_fn", "checkFn"],
  ["requires_env", "requiresEnv"],
  ["is_async", "isAsync"],
  ["max_result_size_chars", "maxResultSizeChars"],
  ["dynamic_schema_overrides", "dynamicSchemaOverrides"],
  ["timeout", "timeoutMs"],
  ["memory", "memoryMb"],
  ["override", "pass it as the second argument: register({ … }, { override: true })"],
  ["owner", "pass it as the second argument: register({ … }, { owner })"],
]);
