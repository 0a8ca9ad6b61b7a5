import assert from "node:assert/strict";
import { FrozenMap } from "../../runtime/frozen_map.ts";

Deno.test("FrozenMap holds what it was given, and throws when anybody changes it", () => {
  const source = new Map([["a", 1]]);
  const map = new FrozenMap(source);
  source.set("b", 2);
  assert.deepEqual([...map], [["a", 1]]);
  assert.deepEqual([map.get("a"), map.has("b"), map.size], [1, false, 1]);
  const changing = map as Map<string, number>;
  for (
    const change of [() => changing.set("a", 9), () => changing.delete("a"), () => changing.clear()]
  ) {
    assert.throws(change, { name: "TypeError", message: /it is shared/ });
  }
  assert.deepEqual([...map], [["a", 1]]);
});
