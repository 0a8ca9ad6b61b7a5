import assert from "node:assert/strict";
import fc from "fast-check";
import { parseCellEvent, parseWorkerMessage } from "../../workers/guards.ts";

const WORKER_TYPES = [
  "ready",
  "load-failed",
  "described",
  "result",
  "failure",
  "checked",
  "pong",
  "progress",
  "log",
];
const CELL_TYPES = [
  "hello",
  "memory",
  "disk",
  "worker-ended",
  "worker-dropped",
  "messages-dropped",
];

// Every field that some message has, with any value in it.
const FIELDS = [
  "id",
  "tools",
  "error",
  "declarations",
  "value",
  "runMs",
  "available",
  "reason",
  "total",
  "message",
  "level",
  "data",
  "protocol",
  "deno",
  "rss",
  "worker",
  "how",
  "gone",
  "count",
];

function looksLike(types: readonly string[]): fc.Arbitrary<unknown> {
  return fc.tuple(
    fc.constantFrom(...types),
    fc.dictionary(fc.constantFrom(...FIELDS), fc.oneof(fc.jsonValue(), fc.nat())),
  ).map(([type, fields]) => ({ ...fields, type }));
}

Deno.test("parseWorkerMessage() and parseCellEvent() never throw, whatever comes", () => {
  fc.assert(fc.property(fc.oneof(fc.anything(), fc.jsonValue()), (value) => {
    parseWorkerMessage(value);
    parseCellEvent(value);
  }));
});

Deno.test("parseWorkerMessage() gives a new object of the same type, or nothing", () => {
  fc.assert(
    fc.property(looksLike(WORKER_TYPES), (value) => {
      const message = parseWorkerMessage(value);
      if (message === undefined) return;
      assert.notEqual(message, value);
      assert.equal(message.type, (value as { type: string }).type);
    }),
    { numRuns: 500 },
  );
});

Deno.test("parseCellEvent() gives a new object of the same type, or nothing", () => {
  fc.assert(
    fc.property(looksLike(CELL_TYPES), (value) => {
      const event = parseCellEvent(value);
      if (event === undefined) return;
      assert.notEqual(event, value);
      assert.equal(event.type, (value as { type: string }).type);
    }),
    { numRuns: 500 },
  );
});

Deno.test("parseWorkerMessage() and parseCellEvent() know no other type than their own", () => {
  const other = fc.oneof(fc.string(), fc.constantFrom("constructor", "__proto__", "call", "load"));
  fc.assert(fc.property(other, fc.nat(), (type, id) => {
    const value = { type, id, worker: id, value: { kind: "text", text: "x" }, rss: 1 };
    if (!WORKER_TYPES.includes(type)) assert.equal(parseWorkerMessage(value), undefined);
    if (!CELL_TYPES.includes(type)) assert.equal(parseCellEvent(value), undefined);
  }));
  for (const type of CELL_TYPES) assert.equal(parseWorkerMessage({ type, worker: 1 }), undefined);
  for (const type of WORKER_TYPES) assert.equal(parseCellEvent({ type, id: 1 }), undefined);
});

Deno.test("parseWorkerMessage() keeps what each message may hold and drops the rest", () => {
  const error = {
    code: "tool_error",
    message: "No",
    errorName: "TypeError",
    retryable: true,
    details: [1],
    denied: { kind: "read", what: "/etc", more: 1 },
    stack: "at line 1",
  };
  const kept = {
    code: "tool_error",
    message: "No",
    errorName: "TypeError",
    retryable: true,
    details: [1],
    denied: { kind: "read", what: "/etc" },
  };
  const cases: [given: unknown, message: unknown][] = [
    [{ type: "ready", tools: ["a"], extra: 1 }, { type: "ready", tools: ["a"] }],
    [{ type: "load-failed", error }, { type: "load-failed", error: kept }],
    [
      { type: "load-failed", error, at: { url: "file:///a.ts", line: 3, column: 7, more: 1 } },
      { type: "load-failed", error: kept, at: { url: "file:///a.ts", line: 3, column: 7 } },
    ],
    [
      { type: "load-failed", error, at: { url: "file:///a.ts", line: 0, column: 7 } },
      { type: "load-failed", error: kept },
    ],
    [
      { type: "load-failed", error, at: { url: 1, line: 3, column: 7 } },
      { type: "load-failed", error: kept },
    ],
    [
      { type: "result", id: 7, value: { kind: "text", text: "hi", extra: 1 }, runMs: 2.5 },
      { type: "result", id: 7, value: { kind: "text", text: "hi" }, runMs: 2.5 },
    ],
    [
      { type: "result", id: 0, value: { kind: "json", value: null }, runMs: -1 },
      { type: "result", id: 0, value: { kind: "json", value: null }, runMs: 0 },
    ],
    [{ type: "failure", id: 3, error, runMs: 1 }, {
      type: "failure",
      id: 3,
      error: kept,
      runMs: 1,
    }],
    [
      { type: "checked", id: 1, available: false, reason: "why", extra: 1 },
      { type: "checked", id: 1, available: false, reason: "why" },
    ],
    [
      { type: "chunk", id: 1, index: 0, text: "x".repeat(65_536), extra: 1 },
      { type: "chunk", id: 1, index: 0, text: "x".repeat(65_536) },
    ],
    [
      { type: "result", id: 1, value: { kind: "stream", chars: 5, extra: 1 }, runMs: 1 },
      { type: "result", id: 1, value: { kind: "stream", chars: 5 }, runMs: 1 },
    ],
    [{ type: "pong", id: 9, extra: 1 }, { type: "pong", id: 9 }],
    [
      { type: "progress", id: 1, value: 2, total: 4, message: "m", extra: 1 },
      { type: "progress", id: 1, value: 2, total: 4, message: "m" },
    ],
    [
      { type: "log", id: 1, level: "warning", message: "m", data: { a: 1 }, extra: 1 },
      { type: "log", id: 1, level: "warning", message: "m", data: { a: 1 } },
    ],
  ];
  for (const [given, message] of cases) {
    const parsed = JSON.parse(JSON.stringify(parseWorkerMessage(given)));
    assert.deepEqual(parsed, message);
  }
});

