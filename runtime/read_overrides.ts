/**
 * Checks what a tool says of itself.
 * @module
 */
import type { SchemaOverrides } from "../core/context.ts";
import { readParameterSchema } from "../registry/parameter_schema.ts";

const MAX_DESCRIPTION_CHARS = 16_384;

/** What was read. */
export type ReadOverrides =
  | { readonly ok: true; readonly overrides: SchemaOverrides }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads what `dynamicSchemaOverrides` gave. Only a description and parameters count: a name never does.
 *
 * @param said What the tool said.
 * @param name The tool's name.
 * @returns A frozen copy, or why it cannot be used.
 */
export function readOverrides(said: unknown, name: string): ReadOverrides {
  if (typeof said !== "object" || said === null || Array.isArray(said)) {
    const given = said === null ? "nothing" : Array.isArray(said) ? "a list" : `a ${typeof said}`;
    return refuse(`gave ${given}, expected { description?, parameters? }`);
  }
  const { description, parameters } = said as { readonly [key: string]: unknown };
  if (description !== undefined && !isDescription(description)) {
    return refuse(
      `gave a description that is no text of 1 to ${MAX_DESCRIPTION_CHARS} characters`,
    );
  }
  try {
    return {
      ok: true,
      overrides: Object.freeze({
        ...(description !== undefined && { description }),
        ...(parameters !== undefined && {
          parameters: readParameterSchema(parameters, `Cannot override the schema of "${name}"`),
        }),
      }),
    };
  } catch (error) {
    return refuse(`gave parameters that cannot be used: ${(error as Error).message}`);
  }
}

function isDescription(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_DESCRIPTION_CHARS;
}

function refuse(what: string): ReadOverrides {
  return { ok: false, reason: `dynamicSchemaOverrides ${what}` };
}
