import assert from "node:assert/strict";
import { readCursor, writeCursor } from "../../../mcp/server/cursor.ts";

Deno.test("readCursor() reads what writeCursor() wrote, and nothing else", () => {
  const place = { generation: 12, after: "mcp__a.b-c" };
  const cursor = writeCursor(place);
  assert.match(cursor, /^[A-Za-z0-9_-]+$/);
  assert.deepEqual(readCursor(cursor), place);
  assert.equal(readCursor(cursor + "="), undefined);
  assert.equal(readCursor(cursor.slice(1)), undefined);
  assert.equal(readCursor(btoa("1:-1:a")), undefined);
  assert.equal(readCursor(btoa("1:1:a b")), undefined);
});
