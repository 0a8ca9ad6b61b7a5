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
 * Gives a value as plain JSON: the value itself when it is that already, else a copy. Lone surrogates become
 * U+FFFD, members that are `undefined` are left out.
 *
 * @param value Anything; it must not be changed by anybody afterwards.
 * @returns The value or a copy.
 * @throws {InvalidValue} If the value holds what JSON does not, or is nested deeper than 200 levels.
 */
export function cleanJson(value: unknown): JsonValue {
  if (isClean(value, 0)) return value as JsonValue;
  return clean(value, 0, { left: MAX_NODES });
}

// Nearly every value comes out of JSON.parse and is clean; looking is much cheaper than copying.
function isClean(value: unknown, depth: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return typeof value === "boolean";
  if (value === null) return true;
  if (depth >= MAX_RESULT_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (!isClean(value[index], depth + 1)) return false;
    }
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed()) return false;
    if (!isClean((value as { readonly [key: string]: unknown })[key], depth + 1)) return false;
  }
  return true;
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
