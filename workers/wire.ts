/**
 * Messages on their way: JSON, and in front of what goes to or comes from a worker one character that tells
 * questions and answers from the rest, so that a cell can count them without reading them.
 *
 * Short messages are strings, which `postMessage` moves two to four times faster than small buffers (measured
 * on Deno 2.9.6); long ones are bytes whose buffer is handed over instead of copied.
 * @module
 */
import type { CellCommand, CellEvent } from "./cell_protocol.ts";
import type { HostMessage, WorkerMessage } from "./protocol.ts";

/** A message to or from a worker. */
export type Packet = string | Uint8Array;

/** First character, or byte, of what asks for an answer, and of an answer. */
export const ANSWER = 1;
/** First character, or byte, of what stands alone: a cancel, progress, a log record, a question of a call. */
export const EVENT = 2;

// Taken before tool code runs, so that a changed global cannot reach the link.
const stringify = JSON.stringify;
const parse = JSON.parse;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const encode = encoder.encode.bind(encoder);
const decode = decoder.decode.bind(decoder);
/** Longest message, in UTF-16 code units or bytes, that travels as a string. */
const SHORT = 16_384;
const HOST_EVENTS: ReadonlySet<HostMessage["type"]> = new Set(["cancel", "reply"] as const);
const WORKER_EVENTS: ReadonlySet<WorkerMessage["type"]> = new Set(
  ["progress", "log", "ask"] as const,
);

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
 * Writes a message to a worker.
 *
 * @param message The message.
 * @returns The packet.
 */
export function encodeHostMessage(message: HostMessage): Packet {
  return encodeTagged(HOST_EVENTS.has(message.type) ? EVENT : ANSWER, message);
}

/**
 * Writes a message of a worker.
 *
 * @param message The message.
 * @returns The packet.
 */
export function encodeWorkerMessage(message: WorkerMessage): Packet {
  return encodeTagged(WORKER_EVENTS.has(message.type) ? EVENT : ANSWER, message);
}

/**
 * Writes a result whose value is JSON text already.
 *
 * @param id The call's number.
 * @param runMs Milliseconds that the handler ran.
 * @param json The value's text.
 * @returns The packet.
 */
export function encodeRawResult(id: number, runMs: number, json: string): Packet {
  return toPacket(
    `\x01{"type":"result","id":${id},"runMs":${runMs},"value":{"kind":"json","value":${json}}}`,
  );
}

function encodeTagged(tag: number, message: HostMessage | WorkerMessage): Packet {
  return toPacket((tag === ANSWER ? "\x01" : "\x02") + stringify(message));
}

function toPacket(text: string): Packet {
  return text.length <= SHORT ? text : encode(text);
}

/**
 * The first character of a packet as a number: {@linkcode ANSWER} or {@linkcode EVENT}, or anything when it
 * was forged.
 *
 * @param packet The packet.
 * @returns The number.
 */
export function tagOf(packet: Packet): number {
  return (typeof packet === "string" ? packet.charCodeAt(0) : packet[0]) ?? 0;
}

/**
 * Makes a packet of bytes that came over a channel.
 *
 * @param bytes A view that holds only until the next frame.
 * @returns The packet: a string, or bytes with a buffer of their own.
 */
export function packetOf(bytes: Uint8Array): Packet {
  // Not slice(): on a Buffer, which deciphers give, it makes a view, and handing that over takes its neighbours along.
  return bytes.length <= SHORT ? decode(bytes) : new Uint8Array(bytes);
}

/**
 * Reads a message to or from a worker, past its first character. What comes out is unchecked.
 *
 * @param packet The packet.
 * @returns The value, or `undefined` when it is not JSON.
 */
export function decodeTagged(packet: Packet): unknown {
  try {
    return parse(typeof packet === "string" ? packet.slice(1) : decode(packet.subarray(1)));
  } catch {
    return undefined;
  }
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
