/**
 * Schema objects of other libraries, as the table keeps them.
 * @module
 */
import type { ArgumentCheck, ArgumentValidator } from "../core/entry.ts";
import type { JsonValue } from "../core/json.ts";
import type { StandardIssue, StandardResult, StandardSchemaV1 } from "../core/schema.ts";
import { standardToJsonSchema } from "../core/standard_schema.ts";
import { escapePointer } from "./plain_copy.ts";

/**
 * Lets a Standard Schema describe itself as JSON Schema 2020-12.
 *
 * @param schema The schema.
 * @param side `input` for what a caller may send, `output` for what comes out.
 * @returns The description, unchecked, without `$schema`.
 * @throws {Error} If the schema cannot describe itself; what its library throws goes through.
 */
export function describeStandardSchema(
  schema: StandardSchemaV1,
  side: "input" | "output",
): unknown {
  const described: unknown = standardToJsonSchema(schema, side);
  if (typeof described !== "object" || described === null) return described;
  const { $schema: _schema, "~standard": _standard, ...rest } = described as Record<
    string,
    unknown
  >;
  return rest;
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
