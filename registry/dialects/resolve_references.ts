/**
 * References written out. Nothing is ever fetched, and what nests without end is cut.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import { ignoresSiblings, modernise, olderWords } from "./drafts.ts";
import { intersect } from "./intersect.ts";
import { ANNOTATIONS, isAssertive, mapSchemas } from "./keywords.ts";
import {
  isRecord,
  only,
  type ProjectionNotes,
  type Schema,
  UNEVALUATED,
  UnprojectableError,
  without,
} from "./projection.ts";

const REFERENCES: readonly string[] = ["$ref", "$dynamicRef", "$recursiveRef"];
/** How often a schema may lie within itself before it is cut. */
const MAX_REPEATS = 2;

/**
 * Writes every reference out, and every part in the words of draft 2020-12.
 *
 * @param root The schema.
 * @param notes Takes what is lost where a schema lies within itself.
 * @returns A new schema without references.
 * @throws {UnprojectableError} If a reference leads out of the schema or nowhere.
 */
export function resolveReferences(root: JsonSchema, notes: ProjectionNotes): Schema {
  return new Resolver(root, notes).resolve(root, []);
}

class Resolver {
  readonly #root: JsonSchema;
  readonly #notes: ProjectionNotes;
  readonly #alone: boolean;

  constructor(root: JsonSchema, notes: ProjectionNotes) {
    this.#root = root;
    this.#notes = notes;
    this.#alone = ignoresSiblings(root);
  }

  resolve(part: unknown, trail: readonly object[]): Schema {
    if (typeof part === "boolean") return part;
    if (!isRecord(part)) {
      throw new UnprojectableError(
        `${JSON.stringify(part)} stands in it where a schema is expected`,
      );
    }
    this.#notes.spend();
    const keyword = REFERENCES.find((key) => typeof part[key] === "string");
    if (keyword !== undefined) return this.#follow(part, keyword, trail);
    const next = mapSchemas(modernise(part), (inner) => this.resolve(inner, trail));
    const older = olderWords(part);
    if (older.size === 0) return this.#notes.adopt(next, part);
    // Only by the word of the newer draft do properties count as evaluated.
    if (
      older.has("dependentSchemas") && next.dependentSchemas !== undefined &&
      this.#notes.hasUnevaluated("unevaluatedProperties")
    ) {
      const message = `What "dependencies" says of properties is told as if it evaluated them`;
      this.#notes.lose(part, "dependencies", message);
    }
    const places = Object.keys(next).map((key) => {
      const words = older.get(key) ?? [key];
      return [key, words.flatMap((word) => this.#notes.placesOf(part, word))] as const;
    });
    return this.#notes.compose(next, part, new Map(places));
  }

  #follow(part: JsonSchema, keyword: string, trail: readonly object[]): Schema {
    const target = this.#find(part[keyword] as string);
    const beside = without(part, keyword);
    const siblings = this.#notes.adopt(this.#alone ? only(beside, ANNOTATIONS) : beside, part);
    const found = this.#expand(part, keyword, target, trail);
    if (isAssertive(siblings) || REFERENCES.some((key) => key in siblings)) {
      const own = this.resolve(siblings, trail);
      // What is unevaluated depends on what the reference leads to, which therefore stays beside it.
      return typeof own === "object" && UNEVALUATED.some((key) => key in own)
        ? this.#notes.adopt({ ...own, allOf: [...own.allOf as Schema[] ?? [], found] }, own)
        : intersect(own, found, this.#notes);
    }
    if (typeof found === "boolean") return found;
    const words = this.#notes.adopt(only(siblings, ANNOTATIONS), part);
    return this.#notes.overlay(words, found, found);
  }

  #expand(
    part: JsonSchema,
    keyword: string,
    target: unknown,
    trail: readonly object[],
  ): Schema {
    if (!isRecord(target)) return this.resolve(target, trail);
    if (trail.filter((one) => one === target).length <= MAX_REPEATS) {
      return this.resolve(target, [...trail, target]);
    }
    const message = `"${
      part[keyword]
    }" lies within itself: from this depth on its form is not told`;
    this.#notes.lose(part, keyword, message);
    const told = only(target, ["type", "description"]);
    const places = Object.keys(told).map((key) =>
      [key, this.#notes.placesOf(target, key)] as const
    );
    return this.#notes.compose(told, part, new Map(places));
  }

  #find(reference: string): unknown {
    if (this.#notes.hasNestedId) {
      throw new UnprojectableError("it has references, and parts with an $id of their own");
    }
    const id = this.#root.$id;
    const own = typeof id === "string" && reference.startsWith(id) ? id.length : 0;
    const fragment = reference.slice(own) || "#";
    if (fragment === "#") return this.#root;
    if (fragment.startsWith("#/")) return this.#walk(fragment.slice(2), reference);
    const found = fragment.startsWith("#") && this.#notes.anchor(fragment.slice(1));
    if (found) return found;
    throw new UnprojectableError(
      fragment.startsWith("#")
        ? `it refers to "${reference}", which is not in it`
        : `it refers to "${reference}", which is outside of it and is never fetched`,
    );
  }

  #walk(pointer: string, reference: string): unknown {
    let current: unknown = this.#root;
    for (const token of pointer.split("/").map(readToken)) {
      if (typeof current !== "object" || current === null || !Object.hasOwn(current, token)) {
        throw new UnprojectableError(`it refers to "${reference}", which is not in it`);
      }
      current = (current as { readonly [key: string]: unknown })[token];
    }
    return current;
  }
}

function readToken(token: string): string {
  const plain = token.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return plain;
  }
}
