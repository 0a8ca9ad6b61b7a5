import assert from "node:assert/strict";
import { textOfList, textOfMessage } from "../../../mcp/server/json_text.ts";

Deno.test("textOfMessage() writes the same JSON as JSON.stringify(), with or without a list that is known", () => {
  const tools = Object.freeze([{ name: "a", description: 'q"\n' }, { name: "b" }]);
  const results = [
    { tools },
    { tools, nextCursor: "c", ttlMs: 5 },
    { ttlMs: 5, tools, _meta: { a: { tools: [] } } },
    { tools: [] },
    { content: [] },
    {},
  ];
  for (const result of results) {
    const message = { jsonrpc: "2.0", id: 0, result } as never;
    const text = textOfMessage(message);
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(message)));
    assert.ok(!text.includes("\n"));
  }
  const request = { jsonrpc: "2.0", id: "x", method: "ping" } as never;
  assert.equal(textOfMessage(request), '{"jsonrpc":"2.0","id":"x","method":"ping"}');
});

Deno.test("textOfList() writes a list once", () => {
  let times = 0;
  const list = [{ toJSON: () => ++times }];
  assert.equal(textOfList(list), "[1]");
  assert.equal(textOfList(list), "[1]");
  assert.equal(times, 1);
});
