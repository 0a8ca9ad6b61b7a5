/**
 * The shapes that the OpenAPI document shares between its operations.
 * @module
 */
import { ERROR_CODES } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";

const TEXT = { type: "string" } as const;
const COUNT = { type: "number", minimum: 0 } as const;

const ERROR: JsonObject = {
  type: "object",
  required: ["code", "message", "retryable"],
  properties: {
    code: { enum: [...ERROR_CODES] },
    message: TEXT,
    retryable: { type: "boolean" },
    details: {},
  },
};

/** A call's result. */
export const TOOL_RESULT_SCHEMA: JsonObject = Object.freeze({
  type: "object",
  required: ["ok", "name", "callId", "generation", "content", "end", "timing", "isolation"],
  properties: {
    ok: { type: "boolean" },
    name: TEXT,
    callId: TEXT,
    generation: COUNT,
    content: { type: "string", description: "What goes back to the model, for errors too." },
    blocks: { type: "array", items: { type: "object", required: ["type"] } },
    structured: {},
    error: ERROR,
    end: { enum: ["completed", "never_started", "stopped", "finished_late", "unsettled"] },
    spilled: {
      type: "object",
      required: ["chars", "path", "previewChars"],
      properties: { chars: COUNT, path: TEXT, previewChars: COUNT },
    },
    timing: {
      type: "object",
      required: ["queuedMs", "runMs"],
      properties: { queuedMs: COUNT, runMs: COUNT },
    },
    isolation: { enum: ["worker", "process", "inline"] },
  },
});

/** A refusal, as RFC 9457 writes it. */
export const PROBLEM_SCHEMA: JsonObject = Object.freeze({
  type: "object",
  required: ["type", "title", "status", "detail", "code"],
  properties: {
    type: { type: "string", format: "uri-reference" },
    title: TEXT,
    status: { type: "integer" },
    detail: TEXT,
    code: TEXT,
  },
});
