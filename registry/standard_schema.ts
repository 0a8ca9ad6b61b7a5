/**
 * Schema objects of other libraries, by the Standard Schema interface.
 * @module
 */
import type { ArgumentCheck, ArgumentValidator } from "../core/entry.ts";
import type { JsonValue } from "../core/json.ts";
import type { StandardIssue, StandardResult, StandardSchemaV1 } from "../core/schema.ts";
import { escapePointer } from "./plain_copy.ts";

const TARGET = "draft-2020-12";

interface Describes {
  readonly jsonSchema?: {
    readonly input?: (options: { readonly target: string }) => unknown;
    readonly output?: (options: { readonly target: string }) => unknown;
  };
}

/**
 * Whether a value follows Standard Schema version 1. Some libraries make their schemas functions.
 *
 * @param value Any value.
 * @returns True for a Standard Schema.
 */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard = (value as Partial<StandardSchemaV1>)["~standard"];
  return typeof standard === "object" && standard !== null && standard.version === 1 &&
    typeof standard.validate === "function";
}

/**
 * Lets a Standard Schema describe itself as JSON Schema 2020-12.
 *
 * @param schema The schema.
 * @param side `input` for what a caller may send, `output` for what comes out.
 * @returns The description, unchecked, without `$schema`.
 * @throws {TypeError} If the schema cannot describe itself.
 */
export function describeStandardSchema(
  schema: StandardSchemaV1,
  side: "input" | "output",
): unknown {
  const standard = schema["~standard"] as StandardSchemaV1["~standard"] & Describes;
  const describe = standard.jsonSchema?.[side];
  if (typeof describe !== "function") {
    throw new TypeError(
      `a schema of "${standard.vendor}" that cannot describe itself as JSON Schema ` +
        `(it lacks "~standard.jsonSchema.${side}")`,
    );
  }
  try {
    return withoutMarks(describe.call(standard.jsonSchema, { target: TARGET }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(
      `a schema of "${standard.vendor}" that cannot describe itself as JSON Schema (${reason})`,
      { cause },
    );
  }
}

/**
 * The check of a Standard Schema, in the words of this project.
 *
 * @param schema The schema.
 * @returns Checks arguments and gives the schema's output.
 */
export function validatorOf(schema: StandardSchemaV1): ArgumentValidator {
  return (value) => {
    const result = schema["~standard"].validate(value);
    return result instanceof Promise ? result.then(toCheck) : toCheck(result);
  };
}

function withoutMarks(described: unknown): unknown {
  if (typeof described !== "object" || described === null) return described;
  const { $schema: _schema, "~standard": _standard, ...rest } = described as Record<
    string,
    unknown
  >;
  return rest;
}

function toCheck(result: StandardResult<unknown>): ArgumentCheck {
  if (!result.issues) return { ok: true, value: result.value as JsonValue };
  return { ok: false, issues: result.issues.map(toIssue) };
}

function toIssue(issue: StandardIssue): { readonly path: string; readonly message: string } {
  const keys = (issue.path ?? []).map((part) => typeof part === "object" ? part.key : part);
  return {
    path: keys.map((key) => `/${escapePointer(String(key))}`).join(""),
    message: issue.message,
  };
}
