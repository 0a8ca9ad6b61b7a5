import assert from "node:assert/strict";
import { availableText, explanationLines } from "../../cli/explain.ts";
import type { Explanation } from "../../runtime/runtime_types.ts";

const NAME: Explanation = {
  name: "a",
  found: true,
  suggestions: [],
  shadowed: [],
  diagnostics: [],
};
const checkedAt = "2030-01-01T00:00:00.000Z";

Deno.test("availableText() tells whether, why and how long ago", () => {
  const cases: [explanation: Partial<Explanation>, text: string | undefined][] = [
    [{}, undefined],
    [{ available: true }, "yes"],
    [{ available: true, checkedAt, ageMs: 400 }, `yes (looked at ${checkedAt})`],
    [{ available: true, checkedAt, ageMs: 12_400 }, `yes (looked at ${checkedAt}, 12 s ago)`],
    [{ available: false }, "no: unknown"],
    [{ available: false, reason: "No key", checkedAt }, `no: No key (looked at ${checkedAt})`],
    [
      { available: true, reason: "It is down", checkedAt, ageMs: 40_000 },
      `yes, in grace: its newest check failed: It is down (succeeded ${checkedAt}, 40 s ago)`,
    ],
  ];
  for (const [explanation, text] of cases) {
    assert.equal(availableText({ ...NAME, ...explanation }), text);
  }
});

Deno.test("explanationLines() says why a tool has a cell of its own", () => {
  const labels = (explanation: Partial<Explanation>) =>
    explanationLines({ ...NAME, ...explanation }, "/").filter(([label]) => label === "own cell");
  assert.deepEqual(labels({}), []);
  assert.deepEqual(labels({ ownCell: "It spun" }), [["own cell", "It spun"]]);
});
