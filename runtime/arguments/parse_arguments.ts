/**
 * Reading a call's arguments.
 * @module
 */
import type { ArgumentIssue } from "../../core/entry.ts";
import type { JsonObject } from "../../core/json.ts";
import { readJson } from "./read_json.ts";

/** Arguments that were read. */
export interface ReadArguments {
  /** The tag of the union. */
  readonly ok: true;
  /** The object. */
  readonly value: JsonObject;
  /** Present when it holds whole numbers beyond 2^53, which may already be other ones than were meant. */
  readonly unsafe?: true;
}

/** What reading gave. */
export type ParsedArguments =
  | ReadArguments
  | {
    readonly ok: false;
    readonly issues: readonly ArgumentIssue[];
    /** Present when the text is no JSON, so that a repair may help. */
    readonly syntax?: true;
  };

const MAX_DEPTH = 200;

/**
 * Reads arguments given as an object or as JSON text. A number in a text that JavaScript cannot hold
 * exactly is refused, because the tool would act on another one; so is a field that is written twice. The
 * text of a text that holds the object is read too.
 *
 * @param args The arguments.
 * @returns The object, or what is wrong with them.
 */
export function parseArguments(args: JsonObject | string): ParsedArguments {
  if (typeof args !== "string") return accept(args);
  const outer = readJson(args);
  if (!outer.ok) {
    return { ok: false, issues: [outer.issue], ...(outer.syntax ? { syntax: true } : {}) };
  }
  if (typeof outer.value !== "string") return accept(outer.value);
  const inner = readJson(outer.value);
  if (!inner.ok) return inner.syntax ? accept(outer.value) : { ok: false, issues: [inner.issue] };
  return accept(typeof inner.value === "string" ? outer.value : inner.value);
}

function accept(value: unknown): ParsedArguments {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return fail("", `expected a JSON object, got ${kindOf(value)}`);
  }
  const seen: Seen = { unsafe: false };
  if (isTooDeep(value, 0, seen)) return fail("", `nested deeper than ${MAX_DEPTH} levels`);
  return { ok: true, value: value as JsonObject, ...(seen.unsafe ? { unsafe: true } : {}) };
}

function fail(path: string, message: string): ParsedArguments {
  return { ok: false, issues: [{ path, message }] };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

interface Seen {
  unsafe: boolean;
}

function isTooDeep(value: object, depth: number, seen: Seen): boolean {
  if (depth > MAX_DEPTH) return true;
  for (const key in value) {
    const item = (value as { readonly [key: string]: unknown })[key];
    if (typeof item === "number") {
      if (item > Number.MAX_SAFE_INTEGER || item < Number.MIN_SAFE_INTEGER) seen.unsafe = true;
    } else if (typeof item === "object" && item !== null && isTooDeep(item, depth + 1, seen)) {
      return true;
    }
  }
  return false;
}
