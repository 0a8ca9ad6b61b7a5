/**
 * Turns what a handler returned, or threw, into what the link can carry. Runs inside the worker.
 * @module
 */
import type { ContentBlock } from "../core/content.ts";
import { boundMessage, isToolErrorText } from "../core/envelope.ts";
import { ToolError } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import type { ModulePlace, WireError, WireValue } from "./protocol.ts";

/** Deepest nesting of a result. */
export const MAX_DEPTH = 1000;
/** Longest result in UTF-16 code units, encoded. */
export const MAX_RESULT_CHARS = 64 * 1024 * 1024;

const BLOCK_TYPES: readonly unknown[] = ["text", "image", "audio", "resource", "resource_link"];
// Taken before tool code runs.
const stringify = JSON.stringify;
const parse = JSON.parse;

/** A result on its way to the link: `raw` is the text of a JSON value, written once and not read again here. */
export type EncodedResult =
  | Exclude<WireValue, { readonly kind: "json" }>
  | { readonly kind: "raw"; readonly json: string };

/** A result that JSON cannot carry. */
export class InvalidResult extends Error {
  /** The class's name. */
  override readonly name = "InvalidResult";
}

type Key = string | number;

function fault(trail: readonly Key[], what: string): InvalidResult {
  const place = trail.length === 0 ? "the result" : `the result at "/${trail.join("/")}"`;
  return new InvalidResult(
    `Cannot send ${place}: ${what} has no JSON form. Return text, JSON values or content blocks`,
  );
}

// JSON.stringify turns NaN into null and drops functions: a loss that nobody would see. `trail` is where the
// value stands; it is only written out for a fault.
function checkValue(value: unknown, trail: Key[]): void {
  switch (typeof value) {
    case "number":
      if (!Number.isFinite(value)) throw fault(trail, `the number ${value}`);
      return;
    case "bigint":
    case "function":
    case "symbol":
      throw fault(trail, `a ${typeof value}`);
    case "object":
      if (value !== null) checkMembers(value, trail);
      return;
    default:
      return;
  }
}

// JSON writes these as empty objects, or bytes as an object of numbers.
const OPAQUE =
  /^(Map|Set|WeakMap|WeakSet|Promise|Error|RegExp|ArrayBuffer|DataView|.*\d(?:Clamped)?Array)$/;
const objectText = Object.prototype.toString;

function tagOf(value: object): string {
  return objectText.call(value).slice(8, -1);
}

function isOpaque(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype) return false;
  return OPAQUE.test(tagOf(value));
}

function checkMembers(value: object, trail: Key[]): void {
  if (trail.length >= MAX_DEPTH) {
    throw new InvalidResult(
      `Cannot send the result: it is nested over ${MAX_DEPTH} levels deep, or holds itself`,
    );
  }
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return;
  if (isOpaque(value)) throw fault(trail, `an object of type ${tagOf(value)}`);
  const isList = Array.isArray(value);
  // A list by index, because its holes have no keys, and JSON would turn them into null.
  const keys: Iterable<Key> = isList ? value.keys() : Object.keys(value);
  for (const key of keys) {
    const item = (value as Record<Key, unknown>)[key];
    trail.push(key);
    if (isList && item === undefined) throw fault(trail, "undefined in an array");
    checkValue(item, trail);
    trail.pop();
  }
}

function isBlocks(
  value: unknown,
): value is { content: readonly ContentBlock[]; structuredContent?: JsonValue } {
  const content = (value as { content?: unknown } | null)?.content;
  return Array.isArray(content) && content.length > 0 &&
    content.every((block) => BLOCK_TYPES.includes((block as { type?: unknown } | null)?.type));
}

function toWire(value: unknown): EncodedResult {
  if (value === undefined) return { kind: "text", text: "" };
  if (typeof value === "string") {
    return { kind: isToolErrorText(value) ? "error" : "text", text: value };
  }
  checkValue(value, []);
  // As text: toJSON and getters run once, here, and the link carries plain data.
  const json = stringify(value);
  if (json === undefined) throw fault([], `a ${typeof value}`);
  if (json.length > MAX_RESULT_CHARS) throw tooLong(json.length);
  if (!json.startsWith('{"') || !json.includes('"content":[{')) return { kind: "raw", json };
  const plain: unknown = parse(json);
  return isBlocks(plain)
    ? { kind: "blocks", blocks: plain.content, structured: plain.structuredContent }
    : { kind: "raw", json };
}