Deno.test("parseWorkerMessage() gives nothing for a message with a wrong field", () => {
  const wrong = [
    { type: "ready", tools: ["a", 1] },
    { type: "ready", tools: "a" },
    { type: "load-failed", error: { code: "timeout", message: "not a worker's to say" } },
    { type: "load-failed", error: { code: "internal", message: "not a worker's to say" } },
    { type: "load-failed", error: { code: "tool_error" } },
    { type: "described", declarations: {} },
    { type: "result", id: -1, value: { kind: "text", text: "" } },
    { type: "result", id: 1.5, value: { kind: "text", text: "" } },
    { type: "result", id: "1", value: { kind: "text", text: "" } },
    { type: "result", id: 1, value: { kind: "text", text: 1 } },
    { type: "result", id: 1, value: { kind: "json" } },
    { type: "result", id: 1, value: { kind: "blocks", blocks: {} } },
    { type: "result", id: 1, value: { kind: "toString" } },
    { type: "result", id: 1, value: { kind: "stream", chars: -1 } },
    { type: "chunk", id: 1, index: 0, text: "x".repeat(65_537) },
    { type: "chunk", id: 1, index: 0, text: 1 },
    { type: "chunk", id: 1, index: 0.5, text: "x" },
    { type: "checked", id: 1, available: "yes" },
    { type: "progress", id: 1, value: "2" },
    { type: "progress", value: 2 },
    { type: "log", level: "fatal", message: "m" },
    { type: "log", level: "info" },
    [],
    null,
    "ready",
  ];
  for (const value of wrong) {
    assert.equal(parseWorkerMessage(value), undefined, JSON.stringify(value));
  }
});

Deno.test("parseWorkerMessage() bounds the texts that go to logs and models", () => {
  const message = parseWorkerMessage({ type: "log", level: "info", message: "x".repeat(20_000) });
  assert.ok(message?.type === "log");
  assert.equal(message.message.length, 16_384);
});

Deno.test("parseCellEvent() keeps what each event may hold and drops the rest", () => {
  const cases: [given: unknown, event: unknown][] = [
    [
      { type: "hello", protocol: 1, deno: "2.9.6", extra: 1 },
      { type: "hello", protocol: 1, deno: "2.9.6" },
    ],
    [{ type: "memory", rss: 1e8, extra: 1 }, { type: "memory", rss: 1e8 }],
    [{ type: "disk", written: 1e8, extra: 1 }, { type: "disk", written: 1e8 }],
    [
      { type: "worker-ended", worker: 2, how: "exited", message: "m", gone: true, extra: 1 },
      { type: "worker-ended", worker: 2, how: "exited", message: "m", gone: true },
    ],
    [
      { type: "worker-ended", worker: 2, how: "crashed", message: 3 },
      { type: "worker-ended", worker: 2, how: "crashed", message: "", gone: false },
    ],
    [
      { type: "worker-dropped", worker: 2, gone: true },
      { type: "worker-dropped", worker: 2, gone: true },
    ],
    [
      { type: "messages-dropped", worker: 2, count: 5 },
      { type: "messages-dropped", worker: 2, count: 5 },
    ],
    [{ type: "hello", protocol: "1", deno: "2.9.6" }, undefined],
    [{ type: "memory", rss: "big" }, undefined],
    [{ type: "disk", written: "much" }, undefined],
    [{ type: "memory", rss: Infinity }, undefined],
    [{ type: "worker-ended", worker: 2, how: "dropped" }, undefined],
    [{ type: "worker-ended", worker: -2, how: "exited" }, undefined],
    [{ type: "worker-dropped", worker: 2 }, undefined],
    [{ type: "messages-dropped", worker: 2, count: -1 }, undefined],
  ];
  for (const [given, event] of cases) assert.deepEqual(parseCellEvent(given), event);
});
