import assert from "node:assert/strict";
import { openArena, shareArena, succeeded } from "./_arena.ts";

const arena = shareArena("a14");

const INVALID: Readonly<Record<string, RegExp>> = {
  "100 MB of text": /it is 104857600 characters long/,
  "100 MB of numbers": /it is 120000001 characters long/,
  "cyclic": /holds itself/,
  "a cyclic array": /holds itself/,
  "BigInt": /a bigint has no JSON form/,
  "BigInt inside": /at "\/count\/1": a bigint/,
  "NaN": /the number NaN/,
  "Infinity inside": /at "\/value": the number Infinity/,
  "a symbol": /a symbol/,
  "a function": /a function/,
  "a function inside": /at "\/call": a function/,
  "a class": /a function/,
  "undefined in an array": /at "\/1": undefined/,
  "a hole in an array": /at "\/1": undefined/,
  "100,000 levels": /nested over 1000 levels/,
  "1,001 levels": /nested over 1000 levels/,
  "a proxy that throws": /trap of ownKeys/,
  "a proxy without an end": /nested over 1000 levels/,
  "toJSON that throws": /toJSON threw/,
  "toJSON that gives a function": /no JSON form/,
  "toJSON without an end": /call stack/,
  "a getter that throws": /getter threw/,
  "a Map": /of type Map/,
  "bytes": /of type Uint8Array/,
  "an Error": /of type Error/,
  "bad blocks": /content block 0: the data is not valid base64/,
  "blocks with a getter": /getter of text/,
  "blocks that lie": /\/content\/1/,
};

for (const [way, says] of Object.entries(INVALID)) {
  Deno.test(`attack [A14] ${way}: contained`, async () => {
    await arena().contain("give", { way }, { code: "invalid_result", timeoutMs: 10_000, says });
  });
}

Deno.test("attack [A14] a getter that never ends: contained", async () => {
  const end = { code: "timeout", timeoutMs: 500 } as const;
  await arena().contain("give", { way: "a getter that never ends" }, end);
});

Deno.test("attack [A14] text that is too long for a model: contained", async () => {
  const result = succeeded(await arena().call("give", { way: "1 MB of text" }));
  assert.ok(result.content.length < 5_000);
  assert.equal(result.spilled?.chars, 1 << 20);
  assert.equal(await Deno.readTextFile(result.spilled.path), "x".repeat(1 << 20));
});

const ENCODED: readonly [way: string, content: string][] = [
  ["lone surrogate", "a\uFFFDb"],
  ["lone surrogates inside", '{"k\uFFFD":["\uFFFD"]}'],
  ["__proto__ key", '{"__proto__":{"polluted":true},"constructor":{"x":1}}'],
  ["an error envelope by hand", '{"error":"only looks like one"}'],
  ["blocks of an unknown type", '{"content":[{"type":"video","data":"AAAA"}]}'],
  ["undefined", ""],
  ["null", "null"],
  ["an empty text", ""],
  ["a promise of a promise", "inner"],
  ["a patched stringify", '{"untouched":true}'],
];

for (const [way, content] of ENCODED) {
  Deno.test(`attack [A14] ${way}: contained`, async () => {
    const result = succeeded(await arena().call("give", { way }));
    assert.equal(result.content, content);
    // Nothing of it reached the front's own objects.
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    assert.equal(JSON.stringify({ a: 1 }), '{"a":1}');
    await arena().goesOn();
  });
}

Deno.test("attack [A14] a polluted prototype of the worker: contained", async () => {
  // It falsifies this tool's own results, and those of nobody else.
  await arena().call("give", { way: "a polluted prototype" });
  assert.equal(JSON.stringify({ a: 1 }), '{"a":1}');
  await arena().goesOn();
});

Deno.test("attack [A14] twin toolResult() and toolError()", async () => {
  await using fresh = await openArena("a14");
  const good = succeeded(await fresh.call("give", { way: "toolResult" }));
  assert.deepEqual([good.content, good.structured], ['{"a":1}', undefined]);
  const bad = await fresh.call("give", { way: "toolError" });
  assert.deepEqual([bad.error?.code, bad.error?.message], ["tool_error", "meant"]);
});
