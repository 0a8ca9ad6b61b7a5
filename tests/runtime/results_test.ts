import assert from "node:assert/strict";
import fc from "fast-check";
import { toolError, toolResult } from "../../core/envelope.ts";
import { normaliseResult } from "../../runtime/results.ts";
import type { WireValue } from "../../workers/protocol.ts";

function reasonOf(value: unknown): string {
  const result = normaliseResult(value as WireValue);
  assert.ok(!result.ok, "expected an invalid result");
  return result.reason;
}

Deno.test("normaliseResult() passes a text, also one that only looks like an error", () => {
  const text = '{"error":"no"}';
  assert.deepEqual(normaliseResult({ kind: "text", text }), { ok: true, content: text });
  assert.deepEqual(normaliseResult({ kind: "text", text: "a\uD800" }), {
    ok: true,
    content: "a\uFFFD",
  });
});

Deno.test("normaliseResult() reads the message of toolError() (case 47)", () => {
  const text = toolError("x", { code: 4 });
  assert.equal(text, '{"error":"x","code":4}');
  assert.deepEqual(normaliseResult({ kind: "error", text }), {
    ok: true,
    content: text,
    error: "x",
  });
  assert.equal(toolResult({}), "{}");
  assert.equal(toolResult({ a: 1 }), '{"a":1}');
  const replaced = toolError("x", { error: { deep: true } });
  assert.deepEqual(normaliseResult({ kind: "error", text: replaced }), {
    ok: true,
    content: replaced,
    error: replaced,
  });
});

Deno.test("normaliseResult() writes a JSON value as text and keeps it", () => {
  const value = { a: [1, null, "x"], __proto__: undefined as never };
  assert.deepEqual(normaliseResult({ kind: "json", value: { a: [1, null, "x"] } }), {
    ok: true,
    content: '{"a":[1,null,"x"]}',
    structured: { a: [1, null, "x"] },
  });
  assert.ok(normaliseResult({ kind: "json", value }).ok);
  const own = JSON.parse('{"__proto__":{"polluted":true}}');
  const result = normaliseResult({ kind: "json", value: own });
  assert.ok(result.ok);
  assert.equal(result.content, '{"__proto__":{"polluted":true}}');
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  const lone = normaliseResult({ kind: "json", value: { "k\uDC00": ["\uD800"] } });
  assert.ok(lone.ok);
  assert.deepEqual(lone.structured, { "k\uFFFD": ["\uFFFD"] });
});

Deno.test("normaliseResult() brings any JSON through unchanged", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const plain = JSON.parse(JSON.stringify(value).replaceAll("-0", "0"));
    const result = normaliseResult({ kind: "json", value: plain });
    assert.ok(result.ok);
    assert.deepEqual(result.structured, plain);
    if (typeof plain !== "string") assert.deepEqual(JSON.parse(result.content), plain);
  }));
});

Deno.test("normaliseResult() refuses what JSON does not hold (A14)", () => {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const throwing = new Proxy({}, {
    ownKeys() {
      throw new Error("no");
    },
  });
  const getter = {
    get a(): never {
      throw new Error("no");
    },
  };
  const bad = [
    1n,
    NaN,
    Infinity,
    () => 1,
    Symbol("x"),
    new Date(0),
    new Map(),
    cyclic,
    deep,
    throwing,
  ];
  for (const value of [...bad, getter, undefined]) reasonOf({ kind: "json", value });
  assert.match(reasonOf({ kind: "json", value: deep }), /deeper than 200/);
  let ok: unknown = 1;
  for (let level = 0; level < 200; level++) ok = [ok];
  assert.ok(normaliseResult({ kind: "json", value: ok as never }).ok);
});

Deno.test("normaliseResult() checks content blocks and writes them as text", () => {
  const blocks = [
    { type: "text", text: "hello" },
    { type: "image", data: "AAEC", mimeType: "image/png", extra: 1 },
    { type: "resource", resource: { uri: "file:///a", text: "inside" } },
    { type: "resource_link", uri: "https://x.example", name: "x" },
  ] as const;
  const result = normaliseResult({ kind: "blocks", blocks, structured: { n: 1 } });
  assert.ok(result.ok);
  assert.equal(
    result.content,
    "hello\n[image, image/png, 3 bytes]\ninside\n[resource x: https://x.example]",
  );
  assert.deepEqual(result.blocks?.[1], { type: "image", data: "AAEC", mimeType: "image/png" });
  assert.deepEqual(result.structured, { n: 1 });
  assert.deepEqual(normaliseResult({ kind: "blocks", blocks: [], structured: { n: 1 } }), {
    ok: true,
    content: '{"n":1}',
    blocks: [],
    structured: { n: 1 },
  });
});

Deno.test("normaliseResult() refuses bad blocks with the reason", () => {
  const block = (value: unknown) => reasonOf({ kind: "blocks", blocks: [value] });
  assert.match(block({ type: "video" }), /block 0 has the type "video"/);
  assert.match(block({ type: "text" }), /expected "text" to be a text/);
  assert.match(block({ type: "image", data: "A", mimeType: "image/png" }), /not valid base64/);
  assert.match(block({ type: "image", data: "A=AA", mimeType: "image/png" }), /not valid base64/);
  assert.match(block({ type: "audio", data: "AAAA", mimeType: "x" }), /no media type/);
  assert.match(block({ type: "resource", resource: { uri: "a" } }), /either "text" or "blob"/);
  assert.match(block({ type: "resource", resource: { uri: "a", blob: "*" } }), /base64/);
  assert.match(block(null), /no object/);
  assert.match(reasonOf({ kind: "blocks", blocks: "x" }), /list/);
  for (const value of [null, "x", {}, { kind: "text" }, { kind: "other" }]) reasonOf(value);
});

Deno.test("normaliseResult() never throws", () => {
  fc.assert(fc.property(fc.anything({ withBigInt: true, withDate: true }), (value) => {
    for (const kind of ["text", "json", "blocks", "error"]) {
      normaliseResult({ kind, text: value, value, blocks: value } as never);
    }
    normaliseResult(value as never);
  }));
});
