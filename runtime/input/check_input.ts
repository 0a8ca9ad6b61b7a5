/**
 * Checking what a running call asks for, and what comes back. A handler is not trusted with the shape of a question,
 * nor a caller with the shape of an answer.
 * @module
 */
import type {
  ElicitRequest,
  ElicitResult,
  Root,
  SampleMessage,
  SampleRequest,
  SampleResult,
} from "../../core/context.ts";
import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.ts";
import { checkArguments } from "../arguments/check_arguments.ts";

/** Longest question, and longest schema of an answer, in characters. */
const MAX_CHARS = 65_536;
const MAX_MESSAGE_CHARS = 8_192;
const MAX_FIELDS = 64;
const MAX_TOKENS = 1_000_000;
const FIELD_TYPES: readonly unknown[] = ["string", "number", "integer", "boolean", "array"];

type Fields = { readonly [key: string]: unknown };

/** A question or an answer that is none. */
export class InvalidInput extends Error {
  /** The class's name. */
  override readonly name = "InvalidInput";
}

/**
 * Checks a question to the person.
 *
 * @param params The question as the handler wrote it.
 * @returns A new question.
 * @throws {InvalidInput} If it is none.
 */
export function readElicitRequest(params: JsonObject): ElicitRequest {
  const message = textOf(params, "message", MAX_MESSAGE_CHARS);
  const schema = params.requestedSchema;
  if (!isFields(schema) || schema.type !== "object" || !isFields(schema.properties)) {
    throw new InvalidInput('"requestedSchema" must be a schema of type "object" with "properties"');
  }
  const fields = Object.entries(schema.properties);
  if (fields.length > MAX_FIELDS) {
    throw new InvalidInput(`"requestedSchema" has ${fields.length} fields, ${MAX_FIELDS} at most`);
  }
  for (const [name, field] of fields) {
    if (isFields(field) && FIELD_TYPES.includes(field.type)) continue;
    throw new InvalidInput(
      `field "${name}" of "requestedSchema" must be of type string, number, integer, boolean or ` +
        "array: a person answers in plain fields",
    );
  }
  assertShort(schema, "requestedSchema");
  return { message, requestedSchema: schema as JsonSchema };
}

/**
 * Checks a person's answer.
 *
 * @param answer What the surface gave.
 * @param request The question.
 * @returns A new answer.
 * @throws {InvalidInput} If it is none, or is not what the question's schema asks for.
 */
export async function readElicitResult(
  answer: unknown,
  { requestedSchema }: ElicitRequest,
): Promise<ElicitResult> {
  if (!isFields(answer)) throw new InvalidInput("the answer is no object");
  const { action, content } = answer;
  if (action === "decline" || action === "cancel") return { action };
  if (action !== "accept") {
    throw new InvalidInput('"action" of the answer must be accept, decline or cancel');
  }
  if (!isFields(content)) {
    throw new InvalidInput("an accepted answer needs an object as its content");
  }
  const checked = await checkArguments({ schema: requestedSchema }, content as JsonObject);
  if (checked.ok) return { action, content: content as JsonObject };
  const [first] = checked.issues;
  throw new InvalidInput(`the answer does not match: ${first?.path || "it"}: ${first?.message}`);
}

/**
 * Checks a request to the caller's model.
 *
 * @param params The request as the handler wrote it.
 * @returns A new request.
 * @throws {InvalidInput} If it is none.
 */
export function readSampleRequest(params: JsonObject): SampleRequest {
  const { messages, maxTokens, systemPrompt, temperature, stopSequences } = params;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new InvalidInput('"messages" must be a list of messages');
  }
  if (typeof maxTokens !== "number" || !(maxTokens >= 1 && maxTokens <= MAX_TOKENS)) {
    throw new InvalidInput(`"maxTokens" must be a number from 1 to ${MAX_TOKENS}`);
  }
  assertShort(params, "the request");
  return {
    messages: messages.map(readMessage),
    maxTokens: Math.trunc(maxTokens),
    ...(typeof systemPrompt === "string" ? { systemPrompt } : {}),
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(Array.isArray(stopSequences) ? { stopSequences: stopSequences.map(String) } : {}),
  };
}

/**
 * Checks a model's answer.
 *
 * @param answer What the surface gave.
 * @returns A new answer.
 * @throws {InvalidInput} If it is none.
 */
export function readSampleResult(answer: unknown): SampleResult {
  if (!isFields(answer)) throw new InvalidInput("the model's answer is no object");
  const { model, stopReason } = answer;
  return {
    ...readMessage(answer),
    model: typeof model === "string" ? model : "unknown",
    ...(typeof stopReason === "string" ? { stopReason } : {}),
  };
}

/**
 * Checks where a caller says that it works.
 *
 * @param answer What the surface gave.
 * @returns New places.
 * @throws {InvalidInput} If they are none.
 */
export function readRoots(answer: unknown): readonly Root[] {
  if (!Array.isArray(answer)) throw new InvalidInput("the answer is no list of places");
  return answer.slice(0, 1_000).map((root: unknown) => {
    if (!isFields(root) || typeof root.uri !== "string") {
      throw new InvalidInput('a place needs "uri", a text');
    }
    return { uri: root.uri, ...(typeof root.name === "string" ? { name: root.name } : {}) };
  });
}

function readMessage(message: unknown): SampleMessage {
  if (!isFields(message) || (message.role !== "user" && message.role !== "assistant")) {
    throw new InvalidInput('a message needs "role", which is user or assistant');
  }
  const { role, content } = message;
  if (typeof content !== "object" || content === null) {
    throw new InvalidInput('a message needs "content", a content block or a list of them');
  }
  return { role, content: content as JsonValue };
}

function textOf(fields: Fields, name: string, max: number): string {
  const text = fields[name];
  if (typeof text === "string" && text !== "" && text.length <= max) return text;
  throw new InvalidInput(`"${name}" must be a text of 1 to ${max} characters`);
}

function assertShort(value: unknown, name: string): void {
  if (JSON.stringify(value).length <= MAX_CHARS) return;
  throw new InvalidInput(`"${name}" is longer than ${MAX_CHARS} characters as JSON`);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
