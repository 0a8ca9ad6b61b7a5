/**
 * Checking a result against the tool's own `outputSchema`.
 * @module
 */
import type { ArgumentCheck, ToolEntry } from "../../core/entry.ts";
import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.ts";
import { checkArguments } from "../arguments/check_arguments.ts";
import type { InvalidResult, NormalisedResult } from "../results.ts";

const MAX_NAMED = 5;
// What was compiled for a schema is found again by this object.
const subjects = new WeakMap<ToolEntry, { readonly schema: JsonSchema }>();

/**
 * Checks a result where its tool says what it looks like. A text that is JSON counts as that value: `toolResult` of a
 * value and the value itself are the same.
 *
 * @param entry The tool.
 * @param result What its handler gave back.
 * @returns The result, with its JSON value; or why it must not be passed on. Errors are passed on as they are.
 */
export function checkOutput(
  entry: ToolEntry,
  result: NormalisedResult,
): NormalisedResult | InvalidResult | Promise<NormalisedResult | InvalidResult> {
  const { outputSchema } = entry;
  if (outputSchema === undefined || result.error !== undefined) return result;
  const structured = result.structured ?? valueOf(result.content);
  if (structured === undefined) {
    return { ok: false, reason: `${promised(entry)}, but it returned a text that is no JSON` };
  }
  const whole = result.structured === undefined ? { ...result, structured } : result;
  const checked = check(entry, outputSchema, structured);
  return checked instanceof Promise
    ? checked.then((settled) => judge(entry, whole, settled))
    : judge(entry, whole, checked);
}

function check(
  entry: ToolEntry,
  schema: JsonSchema,
  value: JsonValue,
): ArgumentCheck | Promise<ArgumentCheck> {
  const subject = subjects.get(entry) ?? { schema };
  subjects.set(entry, subject);
  return checkArguments(subject, value as JsonObject);
}

function judge(
  entry: ToolEntry,
  result: NormalisedResult,
  checked: ArgumentCheck,
): NormalisedResult | InvalidResult {
  if (checked.ok) return result;
  const named = checked.issues.slice(0, MAX_NAMED)
    .map(({ path, message }) => `${path || "the result"}: ${message}`);
  const more = checked.issues.length - named.length;
  const rest = more > 0 ? `, and ${more} more` : "";
  const reason = `${promised(entry)}, but it returned another: ${named.join("; ")}${rest}`;
  return { ok: false, reason };
}

function promised({ name }: ToolEntry): string {
  return `Tool "${name}" promises a result that matches its outputSchema`;
}

function valueOf(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
