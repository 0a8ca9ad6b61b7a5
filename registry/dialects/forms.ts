/**
 * Schemas as alternatives of one type each: what dialects with a small vocabulary are written from.
 * @module
 */
import type { JsonSchema, JsonValue } from "../../core/json.ts";

/** Types of which a value is a single one. */
export type ScalarType = "string" | "number" | "integer" | "boolean" | "null";

/** What a value may be. */
export interface Form {
  /** Words to people. */
  readonly words: JsonSchema;
  /** Where it comes from, JSON Pointers. */
  readonly paths: readonly string[];
  /** The alternatives; none when no value is allowed. */
  readonly variants: readonly Variant[];
}

/** What all variants have. */
interface VariantBase {
  /** Where it comes from, a JSON Pointer. */
  readonly path: string;
  /** Words to people, of an alternative. */
  readonly words: JsonSchema;
  /** Keywords of its type, except those that hold schemas. */
  readonly rules: JsonSchema;
}

/** A value of any kind. */
export interface AnyVariant extends VariantBase {
  /** The tag of the union. */
  readonly type: "any";
}

/** A text, a number, a truth value, or null. */
export interface ScalarVariant extends VariantBase {
  /** The tag of the union. */
  readonly type: ScalarType;
  /** All that it was made of, JSON Pointers. */
  readonly paths: readonly string[];
  /** The only values. */
  readonly values?: readonly JsonValue[];
  /** Where they come from, JSON Pointers. */
  readonly valuesPaths?: readonly string[];
}

/** A list. */
export interface ArrayVariant extends VariantBase {
  /** The tag of the union. */
  readonly type: "array";
  /** What an item may be. */
  readonly items: Form;
}

/** An object. */
export interface ObjectVariant extends VariantBase {
  /** The tag of the union. */
  readonly type: "object";
  /** The named properties. */
  readonly properties: readonly (readonly [string, Form])[];
  /** The properties that must be there. */
  readonly required: ReadonlySet<string>;
  /** Whether others may be given: all, none, or of one form. */
  readonly further: "any" | "none" | "typed";
  /** Where that is said, JSON Pointers. */
  readonly furtherPaths: readonly string[];
}

/** One alternative. */
export type Variant = AnyVariant | ScalarVariant | ArrayVariant | ObjectVariant;
