/** What the tests of preparing arguments share. */
import assert from "node:assert/strict";
import type { JsonObject, JsonSchema, JsonValue } from "../../../core/json.ts";
import { prepareArguments } from "../../../runtime/arguments.ts";

/** A schema with one parameter, `value`. */
export function one(schema: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { type: "object", properties: { value: schema }, ...more };
}

/** What a handler gets. */
export async function prepared(schema: JsonSchema, args: JsonObject | string): Promise<JsonObject> {
  const result = await prepareArguments({ schema }, args);
  assert.ok(result.ok, JSON.stringify(result));
  assert.deepEqual(result.value, result.args);
  return result.args;
}

/** What a handler gets for the parameter `value`. */
export async function valueOf(schema: JsonSchema, value: JsonValue): Promise<JsonValue> {
  return (await prepared(one(schema), { value })).value!;
}

/** The first thing that is wrong. */
export async function issueOf(schema: JsonSchema, args: JsonObject | string): Promise<string> {
  const result = await prepareArguments({ schema }, args);
  assert.ok(!result.ok, `expected a refusal, got ${JSON.stringify(result)}`);
  return `${result.issues[0]!.path}: ${result.issues[0]!.message}`;
}

/** Asserts that a parameter is refused because it stays what it was. */
export async function refused(schema: JsonSchema, value: JsonValue): Promise<void> {
  assert.match(await issueOf(one(schema), { value }), /^\/value/);
}
