/**
 * Guards: what comes from a worker or a cell is `unknown` until one of these has made a new object of it.
 * @module
 */
import type { ContentBlock } from "../core/content.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import type { InputMethod } from "../core/input.ts";
import type { CellEvent } from "./cell_protocol.ts";
import type {
  LogLevel,
  ModulePlace,
  WireError,
  WireErrorCode,
  WireValue,
  WorkerMessage,
} from "./protocol.ts";

type Fields = { readonly [key: string]: unknown };

const LEVELS: readonly string[] = ["debug", "info", "warning", "error"];
const CODES: readonly string[] = [
  "tool_error",
  "permission_denied",
  "invalid_arguments",
  "invalid_result",
];
const INPUT_METHODS: readonly string[] = [
  "elicitation/create",
  "sampling/createMessage",
  "roots/list",
];
const KEY = /^[A-Za-z0-9_.-]{1,64}$/;
const MAX_REASON_CHARS = 16_384;
const MAX_CHUNK_CHARS = 65_536;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function shortText(value: unknown): string | undefined {
  return typeof value === "string" ? value.slice(0, MAX_REASON_CHARS) : undefined;
}

function parseDenied(value: unknown): WireError["denied"] {
  if (!isFields(value)) return undefined;
  const kind = shortText(value.kind);
  if (kind === undefined) return undefined;
  const what = shortText(value.what);
  return what === undefined ? { kind } : { kind, what };
}

function parsePlace(value: unknown): ModulePlace | undefined {
  if (!isFields(value)) return undefined;
  const { url, line, column } = value;
  if (typeof url !== "string" || !isId(line) || !isId(column) || line * column === 0) {
    return undefined;
  }
  return { url, line, column };
}

function parseError(value: unknown): WireError | undefined {
  if (!isFields(value)) return undefined;
  const message = shortText(value.message);
  if (message === undefined || !CODES.includes(value.code as string)) return undefined;
  return {
    code: value.code as WireErrorCode,
    message,
    errorName: shortText(value.errorName),
    retryable: value.retryable === true,
    details: value.details as JsonValue | undefined,
    denied: parseDenied(value.denied),
  };
}

function parseValue(value: unknown): WireValue | undefined {
  if (!isFields(value)) return undefined;
  switch (value.kind) {
    case "text":
    case "error":
      return typeof value.text === "string" ? { kind: value.kind, text: value.text } : undefined;
    case "json":
      return "value" in value ? { kind: "json", value: value.value as JsonValue } : undefined;
    case "stream":
      return isId(value.chars) ? { kind: "stream", chars: value.chars } : undefined;
    case "blocks":
      return Array.isArray(value.blocks)
        ? {
          kind: "blocks",
          // Their shapes are checked where results are normalised.
          blocks: value.blocks as ContentBlock[],
          structured: value.structured as JsonValue | undefined,
        }
        : undefined;
    default:
      return undefined;
  }
}

function parseAnswer(value: Fields): WorkerMessage | undefined {
  if (!isId(value.id)) return undefined;
  const id = value.id;
  const runMs = isNumber(value.runMs) && value.runMs >= 0 ? value.runMs : 0;
  switch (value.type) {
    case "result": {
      const parsed = parseValue(value.value);
      return parsed && { type: "result", id, value: parsed, runMs };
    }
    case "chunk":
      return isId(value.index) && typeof value.text === "string" &&
          value.text.length <= MAX_CHUNK_CHARS
        ? { type: "chunk", id, index: value.index, text: value.text }
        : undefined;
    case "failure": {
      const error = parseError(value.error);
      return error && { type: "failure", id, error, runMs };
    }
    case "checked":
      return typeof value.available === "boolean"
        ? { type: "checked", id, available: value.available, reason: shortText(value.reason) }
        : undefined;
    case "overridden":
      return "overrides" in value
        ? { type: "overridden", id, overrides: value.overrides as JsonValue }
        : undefined;
    case "pong":
      return { type: "pong", id };
    default:
      return undefined;
  }
}

function parseProgress(value: Fields): WorkerMessage | undefined {
  if (!isId(value.id) || !isNumber(value.value)) return undefined;
  return {
    type: "progress",
    id: value.id,
    value: value.value,
    total: isNumber(value.total) ? value.total : undefined,
    message: shortText(value.message),
  };
}

function parseAsk(value: Fields): WorkerMessage | undefined {
  const { id, ask, method, key, params } = value;
  if (!isId(id) || !isId(ask) || !INPUT_METHODS.includes(method as string)) return undefined;
  if (!isFields(params) || (key !== undefined && !(typeof key === "string" && KEY.test(key)))) {
    return undefined;
  }
  return {
    type: "ask",
    id,
    ask,
    method: method as InputMethod,
    ...(key === undefined ? {} : { key: key as string }),
    params: params as JsonObject,
  };
}

function parseLog(value: Fields): WorkerMessage | undefined {
  const message = shortText(value.message);
  if (message === undefined || !LEVELS.includes(value.level as string)) return undefined;
  return {
    type: "log",
    id: isId(value.id) ? value.id : undefined,
    level: value.level as LogLevel,
    message,
    data: isFields(value.data) ? value.data as JsonObject : undefined,
  };
}

/**
 * Makes a message of what a worker sent.
 *
 * @param value What `JSON.parse` gave.
 * @returns A new object, or `undefined` when it is no message.
 */
export function parseWorkerMessage(value: unknown): WorkerMessage | undefined {
  if (!isFields(value)) return undefined;
  switch (value.type) {
    case "ready":
      return Array.isArray(value.tools) && value.tools.every((name) => typeof name === "string")
        ? { type: "ready", tools: [...value.tools] }
        : undefined;
    case "load-failed": {
      const error = parseError(value.error);
      const at = parsePlace(value.at);
      return error && { type: "load-failed", error, ...(at && { at }) };
    }
    case "described":
      return Array.isArray(value.declarations)
        ? { type: "described", declarations: value.declarations as JsonValue[] }
        : undefined;
    case "ask":
      return parseAsk(value);
    case "progress":
      return parseProgress(value);
    case "log":
      return parseLog(value);
    default:
      return parseAnswer(value);
  }
}

/**
 * Makes an event of what a cell's main isolate sent.
 *
 * @param value What `JSON.parse` gave.
 * @returns A new object, or `undefined` when it is no event.
 */
export function parseCellEvent(value: unknown): CellEvent | undefined {
  if (!isFields(value)) return undefined;
  switch (value.type) {
    case "hello":
      return isId(value.protocol) && typeof value.deno === "string"
        ? { type: "hello", protocol: value.protocol, deno: value.deno.slice(0, 64) }
        : undefined;
    case "memory":
      return isNumber(value.rss) ? { type: "memory", rss: value.rss } : undefined;
    case "disk":
      return isNumber(value.written) ? { type: "disk", written: value.written } : undefined;
    case "restless":
      return { type: "restless" };
    case "worker-ended":
      return isId(value.worker) && ["exited", "crashed", "refused"].includes(value.how as string)
        ? {
          type: "worker-ended",
          worker: value.worker,
          how: value.how as "exited" | "crashed" | "refused",
          message: shortText(value.message) ?? "",
          gone: value.gone === true,
        }
        : undefined;
    case "worker-dropped":
      return isId(value.worker) && typeof value.gone === "boolean"
        ? { type: "worker-dropped", worker: value.worker, gone: value.gone }
        : undefined;
    case "messages-dropped":
      return isId(value.worker) && isId(value.count)
        ? { type: "messages-dropped", worker: value.worker, count: value.count }
        : undefined;
    default:
      return undefined;
  }
}
