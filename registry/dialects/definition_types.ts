/**
 * How providers want tools to be described.
 * @module
 */
import type { JsonObject, JsonSchema } from "../../core/json.ts";

/** A provider's way to write a tool definition. */
export type Dialect = "openai" | "openai-strict" | "anthropic" | "gemini" | "mcp";

/** A definition as OpenAI's chat completions take it. */
export interface OpenAIDefinition {
  /** Always `function`. */
  readonly type: "function";
  /** The function. */
  readonly function: {
    /** The provider's name of the tool. */
    readonly name: string;
    /** What it does. */
    readonly description: string;
    /** The schema of its parameters. */
    readonly parameters: JsonSchema;
  };
}

/** A definition for OpenAI's strict mode, in which the model cannot leave the schema. */
export interface OpenAIStrictDefinition {
  /** Always `function`. */
  readonly type: "function";
  /** The function. */
  readonly function: {
    /** The provider's name of the tool. */
    readonly name: string;
    /** What it does. */
    readonly description: string;
    /** The schema of its parameters: closed, every property required, optional ones nullable. */
    readonly parameters: JsonSchema;
    /** Always true. */
    readonly strict: true;
  };
}

/** A definition as Anthropic's messages take it. */
export interface AnthropicDefinition {
  /** The provider's name of the tool. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** The schema of its parameters. */
  readonly input_schema: JsonSchema;
}

/** A function declaration as Gemini takes it; it has one of the two schemas. */
export interface GeminiDefinition {
  /** The provider's name of the tool. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** The schema of its parameters, in Gemini's subset of OpenAPI. */
  readonly parameters?: JsonSchema;
  /** Says that it has no parameters, which Gemini refuses to be told in its own subset. */
  readonly parametersJsonSchema?: JsonSchema;
}

/** A definition as the Model Context Protocol's `tools/list` gives it. */
export interface McpDefinition {
  /** The tool's name; short enough for the prefixes that clients put in front. */
  readonly name: string;
  /** A title for people. */
  readonly title?: string;
  /** What it does. */
  readonly description: string;
  /** The schema of its parameters, as it was registered. */
  readonly inputSchema: JsonSchema;
  /** The schema of its structured result. */
  readonly outputSchema?: JsonSchema;
  /** Hints about what a call does. */
  readonly annotations?: JsonObject;
}

/** The definition of each dialect. */
export interface DefinitionByDialect {
  /** OpenAI's chat completions and what follows them. */
  readonly "openai": OpenAIDefinition;
  /** OpenAI's strict mode. */
  readonly "openai-strict": OpenAIStrictDefinition;
  /** Anthropic's messages. */
  readonly "anthropic": AnthropicDefinition;
  /** Gemini's function declarations. */
  readonly "gemini": GeminiDefinition;
  /** The Model Context Protocol. */
  readonly "mcp": McpDefinition;
}

/** The definition type of a dialect. */
export type DefinitionOf<D extends Dialect> = DefinitionByDialect[D];
