import assert from "node:assert/strict";
import { type DefinitionKey, DefinitionMemo } from "../../runtime/definition_memo.ts";
import type { Definitions } from "../../runtime/runtime_types.ts";

const KEY: DefinitionKey = { generation: 1, epoch: 0, dialect: "openai", selection: "" };
const LIST: Definitions = { generation: 1, tools: [], names: new Map(), omitted: [], losses: [] };

Deno.test("DefinitionMemo.get() gives a list only for the very same key", () => {
  const memo = new DefinitionMemo();
  memo.set(KEY, LIST, 60_000);
  assert.equal(memo.get({ ...KEY }), LIST);
  const others: Partial<DefinitionKey>[] = [
    { generation: 2 },
    { epoch: 1 },
    { dialect: "mcp" },
    { selection: "[0]" },
  ];
  for (const other of others) assert.equal(memo.get({ ...KEY, ...other }), undefined);
});

Deno.test("DefinitionMemo.get() gives nothing whose verdicts no longer hold", () => {
  const memo = new DefinitionMemo();
  memo.set(KEY, LIST, 0);
  assert.equal(memo.get(KEY), undefined);
});

Deno.test("DefinitionMemo.set() [case 78] keeps the newest lists only", () => {
  const memo = new DefinitionMemo();
  for (let generation = 0; generation < 20; generation++) {
    memo.set({ ...KEY, generation }, LIST, 60_000);
  }
  const kept = Array.from({ length: 20 }, (_, generation) => memo.get({ ...KEY, generation }));
  assert.deepEqual(kept.map((list) => list === LIST), [
    ...Array(12).fill(false),
    ...Array(8).fill(true),
  ]);
});
