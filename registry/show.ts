/**
 * Values in error messages.
 * @module
 */

const LONGEST = 80;

/**
 * A value as a short text for an error message.
 *
 * @param value Any value.
 * @returns Its JSON text, quoted and cut to 80 characters, or what kind of value it is.
 */
export function show(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "function") return "a function";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
