import assert from "node:assert/strict";
import { joinBytes } from "../../core/join_bytes.ts";

Deno.test("joinBytes() joins pieces in their order, with memory of its own", () => {
  const pieces = [Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3)];
  const whole = joinBytes(pieces);
  assert.deepEqual([...whole], [1, 2, 3]);
  pieces[0]![0] = 9;
  assert.equal(whole[0], 1);
  assert.equal(joinBytes([]).length, 0);
});
