/**
 * Which schemas a tool may declare, and which arguments its handler then gets.
 * @module
 */
import type { JsonSchema, JsonValue } from "./json.ts";

/**
 * A schema object that follows Standard Schema version 1, such as one made with zod. To be used for a
 * tool it must also be able to describe itself as JSON Schema (`~standard.jsonSchema`).
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  /** The members that the Standard Schema specification defines. */
  readonly "~standard": {
    /** The version of the specification. */
    readonly version: 1;
    /** The library that made the schema. */
    readonly vendor: string;
    /** Checks a value; gives the output value or the issues found. */
    readonly validate: (
      value: unknown,
    ) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Carries the input and output types; absent at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a Standard Schema says of a value. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One fault that a Standard Schema found. */
export interface StandardIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where, as property keys from the root. */
  readonly path?:
    | readonly (PropertyKey | { readonly key: PropertyKey })[]
    | undefined;
}

/** A tool's parameters: a JSON Schema object, or a Standard Schema that can give one. */
export type ToolSchema = JsonSchema | StandardSchemaV1;

/** The types of JSON Schema's simple type words. */
export type PrimitiveTypes = {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
};

/** The type of the objects that a JSON Schema with `properties` describes. */
export type ObjectFromSchema<P, R extends keyof P> =
  & { [K in R]: FromSchema<P[K]> }
  & { [K in Exclude<keyof P, R>]?: FromSchema<P[K]> };

/** The type of the values that a literal JSON Schema describes; `JsonValue` where it cannot tell. */
export type FromSchema<S> = S extends { const: infer C } ? C
  : S extends { enum: readonly (infer E)[] } ? E
  : S extends { type: keyof PrimitiveTypes } ? PrimitiveTypes[S["type"]]
  : S extends { type: readonly (infer T)[] }
    ? (T extends keyof PrimitiveTypes ? PrimitiveTypes[T] : JsonValue)
  : S extends { type: "array" } ? (S extends { items: infer I } ? FromSchema<I>[] : JsonValue[])
  : S extends { type: "object" } ? (
      S extends { properties: infer P }
        ? ObjectFromSchema<P, S extends { required: readonly (infer R)[] } ? R & keyof P : never>
        : { [key: string]: JsonValue }
    )
  : JsonValue;

/** The arguments that a handler gets for the schema `S`. */
export type ArgsOf<S> = S extends StandardSchemaV1<infer _I, infer O> ? O : FromSchema<S>;
