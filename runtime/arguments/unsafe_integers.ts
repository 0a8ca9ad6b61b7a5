/**
 * Whole numbers beyond what JavaScript counts one by one.
 * @module
 */
import type { ArgumentIssue } from "../../core/entry.ts";
import type { JsonSchema } from "../../core/json.ts";
import { lostNumberMessage } from "./read_json.ts";
import { formsOf, isSchema } from "./schema_forms.ts";

/**
 * Finds a number beyond 2^53 where the schema wants a whole number. Whoever passed it as an object had it
 * from a text, and it may already be another one than was meant.
 *
 * @param schema The schema of the parameters.
 * @param args The arguments.
 * @returns What is wrong; `undefined` when there is no such number.
 */
export function findUnsafe(schema: JsonSchema, args: unknown): ArgumentIssue | undefined {
  return look(args, schema, schema, "");
}

function look(
  value: unknown,
  schema: unknown,
  root: JsonSchema,
  path: string,
): ArgumentIssue | undefined {
  if (!isSchema(schema)) return undefined;
  const forms = formsOf(schema, root);
  if (typeof value === "number") {
    const wantsWhole = forms.some(({ type }) => type === "integer") &&
      !forms.some(({ type }) => type === "number");
    return wantsWhole && Math.abs(value) > Number.MAX_SAFE_INTEGER
      ? { path, message: lostNumberMessage(String(value)) }
      : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const place = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    for (const { schema: { items, properties, additionalProperties } } of forms) {
      const part = Array.isArray(value)
        ? items
        : properties && Object.hasOwn(properties, key)
        ? properties[key]
        : additionalProperties;
      const issue = look(item, part, root, place);
      if (issue) return issue;
    }
  }
  return undefined;
}
