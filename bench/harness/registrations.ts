/**
 * Registrations as an embedding program would make them.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import type { ToolRegistration } from "../../core/registration.ts";

/** A registration whose schema is plain JSON Schema. */
export type PlainRegistration = ToolRegistration<JsonSchema>;

function parameters(index: number): JsonSchema {
  return {
    type: "object",
    properties: {
      path: { type: "string", description: `The file that tool ${index} works on.` },
      limit: { type: "integer", minimum: 1, maximum: 2000 },
      mode: { type: "string", enum: ["lines", "words", "bytes"] },
    },
    required: ["path"],
  };
}

/**
 * Makes a registration.
 *
 * @param index Its number; the name is `tool_<number>`.
 * @param version Stands in the description, by which readers tell generations apart.
 * @returns A new object that shares nothing with others.
 */
export function makeRegistration(index: number, version = 0): PlainRegistration {
  return {
    name: `tool_${index}`,
    toolset: `set_${index % 20}`,
    description: `v${version} works on the file that it is given, in the way of number ${index}.`,
    schema: parameters(index),
    permissions: { read: ["$WORKSPACE"] },
    handler: () => "done",
  };
}

/**
 * Makes registrations.
 *
 * @param count How many.
 * @param version Stands in their descriptions.
 * @returns The registrations.
 */
export function makeRegistrations(count: number, version = 0): PlainRegistration[] {
  return Array.from({ length: count }, (_, index) => makeRegistration(index, version));
}
