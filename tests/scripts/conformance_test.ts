import assert from "node:assert/strict";
import { readChecks, tally } from "../../scripts/conformance/checks.ts";
import { judgeLeg, type Leg } from "../../scripts/conformance/judge_leg.ts";
import { failureList, outcomeTable } from "../../scripts/conformance/table.ts";

const LEG: Leg = { side: "server", revision: "2026-07-28", alsoPassing: ["extra"] };
const PASSED = { id: "a", status: "SUCCESS" } as const;
const FAILED = { id: "b", status: "FAILURE", errorMessage: "was late" } as const;
const WARNED = { id: "c", status: "WARNING" } as const;
const ENDED = { code: 0, stdout: "", stderr: "", timedOut: false };

Deno.test("readChecks() finds the checks of each scenario, without the side and the time of its folder", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const write = async (path: string, checks: unknown): Promise<void> => {
      await Deno.mkdir(`${folder}/${path}`, { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}/checks.json`, JSON.stringify(checks));
    };
    await write("server-tools-list-2026-01-02T03-04-05-678Z", [{ ...PASSED, name: "A" }, FAILED]);
    await write("auth/metadata-default-2026-01-02T03-04-05-678Z", [WARNED]);
    await Deno.writeTextFile(`${folder}/stdout.txt`, "text");
    assert.deepEqual(await readChecks(folder), [
      { scenario: "auth/metadata-default", checks: [WARNED] },
      { scenario: "tools-list", checks: [PASSED, FAILED] },
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("tally() counts what passed, failed and warns, and nothing else", () => {
  const skipped = { id: "d", status: "SKIPPED" } as const;
  assert.deepEqual(tally([PASSED, FAILED, PASSED, WARNED, skipped]), {
    passed: 2,
    failed: 1,
    warned: 1,
  });
});

Deno.test("judgeLeg() leaves what is scored to the suite, and looks up what else must pass", () => {
  const scenarios = [
    { scenario: "excused", checks: [FAILED] },
    { scenario: "extra", checks: [PASSED] },
  ];
  const outcome = judgeLeg(LEG, { result: ENDED, log: "", scenarios });
  assert.deepEqual([outcome.ok, outcome.faults, outcome.tally], [true, [], {
    passed: 1,
    failed: 1,
    warned: 0,
  }]);
});

Deno.test("judgeLeg() says why a scenario that is not scored does not pass, and when it was not run", () => {
  const faults = (scenario: string): readonly string[] => {
    const scenarios = [{ scenario, checks: [PASSED, FAILED, WARNED] }];
    return judgeLeg(LEG, { result: ENDED, log: "", scenarios }).faults;
  };
  assert.deepEqual(faults("extra"), [
    '"extra" must pass, though it is not scored: b: was late; c: no reason given',
  ]);
  assert.deepEqual(faults("other"), ['"extra" must pass, though it is not scored: not run']);
});

Deno.test("judgeLeg() passes on what the suite did not expect", () => {
  const stdout = [
    "  ✗ a line of a scenario",
    "\x1b[31mStale baseline entries (now passing - remove from baseline):\x1b[0m",
    "  ✓ completion-complete",
    "\x1b[31mUnexpected failures (not in baseline):\x1b[0m",
    "  ✗ tools-list:tools-name-format",
    "\x1b[31mUnexpected failures detected: these are not in your baseline.\x1b[0m",
  ].join("\n");
  const { ok, faults } = judgeLeg({ ...LEG, alsoPassing: [] }, {
    result: { ...ENDED, code: 1, stdout },
    log: "",
    scenarios: [{ scenario: "tools-list", checks: [FAILED] }],
  });
  assert.equal(ok, false);
  assert.deepEqual(faults, [
    "The suite ended with 1",
    "✓ completion-complete",
    "✗ tools-list:tools-name-format",
  ]);
});

Deno.test("judgeLeg() does not take a run of nothing, or one that was cut off, for a good one", () => {
  const leg = { ...LEG, alsoPassing: [] };
  assert.deepEqual(judgeLeg(leg, { result: ENDED, log: "", scenarios: [] }).faults, [
    "No scenario was run",
  ]);
  const scenarios = [{ scenario: "extra", checks: [PASSED] }];
  const cut = judgeLeg(leg, { result: { ...ENDED, timedOut: true }, log: "", scenarios });
  assert.deepEqual(cut.faults, ["The suite did not end in time"]);
});

Deno.test("outcomeTable() and failureList() write down what came of the runs", () => {
  const scenarios = [
    { scenario: "excused", checks: [PASSED, FAILED] },
    { scenario: "extra", checks: [PASSED] },
  ];
  const outcome = judgeLeg(LEG, { result: ENDED, log: "", scenarios });
  assert.equal(
    outcomeTable([outcome]),
    "side    revision    scenarios  passed  failed  warned\n" +
      "server  2026-07-28  2          2       1       0       holds",
  );
  assert.equal(failureList(outcome), "excused: 1 passed, 1 not\n  b: was late");
});
