/**
 * Reading a call's arguments.
 * @module
 */
import type { ArgumentIssue } from "../../core/entry.ts";
import type { JsonObject } from "../../core/json.ts";

/** What reading gave. */
export type ParsedArguments =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly issues: readonly ArgumentIssue[] };

const MAX_DEPTH = 200;
const UNSAFE = /\d{16}|[eE]\+?\d{2}/;

/** A number that lost something on its way, in place of its value. */
class LostNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Reads arguments given as an object or as JSON text. A number in a text that JavaScript cannot hold
 * exactly is refused: the tool would act on another one.
 *
 * @param args The arguments.
 * @returns The object, or what is wrong with them.
 */
export function parseArguments(args: JsonObject | string): ParsedArguments {
  const parsed = typeof args === "string" ? parseText(args) : { value: args as unknown };
  if ("issue" in parsed) return { ok: false, issues: [parsed.issue] };
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return fail("", `expected a JSON object, got ${kindOf(value)}`);
  }
  if (isTooDeep(value, 0)) return fail("", `nested deeper than ${MAX_DEPTH} levels`);
  return { ok: true, value: value as JsonObject };
}

function fail(path: string, message: string): ParsedArguments {
  return { ok: false, issues: [{ path, message }] };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

function parseText(text: string): { value: unknown } | { issue: ArgumentIssue } {
  try {
    const value: unknown = JSON.parse(text);
    const lost = UNSAFE.test(text) ? findLost(text) : undefined;
    return lost === undefined ? { value } : { issue: lost };
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "it cannot be read";
    return { issue: { path: "", message: `expected the text of a JSON object: ${reason}` } };
  }
}

type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context: { source?: string },
) => unknown;

function findLost(text: string): ArgumentIssue | undefined {
  const revive: Reviver = (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && isLost(value, source)
      ? new LostNumber(source)
      : value;
  const marked: unknown = JSON.parse(text, revive as (key: string, value: unknown) => unknown);
  return locate(marked, "");
}

function isLost(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return true;
  return /^-?\d+$/.test(source) && !Number.isSafeInteger(value) && BigInt(source) !== BigInt(value);
}

function locate(value: unknown, path: string): ArgumentIssue | undefined {
  if (value instanceof LostNumber) {
    const message = `the number ${value.source.slice(0, 60)} cannot be held exactly; ` +
      "expected one between -9007199254740991 and 9007199254740991, or pass it as a text";
    return { path, message };
  }
  // Too deep a nesting is told by the caller.
  if (typeof value !== "object" || value === null || path.length > 10_000) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const issue = locate(item, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    if (issue !== undefined) return issue;
  }
  return undefined;
}

function isTooDeep(value: object, depth: number): boolean {
  if (depth > MAX_DEPTH) return true;
  for (const key in value) {
    const item = (value as { readonly [key: string]: unknown })[key];
    if (typeof item === "object" && item !== null && isTooDeep(item, depth + 1)) return true;
  }
  return false;
}
