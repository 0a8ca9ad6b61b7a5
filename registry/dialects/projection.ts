/**
 * What the steps of a projection share: where each part of a schema comes from, what was lost, and how much
 * more may be made.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";

/** A schema, or one of the two that say all or nothing. */
export type Schema = JsonSchema | boolean;

/** Something a dialect cannot say. */
export interface SchemaLoss {
  /** The place in the tool's schema, a JSON Pointer. */
  readonly path: string;
  /** What was lost. */
  readonly message: string;
}

/** Keywords about what no other word is about. */
export const UNEVALUATED: readonly string[] = ["unevaluatedProperties", "unevaluatedItems"];
/** Parts that a schema may have, before and after its references are resolved. */
const MAX_PARTS = 10_000;
/** How deep parts may lie. */
const MAX_DEPTH = 100;

/** Thrown when a dialect has no way to write a schema. */
export class UnprojectableError extends Error {
  /** The class's name. */
  override readonly name = "UnprojectableError";
}

/** Where parts come from and what was lost, for one projection. */
export class ProjectionNotes {
  readonly #places = new WeakMap<object, string>();
  /** Where single keywords come from, of parts that were made of several. */
  readonly #keywords = new WeakMap<object, ReadonlyMap<string, readonly string[]>>();
  readonly #losses = new Map<string, SchemaLoss>();
  readonly #known = new Set<string>();
  readonly #anchors = new Map<string, JsonSchema>();
  readonly #unevaluated = new Set<string>();
  #left = MAX_PARTS;
  #nestedId = false;

  /**
   * Notes the place of every part of a schema.
   *
   * @param root The schema.
   * @throws {UnprojectableError} If it is too large or too deep.
   */
  constructor(root: JsonSchema) {
    this.#note(root, "", 0);
    this.#left = MAX_PARTS;
  }

  /** Whether a part below the root has an id, and so a base of its own for references. */
  get hasNestedId(): boolean {
    return this.#nestedId;
  }

  /**
   * Whether a part says something about what no other word is about.
   *
   * @param keyword The keyword for it.
   * @returns True when one does.
   */
  hasUnevaluated(keyword: "unevaluatedItems" | "unevaluatedProperties"): boolean {
    return this.#unevaluated.has(keyword);
  }

  /** What was lost, sorted by place. */
  get losses(): readonly SchemaLoss[] {
    return [...this.#losses.values()].sort((a, b) =>
      a.path < b.path ? -1 : a.path > b.path ? 1 : 0
    );
  }

  /**
   * The part with an anchor.
   *
   * @param name The anchor.
   * @returns The part, or `undefined`.
   */
  anchor(name: string): JsonSchema | undefined {
    return this.#anchors.get(name);
  }

  /**
   * Where a part comes from.
   *
   * @param part A part of the schema, or one that was made from it.
   * @returns A JSON Pointer.
   */
  pathOf(part: Schema): string {
    return typeof part === "object" ? this.#places.get(part) ?? "" : "";
  }

