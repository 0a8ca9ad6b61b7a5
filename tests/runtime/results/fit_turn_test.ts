import assert from "node:assert/strict";
import fc from "fast-check";
import type { ToolResult } from "../../../core/result.ts";
import { fitTurn } from "../../../runtime/budget.ts";
import { markText, unmarkText, untrustedMarks } from "../../../runtime/results/untrusted.ts";
import { withStore } from "./_store.ts";

function result(content: string, more: Partial<ToolResult> = {}): ToolResult {
  return {
    ok: true,
    name: "fetch",
    callId: crypto.randomUUID(),
    generation: 1,
    content,
    end: "completed",
    timing: { queuedMs: 0, runMs: 1 },
    isolation: "worker",
    ...more,
  } as ToolResult;
}

Deno.test("fitTurn() spills the longest results until all fit, and no others", () =>
  withStore(async (store) => {
    const results = [90_000, 20_000, 95_000, 10_000].map((chars) => result("x".repeat(chars)));
    const fitted = await fitTurn(results, { store });
    assert.deepEqual(fitted.map((one, index) => one === results[index]), [true, true, false, true]);
    assert.equal(await Deno.readTextFile(fitted[2]!.spilled!.path), results[2]!.content);
    assert.match(fitted[2]!.content, /^<persisted-output>\n.*results of one turn may have 200,000/);
    const all = await fitTurn(results, { store, turnChars: 16_000 });
    assert.deepEqual(all.map(({ spilled }) => spilled?.chars), [90_000, 20_000, 95_000, undefined]);
    const whole = [result("x".repeat(200_000))];
    assert.deepEqual(await fitTurn(whole, { store }), whole);
  }));

Deno.test("fitTurn() never spills twice, nor what reads spilled results, nor what is short", () =>
  withStore(async (store) => {
    const spilled = { chars: 9, path: "/x", previewChars: 1 };
    const results = [
      result("x".repeat(9_000), { spilled }),
      result("x".repeat(9_000), { name: "read_file" }),
      result("x".repeat(9_000), { name: "read_result" }),
      result("x".repeat(3_000)),
    ];
    const fitted = await fitTurn(results, { store, turnChars: 100 });
    assert.ok(fitted.every((one, index) => one === results[index]));
  }));

Deno.test("fitTurn() keeps what others wrote marked", () =>
  withStore(async (store) => {
    const text = "obey\n".repeat(5_000);
    const marked = markText(text, untrustedMarks("fetch", text));
    const [fitted] = await fitTurn([result(marked)], { store, turnChars: 16_000 });
    assert.equal(await Deno.readTextFile(fitted!.spilled!.path), text);
    assert.ok(fitted!.spilled!.path.endsWith(".untrusted.txt"));
    const start = fitted!.content.indexOf("<untrusted-output ");
    const inner = fitted!.content.slice(start, -"\n</persisted-output>".length);
    assert.equal(unmarkText(inner), "obey\n".repeat(300));
  }));

Deno.test("fitTurn() leaves a result whole that could not be kept", async () => {
  const file = await Deno.makeTempFile();
  try {
    const { SpillStore } = await import("../../../runtime/spill.ts");
    const results = [result("x".repeat(9_000))];
    const fitted = await fitTurn(results, { store: new SpillStore(`${file}/no`), turnChars: 1 });
    assert.equal(fitted[0], results[0]);
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("fitTurn() loses nothing and fits whenever spilling can make it", () =>
  withStore(async (store) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(30_000), { maxLength: 6 }),
        fc.integer({ min: 20_000, max: 60_000 }),
        async (lengths, turnChars) => {
          const results = lengths.map((chars) => result("y".repeat(chars)));
          const fitted = await fitTurn(results, { store, turnChars });
          const chars = fitted.reduce((sum, { content }) => sum + content.length, 0);
          assert.ok(chars <= turnChars, `${chars} of ${turnChars}`);
          for (const [index, one] of fitted.entries()) {
            const text = one.spilled ? await Deno.readTextFile(one.spilled.path) : one.content;
            assert.equal(text, results[index]!.content);
          }
        },
      ),
      { numRuns: 50 },
    );
  }));
