import assert from "node:assert/strict";
import { startRuntime } from "../_runtime.ts";

Deno.test("checkOutput() lets pass what matches, and makes a value of a text that is JSON", async () => {
  await using test = await startRuntime({ fixtures: ["asking"] });
  const value = await test.call("counts", { answer: { words: 3 } });
  assert.deepEqual([value.ok, value.structured], [true, { words: 3 }]);
  const text = await test.call("counts_text", {});
  assert.deepEqual([text.content, text.structured], ['{"words":3}', { words: 3 }]);
});

Deno.test("checkOutput() holds back what does not match the promised schema", async () => {
  await using test = await startRuntime({ fixtures: ["asking"] });
  const cases: [answer: unknown, message: string][] = [
    [
      { words: "three" },
      'Tool "counts" promises a result that matches its outputSchema, but it returned another: /words: expected integer, got string "three"',
    ],
    [
      "three words",
      'Tool "counts" promises a result that matches its outputSchema, but it returned a text that is no JSON',
    ],
  ];
  for (const [answer, message] of cases) {
    const result = await test.call("counts", { answer } as never);
    assert.equal(result.error?.code, "invalid_result");
    assert.equal(result.error?.message, message);
    assert.equal(result.structured, undefined);
  }
});
