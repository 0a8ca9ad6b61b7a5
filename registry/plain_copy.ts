/**
 * Copies of plain data that nobody can change.
 * @module
 */
import type { JsonValue } from "../core/json.ts";

const MAX_DEPTH = 100;

/** Makes the error for a place in the data, given as a JSON Pointer, and what is wrong there. */
export type CopyFault = (pointer: string, problem: string) => Error;

/**
 * Copies JSON data and freezes the copy at every depth. The original stays as it is. Members whose value is
 * `undefined` are left out, as in JSON text.
 *
 * @param value The data.
 * @param fault Makes the error.
 * @returns The frozen copy.
 * @throws What `fault` makes, if the data is not JSON: a function, a class instance, a cycle, a number
 * that is not finite.
 */
export function copyPlain(value: unknown, fault: CopyFault): JsonValue {
  return copyAt(value, "", [], fault);
}

function copyAt(
  value: unknown,
  pointer: string,
  above: readonly object[],
  fault: CopyFault,
): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw fault(pointer, `${value} is no JSON number`);
  }
  if (typeof value !== "object") throw fault(pointer, `a ${typeof value} is no JSON value`);
  if (above.includes(value)) throw fault(pointer, "it contains itself");
  if (above.length >= MAX_DEPTH) throw fault(pointer, `it is nested more than ${MAX_DEPTH} deep`);
  const within = [...above, value];
  return Array.isArray(value)
    ? Object.freeze(copyList(value, pointer, within, fault))
    : copyObject(value, pointer, within, fault);
}

function copyList(
  list: readonly unknown[],
  pointer: string,
  above: readonly object[],
  fault: CopyFault,
): JsonValue[] {
  return Array.from(list, (item, index) => copyAt(item, `${pointer}/${index}`, above, fault));
}

function copyObject(
  source: object,
  pointer: string,
  above: readonly object[],
  fault: CopyFault,
): JsonValue {
  if (!isPlain(source)) throw fault(pointer, "an instance of a class is no JSON value");
  const members: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(source)) {
    if (member === undefined) continue;
    members.push([key, copyAt(member, `${pointer}/${escapePointer(key)}`, above, fault)]);
  }
  // `fromEntries` defines own members, so that a key such as `__proto__` stays a key.
  return Object.freeze(Object.fromEntries(members));
}

/**
 * Whether a value is an object literal, as opposed to a list, a class instance or a scalar.
 *
 * @param value Any value.
 * @returns True for a plain object, of this realm or without a prototype.
 */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/**
 * A member's name as a part of a JSON Pointer.
 *
 * @param key The name.
 * @returns The name with `~` and `/` escaped.
 */
export function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
