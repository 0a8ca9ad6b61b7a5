/**
 * Making sure that a value is JSON.
 * @module
 */
import type { JsonValue } from "../core/json.ts";

/** Deepest nesting of a result. */
export const MAX_RESULT_DEPTH = 200;
const MAX_NODES = 5_000_000;

/** Thrown for a value that is no JSON; the message says why. */
export class InvalidValue extends Error {
  /** The class's name. */
  override readonly name = "InvalidValue";
}

/**
 * Copies a value as plain JSON. Lone surrogates become U+FFFD, members that are `undefined` are left out.
 *
 * @param value Anything.
 * @returns The copy.
 * @throws {InvalidValue} If the value holds what JSON does not, or is nested deeper than 200 levels.
 */
export function cleanJson(value: unknown): JsonValue {
  return clean(value, 0, { left: MAX_NODES });
}

interface Budget {
  left: number;
}

function clean(value: unknown, depth: number, budget: Budget): JsonValue {
  if (--budget.left < 0) throw new InvalidValue(`the value has more than ${MAX_NODES} parts`);
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number") return finite(value);
  if (typeof value !== "object") throw new InvalidValue(`the value holds a ${typeof value}`);
  if (depth >= MAX_RESULT_DEPTH) {
    throw new InvalidValue(`the value is nested deeper than ${MAX_RESULT_DEPTH} levels`);
  }
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1, budget));
  return cleanObject(value, depth, budget);
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new InvalidValue(`the value holds ${value}, which JSON cannot write`);
}

function cleanObject(value: object, depth: number, budget: Budget): JsonValue {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new InvalidValue("the value holds an object of a class, expected plain objects");
  }
  const members: [string, JsonValue][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) members.push([key.toWellFormed(), clean(item, depth + 1, budget)]);
  }
  // `fromEntries` defines members, so that a key "__proto__" stays a key.
  return Object.fromEntries(members);
}
