import assert from "node:assert/strict";
import type { Owner } from "../../../core/entry.ts";
import { budgetForContext, resultLimitOf } from "../../../runtime/budget.ts";

function entry(maxResultSizeChars?: number, owner: Owner = "user", name = "fetch") {
  return { name, owner, maxResultSizeChars };
}

Deno.test("resultLimitOf() [case 46] takes the tool's own limit, then the operator's, then 100,000", () => {
  const limits = { maxResultSizeChars: 7 };
  assert.equal(resultLimitOf(entry(5), {}), 5);
  assert.equal(resultLimitOf(entry(5), { limits }), 5);
  assert.equal(resultLimitOf(entry(), { limits }), 7);
  assert.equal(resultLimitOf(entry(), {}), 100_000);
  assert.equal(resultLimitOf(entry(Infinity), { limits }), Infinity);
});

Deno.test("resultLimitOf() lets no tool's own number exceed the default", () => {
  assert.equal(resultLimitOf(entry(150_000), {}), 100_000);
  assert.equal(resultLimitOf(entry(9), { limits: { maxResultSizeChars: 7 } }), 7);
  assert.equal(
    resultLimitOf(entry(150_000), { limits: { maxResultSizeChars: "unlimited" } }),
    150_000,
  );
  assert.equal(resultLimitOf(entry(20_000), {}, 8_000), 8_000);
  assert.equal(resultLimitOf(entry(Infinity), {}, 8_000), Infinity);
});

Deno.test("resultLimitOf() [case 114] gives what reads spilled results no limit, whatever anybody says", () => {
  const config = { limits: { maxResultSizeChars: 7 }, results: { maxChars: { read_file: 9 } } };
  assert.equal(resultLimitOf(entry(5, "builtin", "read_file"), config, 8_000), Infinity);
  assert.equal(resultLimitOf(entry(5, "builtin", "read_result"), config, 8_000), Infinity);
  // The name alone is not enough.
  assert.equal(resultLimitOf(entry(5, "plugin:acme", "read_result"), config, 8_000), 5);
  assert.equal(resultLimitOf(entry(5, "user", "read_file"), config, 8_000), 9);
});

Deno.test("resultLimitOf() takes the operator's word for a tool before everything else", () => {
  const results = { maxChars: { fetch: 300_000, all: "unlimited" as const } };
  assert.equal(resultLimitOf(entry(5), { results }, 8_000), 300_000);
  assert.equal(resultLimitOf(entry(5, "user", "all"), { results }), Infinity);
  assert.equal(resultLimitOf(entry(5, "user", "constructor"), { results }), 5);
});

Deno.test("resultLimitOf() [case 115] gives tools of MCP servers 50,000, and less where the default is less", () => {
  assert.equal(resultLimitOf(entry(undefined, "mcp:files"), {}), 50_000);
  assert.equal(resultLimitOf(entry(90_000, "mcp:files"), {}), 50_000);
  assert.equal(resultLimitOf(entry(undefined, "mcp:files"), {}, 39_321), 39_321);
});

Deno.test("budgetForContext() [case 116] scales with the model's context, within floors and caps", () => {
  // 65,536 tokens are 262,144 characters; 15 % of them 39,321.6, 30 % 78,643.2.
  assert.deepEqual(budgetForContext(65_536), { resultChars: 39_321, turnChars: 78_643 });
  assert.deepEqual(budgetForContext(4_096), { resultChars: 8_000, turnChars: 16_000 });
  assert.deepEqual(budgetForContext(1_000_000), { resultChars: 100_000, turnChars: 200_000 });
  assert.deepEqual(budgetForContext(undefined), { resultChars: 100_000, turnChars: 200_000 });
  assert.deepEqual(budgetForContext(65_536, 2), { resultChars: 19_660, turnChars: 39_321 });
  for (const tokens of [0, -1, NaN]) assert.throws(() => budgetForContext(tokens), RangeError);
});
