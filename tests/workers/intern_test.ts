import assert from "node:assert/strict";
import { internNumber } from "../../workers/intern.ts";

Deno.test("internNumber() gives equal content one number, and other content another", () => {
  const first = { read: ["/a"], write: [] };
  const number = internNumber(first);
  assert.equal(internNumber(first), number);
  assert.equal(internNumber({ read: ["/a"], write: [] }), number);
  assert.notEqual(internNumber({ read: ["/b"], write: [] }), number);
  assert.notEqual(internNumber({ read: ["/a"], write: ["/a"] }), number);
});

Deno.test("internNumber() never gives a number twice, also when it has forgotten much", () => {
  const numbers = Array.from(
    { length: 10_000 },
    (_, n) => internNumber({ unique: `content ${n}` }),
  );
  assert.equal(new Set(numbers).size, numbers.length);
});
