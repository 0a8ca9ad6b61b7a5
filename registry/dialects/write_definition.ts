/**
 * One tool as a provider wants it described.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import type { JsonObject, JsonSchema } from "../../core/json.ts";
import type { DefinitionByDialect, Dialect } from "./definition_types.ts";

/** What a definition is written from. */
export interface DefinitionParts {
  /** The tool. */
  readonly entry: ToolEntry;
  /** The provider's name of it. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** The schema of its parameters, in the words of the provider. */
  readonly schema: JsonSchema;
}

type Writers = { readonly [D in Dialect]: (parts: DefinitionParts) => DefinitionByDialect[D] };

const WRITERS: Writers = {
  openai: ({ name, description, schema }) => ({
    type: "function",
    function: Object.freeze({ name, description, parameters: schema }),
  }),
  "openai-strict": ({ name, description, schema }) => ({
    type: "function",
    function: Object.freeze({ name, description, parameters: schema, strict: true }),
  }),
  anthropic: ({ name, description, schema }) => ({ name, description, input_schema: schema }),
  gemini: ({ name, description, schema }) => ({
    name,
    description,
    ...(schema.properties === undefined
      ? { parametersJsonSchema: NO_PARAMETERS }
      : { parameters: schema }),
  }),
  mcp: writeMcp,
};

const NO_PARAMETERS: JsonSchema = Object.freeze({
  type: "object",
  properties: Object.freeze({}),
});

function writeMcp({ entry, name, description, schema }: DefinitionParts) {
  const { title, outputSchema, annotations } = entry;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: schema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations: annotations as JsonObject }),
  };
}

/**
 * Writes the definition of a tool.
 *
 * @param parts The tool, its name, its schema in the words of the provider.
 * @param dialect The provider's way.
 * @returns The definition, frozen.
 */
export function writeDefinition<D extends Dialect>(
  parts: DefinitionParts,
  dialect: D,
): DefinitionByDialect[D] {
  // The writer of a dialect gives its definition, which the compiler loses on the way through the list.
  return Object.freeze(WRITERS[dialect](parts)) as DefinitionByDialect[D];
}
