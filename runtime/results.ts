/**
 * From what a handler gave back to what a call's result holds.
 * @module
 */
import type { ContentBlock } from "../core/content.ts";
import type { JsonValue } from "../core/json.ts";
import type { WireValue } from "../workers/protocol.ts";
import { redactJson } from "./redact.ts";
import { readBlocks, textOfBlocks } from "./result_blocks.ts";
import { cleanJson, InvalidValue } from "./result_json.ts";

/** A result that holds only what it may. */
export interface NormalisedResult {
  /** The tag of the union. */
  readonly ok: true;
  /** What goes to the model. */
  readonly content: string;
  /** The parts, when there are some. */
  readonly blocks?: readonly ContentBlock[];
  /** The JSON value, when there is one. */
  readonly structured?: JsonValue;
  /** The message of an error that the handler returned. */
  readonly error?: string;
}

/** Why a result cannot be used. */
export interface InvalidResult {
  /** The tag of the union. */
  readonly ok: false;
  /** What is wrong with it. */
  readonly reason: string;
}

/**
 * Checks and brings into one form what a handler gave back. Nothing about it is believed: a value that is
 * not what its kind says is an invalid result, and nothing throws.
 *
 * @param value What came back.
 * @returns The result, or the reason why it is none.
 */
export function normaliseResult(value: WireValue): NormalisedResult | InvalidResult {
  try {
    return readWire(value as unknown);
  } catch (error) {
    if (error instanceof InvalidValue) return { ok: false, reason: error.message };
    return { ok: false, reason: "the value cannot be read" };
  }
}

function readWire(value: unknown): NormalisedResult {
  if (typeof value !== "object" || value === null) {
    throw new InvalidValue("expected a result object");
  }
  const wire = value as { readonly [key: string]: unknown };
  switch (wire.kind) {
    case "text":
      return { ok: true, content: readText(wire.text) };
    case "error":
      return readError(redactJson(readText(wire.text)));
    case "json":
      return readJson(wire.value);
    case "blocks":
      return readParts(wire);
    default:
      throw new InvalidValue(`expected kind text, error, json or blocks, got ${typeof wire.kind}`);
  }
}

function readText(text: unknown): string {
  if (typeof text !== "string") throw new InvalidValue(`expected a text, got ${typeof text}`);
  return text.toWellFormed();
}

function readError(content: string): NormalisedResult {
  return { ok: true, content, error: messageOf(content) };
}

function messageOf(content: string): string {
  try {
    const parsed = JSON.parse(content) as { readonly error?: unknown } | null;
    if (typeof parsed?.error === "string") return parsed.error.toWellFormed();
  } catch {
    // Not JSON: the whole text is the message.
  }
  return content;
}

function readJson(value: unknown): NormalisedResult {
  const structured = cleanJson(value);
  const content = typeof structured === "string" ? structured : JSON.stringify(structured);
  return { ok: true, content, structured };
}

function readParts(wire: { readonly [key: string]: unknown }): NormalisedResult {
  const blocks = readBlocks(wire.blocks);
  const structured = wire.structured === undefined ? undefined : cleanJson(wire.structured);
  const text = textOfBlocks(blocks);
  const content = text === "" && structured !== undefined ? JSON.stringify(structured) : text;
  return structured === undefined
    ? { ok: true, content, blocks }
    : { ok: true, content, blocks, structured };
}
