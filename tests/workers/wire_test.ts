import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import {
  ANSWER,
  decodeJson,
  decodeTagged,
  encodeCellMessage,
  encodeHostMessage,
  encodeRawResult,
  encodeWorkerMessage,
  EVENT,
  packetOf,
  tagOf,
} from "../../workers/wire.ts";

const SHORT = 16_384;

Deno.test("encodeHostMessage() marks what asks for an answer, and what does not", () => {
  const context = { callId: "c", workspace: "/", data: "/", env: [], config: {} };
  const tags = [
    encodeHostMessage({ type: "load", protocol: 1, url: "file:///a.ts" }),
    encodeHostMessage({ type: "describe" }),
    encodeHostMessage({ type: "call", id: 1, tool: "t", args: {}, context }),
    encodeHostMessage({ type: "check", id: 1, tool: "t", env: [], config: {} }),
    encodeHostMessage({ type: "ping", id: 1 }),
    encodeHostMessage({ type: "cancel", id: 1, reason: "timeout" }),
  ].map(tagOf);
  assert.deepEqual(tags, [ANSWER, ANSWER, ANSWER, ANSWER, ANSWER, EVENT]);
});

Deno.test("encodeWorkerMessage() marks answers, and what stands alone", () => {
  const error = { code: "tool_error", message: "m", retryable: false } as const;
  const tags = [
    encodeWorkerMessage({ type: "ready", tools: [] }),
    encodeWorkerMessage({ type: "load-failed", error }),
    encodeWorkerMessage({ type: "described", declarations: [] }),
    encodeWorkerMessage({
      type: "result",
      id: 1,
      value: { kind: "text", text: "" },
      runMs: 1,
    }),
    encodeWorkerMessage({ type: "failure", id: 1, error, runMs: 1 }),
    encodeWorkerMessage({ type: "checked", id: 1, available: true }),
    encodeWorkerMessage({ type: "pong", id: 1 }),
    encodeWorkerMessage({ type: "progress", id: 1, value: 1 }),
    encodeWorkerMessage({ type: "log", level: "info", message: "m" }),
  ].map(tagOf);
  assert.deepEqual(tags, [
    ANSWER,
    ANSWER,
    ANSWER,
    ANSWER,
    ANSWER,
    ANSWER,
    ANSWER,
    EVENT,
    EVENT,
  ]);
});

Deno.test("encodeHostMessage() writes the bytes that the link is said to carry", () => {
  assert.equal(encodeHostMessage({ type: "ping", id: 3 }), '\u0001{"type":"ping","id":3}');
});

Deno.test("decodeTagged() gives back the message, however long and in whatever script", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), fc.nat(6000), (part, times) => {
    const text = part.repeat(times % 50) + "é😀".repeat(times);
    const bytes = encodeWorkerMessage({
      type: "result",
      id: 1,
      value: { kind: "text", text },
      runMs: 0,
    });
    assert.deepEqual(decodeTagged(bytes), {
      type: "result",
      id: 1,
      value: { kind: "text", text },
      runMs: 0,
    });
  }));
});

Deno.test("encodeWorkerMessage() gives short messages as strings, long ones as bytes that may be handed over", () => {
  const frame = '\u0001{"type":"ready","tools":[""]}'.length;
  const ready = (chars: number) =>
    encodeWorkerMessage({ type: "ready", tools: ["x".repeat(chars - frame)] });
  assert.equal(typeof ready(SHORT), "string");
  const bytes = ready(SHORT + 1);
  assert.ok(bytes instanceof Uint8Array);
  assert.deepEqual([bytes.length, bytes.byteOffset, bytes.buffer.byteLength], [
    SHORT + 1,
    0,
    SHORT + 1,
  ]);
});

Deno.test("encodeRawResult() writes the message that encodeWorkerMessage() writes of the value", () => {
  const value = { a: [1, "é", null], b: true };
  const raw = encodeRawResult(7, 1.5, JSON.stringify(value));
  const whole = { type: "result", id: 7, runMs: 1.5, value: { kind: "json", value } } as const;
  assert.deepEqual(decodeTagged(raw), decodeTagged(encodeWorkerMessage(whole)));
  assert.equal(tagOf(raw), ANSWER);
});

Deno.test("packetOf() copies bytes that hold only until the next frame", () => {
  for (const length of [5, SHORT, SHORT + 1]) {
    const buffer = new TextEncoder().encode("\x02" + "x".repeat(length - 1));
    const packet = packetOf(buffer.subarray(0, length));
    buffer.fill(0);
    const text = typeof packet === "string" ? packet : new TextDecoder().decode(packet);
    assert.equal(text, "\x02" + "x".repeat(length - 1));
    assert.equal(tagOf(packet), EVENT);
  }
});

Deno.test("tagOf() gives a number for whatever a worker forges", () => {
  assert.equal(tagOf("\x01"), ANSWER);
  assert.equal(tagOf(new Uint8Array([2])), EVENT);
  assert.equal(tagOf("x"), 120);
  assert.ok(![ANSWER, EVENT].includes(tagOf("")));
  assert.ok(![ANSWER, EVENT].includes(tagOf(new Uint8Array(0))));
});

Deno.test("decodeJson() and decodeTagged() give undefined for what is not JSON", () => {
  for (const text of ["", "{", "undefined", "{'a':1}", "\u0001"]) {
    const bytes = new TextEncoder().encode(text);
    assert.equal(decodeJson(bytes), undefined, text);
    assert.equal(decodeTagged(new Uint8Array([EVENT, ...bytes])), undefined, text);
  }
  assert.equal(decodeTagged(new Uint8Array(0)), undefined);
  assert.equal(decodeTagged(""), undefined);
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void decodeTagged(bytes)));
});

Deno.test("encodeCellMessage() writes plain JSON", () => {
  const bytes = encodeCellMessage({ type: "drop-worker", worker: 2 });
  assert.equal(new TextDecoder().decode(bytes), '{"type":"drop-worker","worker":2}');
  assert.deepEqual(decodeJson(bytes), { type: "drop-worker", worker: 2 });
});

Deno.test("packetOf() gives long bytes memory of their own, also when they are a Buffer", () => {
  const frame = Buffer.alloc(40_000, 1);
  const packet = packetOf(frame.subarray(0, 20_000)) as Uint8Array<ArrayBuffer>;
  structuredClone(packet, { transfer: [packet.buffer] });
  assert.equal(frame.length, 40_000, "what is handed over takes nothing along");
});
