/**
 * Answering what a server asks of the person in mid-call.
 * @module
 */
import type { ElicitResult, ToolContext } from "../../core/context.ts";
import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.ts";
import { plainText } from "../../core/plain_text.ts";

const MESSAGE_CHARS = 4_000;
const LABEL_CHARS = 1_000;
const MAX_SCHEMA_CHARS = 65_536;
const LABELS: ReadonlySet<string> = new Set(["title", "description", "enumNames"]);

/**
 * Passes a question on to the person. What is no form, what cannot be asked and what goes wrong is turned down.
 *
 * @param params The question as the server wrote it.
 * @param elicit Asks the person.
 * @returns The answer. Never rejects.
 */
export async function answerElicitation(
  params: unknown,
  elicit: ToolContext["elicit"],
): Promise<ElicitResult> {
  const form = readForm(params);
  if (form === undefined) return { action: "decline" };
  try {
    const { action, content } = await elicit(form);
    if (action !== "accept") return { action };
    return { action, content: withDefaults(form.requestedSchema, content ?? {}) };
  } catch {
    // Nobody could be asked, or the call is over: no choice was made.
    return { action: "cancel" };
  }
}

interface Form {
  readonly message: string;
  readonly requestedSchema: JsonSchema;
}

function readForm(params: unknown): Form | undefined {
  if (!isObject(params) || typeof params.message !== "string") return undefined;
  if (params.mode !== undefined && params.mode !== "form") return undefined;
  const schema = params.requestedSchema;
  if (!isObject(schema) || JSON.stringify(schema).length > MAX_SCHEMA_CHARS) return undefined;
  return {
    message: plainText(params.message, MESSAGE_CHARS),
    requestedSchema: plainLabels(schema, 0) as JsonSchema,
  };
}

// Only what a person reads is made plain: values of `enum` must come back as they are.
function plainLabels(value: unknown, depth: number, isLabel = false): unknown {
  if (typeof value === "string") return isLabel ? plainText(value, LABEL_CHARS) : value;
  if (depth > 32 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => plainLabels(item, depth + 1, isLabel));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      // A field may itself be called `title`; then its value is a schema.
      return [key, plainLabels(item, depth + 1, LABELS.has(key) && !isObject(item))];
    }),
  );
}

function withDefaults({ properties = {} }: JsonSchema, content: JsonObject): JsonObject {
  const missing = Object.entries(properties).flatMap(([name, schema]) =>
    isObject(schema) && schema.default !== undefined && !Object.hasOwn(content, name)
      ? [[name, schema.default as JsonValue] as const]
      : []
  );
  return { ...content, ...Object.fromEntries(missing) };
}

function isObject(value: unknown): value is { readonly [member: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
