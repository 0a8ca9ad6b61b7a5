/**
 * The JSON texts that a handler may return: a result or an error.
 * @module
 */
import type { JsonValue } from "./json.ts";

/** The longest error message, in UTF-16 code units, before it is cut. */
export const MAX_ERROR_CHARS = 2048;

const MARKER = "… [truncated]";
const KEPT_ERRORS = 1024;
const madeErrors = new Set<string>();

/**
 * Cuts a message to {@linkcode MAX_ERROR_CHARS} and a marker that says so. A surrogate pair is not split.
 *
 * @param message The message.
 * @returns The message, or its beginning with a marker.
 */
export function boundMessage(message: string): string {
  if (message.length <= MAX_ERROR_CHARS) return message;
  const end = /[\uD800-\uDBFF]/.test(message[MAX_ERROR_CHARS - 1]!)
    ? MAX_ERROR_CHARS - 1
    : MAX_ERROR_CHARS;
  return message.slice(0, end) + MARKER;
}

/**
 * JSON text of a successful result.
 *
 * @param data The value.
 * @returns Its JSON text.
 * @throws {TypeError} If the value cannot be written as JSON (a cycle, a BigInt, `undefined`).
 *
 * @example Return an object from a handler
 * ```ts
 * import { toolResult } from "@cloister/cloister/tool";
 *
 * console.log(toolResult({ words: 3 })); // {"words":3}
 * ```
 */
export function toolResult(data: JsonValue): string {
  const text = JSON.stringify(data);
  if (text === undefined) {
    throw new TypeError(`Cannot make a tool result of a value of type "${typeof data}"`);
  }
  return text;
}

/**
 * JSON text of a failed result, `{"error": message, …extra}`. The call that returns it ends with the code
 * `tool_error`; a text that merely looks like this one does not.
 *
 * @param message What failed. Over 2,048 characters it is cut, with a marker.
 * @param extra More members of the object; may replace `error`, as in the reference design.
 * @returns The JSON text.
 *
 * @example Say what is missing
 * ```ts
 * import { toolError } from "@cloister/cloister/tool";
 *
 * console.log(toolError("No such file", { path: "a.txt" })); // {"error":"No such file","path":"a.txt"}
 * ```
 */
export function toolError(
  message: string,
  extra: { readonly [key: string]: JsonValue } = {},
): string {
  const text = JSON.stringify({ error: boundMessage(String(message)), ...extra });
  if (madeErrors.size >= KEPT_ERRORS) madeErrors.delete(madeErrors.values().next().value!);
  madeErrors.add(text);
  return text;
}

/**
 * Whether {@linkcode toolError} made this text in this realm. Texts have no identity, so the newest
 * thousand are remembered by value.
 *
 * @param text What a handler returned.
 * @returns True for a text that `toolError` made.
 */
export function isToolErrorText(text: string): boolean {
  return madeErrors.has(text);
}
