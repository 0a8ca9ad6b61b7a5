/**
 * Reading a JSON text without losing anything of it.
 * @module
 */
import type { ArgumentIssue } from "../../core/entry.ts";
import { countKeys, countWrittenKeys } from "./count_keys.ts";
import { isLostNumber } from "./decimal.ts";

/** What reading gave. */
export type ReadJson =
  | { readonly ok: true; readonly value: unknown }
  | {
    readonly ok: false;
    readonly issue: ArgumentIssue;
    /** Whether the text is no JSON at all, so that a repair may help. */
    readonly syntax: boolean;
  };

const MAYBE_LOST = /\d{16}|[eE][+-]?\d{2}/;

/** A number that lost something on its way, in place of its value. */
class LostNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Reads a JSON text. What JavaScript would silently change is refused: a number that it cannot hold, and a
 * field that is written twice, of which only the second would count.
 *
 * @param text The text.
 * @returns The value, or what is wrong.
 */
export function readJson(text: string): ReadJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "it cannot be read";
    const message = `expected the text of a JSON object: ${reason}`;
    return { ok: false, issue: { path: "", message }, syntax: true };
  }
  const issue = (MAYBE_LOST.test(text) ? findLost(text) : undefined) ?? findRepeated(text, value);
  return issue === undefined ? { ok: true, value } : { ok: false, issue, syntax: false };
}

function findRepeated(text: string, value: unknown): ArgumentIssue | undefined {
  const repeated = countWrittenKeys(text) - countKeys(value);
  if (repeated <= 0) return undefined;
  const what = repeated === 1 ? "one field is" : `${repeated} fields are`;
  return { path: "", message: `${what} written twice in the same object; expected each one once` };
}

type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context: { source?: string },
) => unknown;

function findLost(text: string): ArgumentIssue | undefined {
  const revive: Reviver = (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && isLostNumber(value, source)
      ? new LostNumber(source)
      : value;
  const marked: unknown = JSON.parse(text, revive as (key: string, value: unknown) => unknown);
  return locate(marked, "");
}

function locate(value: unknown, path: string): ArgumentIssue | undefined {
  if (value instanceof LostNumber) return { path, message: lostNumberMessage(value.source) };
  // Too deep a nesting is told by the caller.
  if (typeof value !== "object" || value === null || path.length > 10_000) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const issue = locate(item, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    if (issue !== undefined) return issue;
  }
  return undefined;
}

/**
 * What to say of a number that cannot be held.
 *
 * @param source How it was written.
 * @returns The message.
 */
export function lostNumberMessage(source: string): string {
  return `the number ${source.slice(0, 60)} cannot be held exactly; ` +
    "expected one between -9007199254740991 and 9007199254740991, or pass it as a text";
}
