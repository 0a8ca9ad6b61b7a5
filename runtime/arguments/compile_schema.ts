/**
 * JSON Schema as a check.
 * @module
 */
import type { Schema } from "@cfworker/json-schema";
import type { ArgumentCheck } from "../../core/entry.ts";
import type { JsonObject, JsonSchema } from "../../core/json.ts";
import { issuesOf } from "./schema_issues.ts";

type Draft = "4" | "7" | "2019-09" | "2020-12";

/** Keywords whose work can grow faster than the schema and the value. */
const COSTLY = new Set([
  "pattern",
  "patternProperties",
  "format",
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "uniqueItems",
]);
const MAX_CHEAP_NODES = 2_000;
/** Keywords whose values are no schemas. */
const DATA = new Set(["const", "default", "enum", "examples"]);

/**
 * Whether checking against a schema may take long: it has patterns, references or unique items,
 * or is large.
 *
 * @param schema The schema.
 * @returns True when its checks should be bounded in time.
 */
export function isCostly(schema: JsonSchema): boolean {
  const waiting: unknown[] = [schema];
  for (let looked = 0; waiting.length > 0; looked++) {
    if (looked > MAX_CHEAP_NODES) return true;
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    for (const [key, item] of Object.entries(node)) {
      if (COSTLY.has(key)) return true;
      if (typeof item === "object" && item !== null) waiting.push(item);
    }
  }
  return false;
}

function draftOf(schema: JsonSchema): Draft {
  const uri = String(schema.$schema ?? "");
  if (uri.includes("draft-04")) return "4";
  if (uri.includes("draft-06") || uri.includes("draft-07")) return "7";
  return uri.includes("2019-09") ? "2019-09" : "2020-12";
}

/**
 * Makes a check of a schema. References that leave the schema are never fetched: they end as an issue.
 *
 * @param schema The schema; draft 2020-12 unless its `$schema` says otherwise.
 * @returns The check.
 */
export async function compileSchema(
  schema: JsonSchema,
): Promise<(value: JsonObject) => ArgumentCheck> {
  const { Validator } = await import("@cfworker/json-schema");
  const draft = draftOf(schema);
  // The validator writes into the schema that it gets.
  const make = (stopAtFirst: boolean) =>
    new Validator(allowNull(structuredClone(schema)) as Schema, draft, stopAtFirst);
  let quick: ReturnType<typeof make>;
  let thorough: ReturnType<typeof make> | undefined;
  try {
    quick = make(true);
  } catch (error) {
    return () => faulty(error);
  }
  return (value) => {
    try {
      if (quick.validate(value).valid) return { ok: true, value };
      thorough ??= make(false);
      return { ok: false, issues: issuesOf(schema, value, thorough.validate(value).errors) };
    } catch (error) {
      return faulty(error);
    }
  };
}

/** OpenAPI's `nullable` is no keyword of JSON Schema, and means what it says all the same. */
function allowNull(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  const node = schema as Record<string, unknown>;
  for (const [key, item] of Object.entries(node)) if (!DATA.has(key)) allowNull(item);
  const types = typeof node.type === "string" ? [node.type] : node.type;
  if (node.nullable !== true || !Array.isArray(types)) return node;
  node.type = [...new Set([...types, "null"])];
  if (Array.isArray(node.enum)) node.enum = [...new Set([...node.enum, null])];
  return node;
}

function faulty(error: unknown): ArgumentCheck {
  const reason = error instanceof Error ? error.message.split("\n", 1)[0]! : "no reason given";
  const message = error instanceof RangeError
    ? "the arguments or the tool's schema are nested too deeply to be checked"
    : `the tool's schema cannot be used: ${reason.slice(0, 300)}`;
  return { ok: false, issues: [{ path: "", message }] };
}