  /**
   * Notes that a part was made from another.
   *
   * @param part The new part.
   * @param from What it was made from.
   * @returns The new part.
   */
  adopt<T extends Schema>(part: T, from: Schema): T {
    if (typeof part !== "object" || this.#places.has(part)) return part;
    this.#places.set(part, this.pathOf(from));
    const keywords = typeof from === "object" ? this.#keywords.get(from) : undefined;
    if (keywords) this.#keywords.set(part, keywords);
    return part;
  }

  /**
   * Where a keyword comes from.
   *
   * @param part A part of the schema, or one that was made from it.
   * @param keyword The keyword; empty for the part as a whole.
   * @returns JSON Pointers, several when it was made of several.
   */
  placesOf(part: Schema, keyword: string): readonly string[] {
    const known = typeof part === "object" ? this.#keywords.get(part)?.get(keyword) : undefined;
    return known ?? [join(this.pathOf(part), keyword)];
  }

  /**
   * Where a property comes from.
   *
   * @param part An object's schema.
   * @param name The property's name.
   * @returns JSON Pointers to its schemas, and to what is said of properties that are not named.
   */
  placesOfProperty(part: JsonSchema, name: string): readonly string[] {
    const named = this.placesOf(part, "properties").map((path) => join(path, name));
    const further = this.placesOf(part, "additionalProperties");
    return [...named, ...further].filter((path) => this.#known.has(path));
  }

  /**
   * Notes that a part was made of several.
   *
   * @param part The new part.
   * @param from What gives it its place.
   * @param keywords Where its keywords come from.
   * @returns The new part.
   */
  compose(
    part: JsonSchema,
    from: Schema,
    keywords: ReadonlyMap<string, readonly string[]>,
  ): JsonSchema {
    this.#places.set(part, this.pathOf(from));
    this.#keywords.set(part, keywords);
    return part;
  }

  /**
   * Lays one part over another, each keyword keeping its place.
   *
   * @param over Its keywords win.
   * @param under The other part.
   * @param from What gives the new part its place.
   * @returns The new part.
   */
  overlay(over: JsonSchema, under: JsonSchema, from: Schema): JsonSchema {
    const part = { ...under, ...over };
    const places = Object.keys(part).map((key) =>
      [key, this.placesOf(Object.hasOwn(over, key) ? over : under, key)] as const
    );
    return this.compose(part, from, new Map([...places, ["", this.placesOf(from, "")]]));
  }

  /**
   * Notes a loss.
   *
   * @param part The part that loses something, or its places.
   * @param keyword The keyword that is lost; empty for the part as a whole.
   * @param message What was lost.
   */
  lose(part: Schema | readonly string[], keyword: string, message: string): void {
    const paths = Array.isArray(part)
      ? part.map((path) => join(path, keyword))
      : this.placesOf(part as Schema, keyword);
    for (const path of paths) {
      this.#losses.set(`${path}\n${message}`, Object.freeze({ path, message }));
    }
  }

  /**
   * Counts a part that is made.
   *
   * @throws {UnprojectableError} If too many were.
   */
  spend(): void {
    if (--this.#left < 0) {
      throw new UnprojectableError(
        `it has over ${MAX_PARTS} parts once references and alternatives are written out`,
      );
    }
  }

  #note(part: unknown, path: string, depth: number): void {
    this.#known.add(path);
    if (typeof part !== "object" || part === null) return;
    if (depth > MAX_DEPTH) throw new UnprojectableError(`it is nested over ${MAX_DEPTH} deep`);
    if (--this.#left < 0) throw new UnprojectableError(`it has over ${MAX_PARTS} parts`);
    this.#places.set(part, path);
    const { $id, $anchor, $dynamicAnchor } = part as JsonSchema;
    if (typeof $id === "string" && path !== "") this.#nestedId = true;
    for (const key of UNEVALUATED) if (key in part) this.#unevaluated.add(key);
    for (const anchor of [$anchor, $dynamicAnchor]) {
      if (typeof anchor === "string") this.#anchors.set(anchor, part as JsonSchema);
    }
    for (const [key, value] of Object.entries(part)) {
      this.#note(value, `${path}/${escapeToken(key)}`, depth + 1);
    }
  }
}

function join(path: string, keyword: string): string {
  return keyword === "" ? path : `${path}/${escapeToken(keyword)}`;
}

/**
 * Writes a key as a part of a JSON Pointer.
 *
 * @param key The key.
 * @returns The token.
 */
export function escapeToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/**
 * Whether a value is an object that is no list.
 *
 * @param value The value.
 * @returns True when it is.
 */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether two JSON values are equal, whatever the order of keys.
 *
 * @param a A value.
 * @param b Another.
 * @returns True when they are.
 */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

/**
 * Leaves keywords out.
 *
 * @param schema The schema.
 * @param keywords Which.
 * @returns A new schema without them.
 */
export function without(schema: JsonSchema, ...keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)));
}

/**
 * Takes keywords out of a schema.
 *
 * @param schema The schema.
 * @param keywords Which.
 * @returns A new schema that has only them, as far as they are there.
 */
export function only(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => keywords.includes(key)));
}
