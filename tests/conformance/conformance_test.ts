/** The official conformance suite, run against the server and the client. */
import assert from "node:assert/strict";
import { LEGS, runLeg } from "../../scripts/conformance/legs.ts";
import { failureList } from "../../scripts/conformance/table.ts";
import { requirePeer } from "./_peer.ts";

const missing = await requirePeer("conformance");

for (const leg of LEGS) {
  Deno.test({
    name: `the ${leg.side} meets the requirements of ${leg.revision} of the conformance suite`,
    ignore: missing,
    fn: async () => {
      const outcome = await runLeg(leg);
      assert.deepEqual(outcome.faults, [], failureList(outcome));
      // The suite also ends well when it is asked nothing.
      assert.ok(outcome.tally.passed > 50, `only ${outcome.tally.passed} checks passed`);
    },
  });
}

Deno.test("the expected failures are those of a server without resources, prompts and completion", async () => {
  const allowed =
    /^(completion-complete|resources-(read|templates|un|sub)[a-z-]+|prompts-get-[a-z-]+):\1$|^input-required-result-non-tool-request:sep-2322-non-tool-incomplete$/;
  for (const revision of ["2025-11-25", "2026-07-28"]) {
    const entries = await readEntries(`expected_failures_${revision}.yml`);
    assert.ok(entries.length > 0);
    assert.deepEqual(entries.filter((entry) => !allowed.test(entry)), []);
  }
});

Deno.test("the client is expected to fail nothing", async () => {
  assert.deepEqual(await readEntries("expected_failures_client.yml"), []);
});

async function readEntries(file: string): Promise<readonly string[]> {
  const text = await Deno.readTextFile(new URL(file, import.meta.url));
  return [...text.matchAll(/^ *- *(\S.*)$/gm)].map(([, entry]) => entry!);
}
