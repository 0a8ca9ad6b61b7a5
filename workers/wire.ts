/**
 * Messages as bytes: JSON, and in front of what goes to or comes from a worker one byte that tells
 * questions and answers from the rest, so that a cell can count them without reading them.
 * @module
 */
import type { CellCommand, CellEvent, HostMessage, WorkerMessage } from "./protocol.ts";

/** First byte of what asks for an answer, and of an answer. */
export const ANSWER = 1;
/** First byte of what stands alone: a cancel, progress, a log record. */
export const EVENT = 2;

// Taken before tool code runs, so that a changed global cannot reach the link.
const stringify = JSON.stringify;
const parse = JSON.parse;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const encode = encoder.encode.bind(encoder);
const encodeInto = encoder.encodeInto.bind(encoder);
const decode = decoder.decode.bind(decoder);
const SMALL_CHARS = 4096;

/**
 * Writes a message between the front and a cell's main isolate.
 *
 * @param message The message.
 * @returns Its bytes.
 */
export function encodeCellMessage(message: CellCommand | CellEvent): Uint8Array {
  return encode(stringify(message));
}

/**
 * Writes a message to a worker, with its first byte.
 *
 * @param message The message.
 * @returns Its bytes.
 */
export function encodeHostMessage(message: HostMessage): Uint8Array {
  return encodeTagged(message.type === "cancel" ? EVENT : ANSWER, message);
}

/**
 * Writes a message of a worker, with its first byte.
 *
 * @param message The message.
 * @returns Its bytes.
 */
export function encodeWorkerMessage(message: WorkerMessage): Uint8Array {
  const stands = message.type === "progress" || message.type === "log";
  return encodeTagged(stands ? EVENT : ANSWER, message);
}

function encodeTagged(tag: number, message: HostMessage | WorkerMessage): Uint8Array {
  const text = stringify(message);
  if (text.length <= SMALL_CHARS) {
    const bytes = new Uint8Array(1 + text.length * 3);
    bytes[0] = tag;
    return bytes.slice(0, 1 + encodeInto(text, bytes.subarray(1)).written);
  }
  const body = encode(text);
  const bytes = new Uint8Array(1 + body.length);
  bytes[0] = tag;
  bytes.set(body, 1);
  return bytes;
}

/**
 * Reads a message to or from a worker, past its first byte. What comes out is unchecked.
 *
 * @param bytes The bytes.
 * @returns The value, or `undefined` when it is not JSON.
 */
export function decodeTagged(bytes: Uint8Array): unknown {
  return decodeJson(bytes.subarray(1));
}

/**
 * Reads bytes that hold JSON. What comes out is unchecked.
 *
 * @param bytes The bytes.
 * @returns The value, or `undefined` when it is not JSON.
 */
export function decodeJson(bytes: Uint8Array): unknown {
  try {
    return parse(decode(bytes));
  } catch {
    return undefined;
  }
}
