/**
 * JSON values and JSON Schema, as types only.
 * @module
 */

/** Any value that JSON text can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A JSON object: what a call's arguments are. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** A JSON Schema (draft 2020-12) written as an object. */
export interface JsonSchema {
  /** The JSON type or types that the value may have. */
  readonly type?: string | readonly string[];
  /** Schemas of the object's named properties. */
  readonly properties?: { readonly [name: string]: JsonSchema | boolean };
  /** Names of the properties that must be present. */
  readonly required?: readonly string[];
  /** Schema of an array's items. */
  readonly items?: JsonSchema | boolean;
  /** The allowed values. */
  readonly enum?: readonly JsonValue[];
  /** The one allowed value. */
  readonly const?: JsonValue;
  /** Every other keyword of the specification. */
  readonly [keyword: string]: unknown;
}