/**
 * The error for a result that is too long for the link.
 *
 * @param chars How long it is.
 * @returns The error, to be thrown.
 */
export function tooLong(chars: number): InvalidResult {
  return new InvalidResult(
    `Cannot send the result: it is ${chars} characters long, ${MAX_RESULT_CHARS} at most. ` +
      "Write it to a file and return its path",
  );
}

/**
 * Encodes what a handler returned.
 *
 * @param value The handler's return value, awaited.
 * @returns The value for the link.
 * @throws {InvalidResult} If JSON cannot carry it, or it is too long.
 */
export function encodeResult(value: unknown): EncodedResult {
  if (typeof value === "string" && value.length > MAX_RESULT_CHARS) throw tooLong(value.length);
  try {
    return toWire(value);
  } catch (error) {
    if (error instanceof InvalidResult) throw error;
    throw new InvalidResult(`Cannot send the result: ${safeText(error)}`);
  }
}

// A thrown value may be anything: a getter that throws, a Proxy, a text of a gigabyte.
function safeText(error: unknown): string {
  try {
    if (typeof error === "string") return boundMessage(error);
    const message = (error as { message?: unknown } | null)?.message;
    return boundMessage(typeof message === "string" ? message : String(error));
  } catch {
    return "a value that cannot be shown as text";
  }
}

function safeName(error: unknown): string | undefined {
  try {
    const name = (error as { name?: unknown } | null)?.name;
    return typeof name === "string" && name !== "" ? name.slice(0, 100) : undefined;
  } catch {
    return undefined;
  }
}

const DENIED =
  /Requires (read|write|net|env|run|sys|ffi|import) access(?: to (.{1,1000}?))?(?:, run again|$)/;

// Links need read and write of everything; a name that may not be resolved looks like a fault of the system
// (measured on Deno 2.9.6).
const DENIED_LINK = /^Deno\.symlink(?:Sync)?\(\) requires unscoped/;
const DENIED_NAME = /^getaddrinfo EPERM (.{1,1000})$/;

function readDenied(text: string): WireError["denied"] {
  const match = DENIED.exec(text);
  if (match) {
    const what = match[2]?.replace(/^"(.*)"$/, "$1");
    return what === undefined ? { kind: match[1]! } : { kind: match[1]!, what };
  }
  if (DENIED_LINK.test(text)) return { kind: "write" };
  const name = DENIED_NAME.exec(text);
  return name ? { kind: "net", what: name[1]! } : undefined;
}

function findDenied(error: unknown): WireError["denied"] {
  let current = error;
  for (let depth = 0; depth < 8 && current !== undefined && current !== null; depth++) {
    const denied = readDenied(safeText(current));
    if (denied) return denied;
    try {
      current = (current as { cause?: unknown }).cause;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function safeDetails(error: ToolError): JsonValue | undefined {
  try {
    const text = error.details === undefined ? undefined : stringify(error.details);
    return text !== undefined && text.length <= 65_536 ? parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Encodes what a handler threw. Stacks stay in the worker.
 *
 * @param error Any thrown value.
 * @returns The error for the link.
 */
export function encodeError(error: unknown): WireError {
  if (error instanceof InvalidResult) {
    return { code: "invalid_result", message: error.message, retryable: false };
  }
  const message = safeText(error);
  const errorName = safeName(error);
  if (error instanceof ToolError) {
    const details = safeDetails(error);
    return { code: "tool_error", message, errorName, retryable: error.retryable === true, details };
  }
  const denied = findDenied(error);
  if (denied) return { code: "permission_denied", message, errorName, retryable: false, denied };
  return { code: "tool_error", message, errorName, retryable: false };
}

const MAX_STACK_CHARS = 16_384;
const PLACE = /(file:\/\/[^\s()]+?):(\d{1,9}):(\d{1,9})/g;

/**
 * Finds where an error was thrown: the first place of a file that its stack names.
 *
 * @param error Any thrown value.
 * @returns The place; `undefined` where the stack names none. The stack itself stays in the worker.
 */
export function encodePlace(error: unknown): ModulePlace | undefined {
  try {
    const stack: unknown = (error as Error).stack;
    const [, url, line, column] = typeof stack === "string"
      ? [...stack.slice(0, MAX_STACK_CHARS).matchAll(PLACE)].at(0) ?? []
      : [];
    return url === undefined ? undefined : { url, line: Number(line), column: Number(column) };
  } catch {
    return undefined;
  }
}
