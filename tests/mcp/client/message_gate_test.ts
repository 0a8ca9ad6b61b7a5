import assert from "node:assert/strict";
import { MessageGate } from "../../../mcp/client/message_gate.ts";

interface Gate {
  readonly gate: MessageGate;
  readonly why: string[];
}

function asked(...ids: (string | number)[]): Gate {
  const why: string[] = [];
  const gate = new MessageGate({ onDropped: (reason) => void why.push(reason) });
  for (const id of ids) gate.sent({ jsonrpc: "2.0", id, method: "tools/call" });
  return { gate, why };
}

const answer = { jsonrpc: "2.0", result: {} };

Deno.test("MessageGate.admit() [A23] lets an answer in by its very id, and once", () => {
  const { gate, why } = asked(0, "1");
  const wrong = ["", "0", null, false, [0], [], {}, "0.0", " 0", 1, "01", undefined, NaN];
  for (const id of wrong) assert.equal(gate.admit({ ...answer, id }), undefined, String(id));
  assert.equal(gate.dropped, wrong.length);
  assert.deepEqual(gate.admit({ ...answer, id: 0 }), { ...answer, id: 0 });
  assert.deepEqual(gate.admit({ ...answer, id: "1" }), { ...answer, id: "1" });
  assert.equal(gate.admit({ ...answer, id: 0 }), undefined);
  assert.deepEqual(new Set(why), new Set(["nobody waits for an answer with its id"]));
});

Deno.test("MessageGate.admit() drops what is no JSON-RPC, and the true answer still counts", () => {
  const { gate } = asked(0);
  const wrong: unknown[] = [
    null,
    7,
    "text",
    [],
    {},
    { id: 0, result: {} },
    { jsonrpc: "1.0", id: 0, result: {} },
    { jsonrpc: "2.0", id: 0 },
    { jsonrpc: "2.0", id: 0, result: [] },
    { jsonrpc: "2.0", id: 0, result: {}, error: { code: 1, message: "both" } },
    { jsonrpc: "2.0", id: 0, error: { code: "1", message: "x" } },
    { jsonrpc: "2.0", id: 0, error: { code: 1 } },
    { jsonrpc: "2.0", id: 0, error: "x" },
    { jsonrpc: "2.0", method: "x", params: 7 },
    { jsonrpc: "2.0", method: "x", id: null },
  ];
  for (const value of wrong) assert.equal(gate.admit(value), undefined, JSON.stringify(value));
  assert.equal(gate.dropped, wrong.length);
  const error = { jsonrpc: "2.0", id: 0, error: { code: 1, message: "no" } };
  assert.deepEqual(gate.admit(error), error);
});

Deno.test("MessageGate.admit() lets requests and notifications in", () => {
  const { gate } = asked();
  const request = { jsonrpc: "2.0", id: "s", method: "ping" };
  const notification = { jsonrpc: "2.0", method: "notifications/x", params: {} };
  assert.deepEqual(gate.admit(request), request);
  assert.deepEqual(gate.admit(notification), notification);
});

Deno.test("MessageGate.admit() lets in progress of what is under way only, and counts none", () => {
  const { gate } = asked(0);
  const progress = (progressToken: unknown) => ({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken, progress: 1 },
  });
  assert.deepEqual(gate.admit(progress(0)), progress(0));
  for (const token of ["", "0", null, 1]) assert.equal(gate.admit(progress(token)), undefined);
  assert.equal(gate.dropped, 0);
});

Deno.test("MessageGate.admit() drops the late answer of a call that was called off, uncounted", () => {
  const { gate } = asked(0);
  gate.sent({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0 } });
  assert.equal(gate.awaits(0), false);
  assert.equal(gate.admit({ ...answer, id: 0 }), undefined);
  assert.equal(gate.dropped, 0);
  assert.equal(gate.admit({ ...answer, id: 0 }), undefined);
  assert.equal(gate.dropped, 1);
});

Deno.test("MessageGate.admit() shows each result to whoever looks through it", () => {
  const gate = new MessageGate({
    onDropped: () => {},
    onResult: (method, result) => ({ ...result, method }),
  });
  gate.sent({ jsonrpc: "2.0", id: 4, method: "tools/list" });
  assert.deepEqual(gate.admit({ jsonrpc: "2.0", id: 4, result: { tools: [] } }), {
    jsonrpc: "2.0",
    id: 4,
    result: { tools: [], method: "tools/list" },
  });
});
