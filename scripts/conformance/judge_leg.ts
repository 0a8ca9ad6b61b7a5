/**
 * Says whether a run of the conformance suite came out as it must.
 * @module
 */
import { stripVTControlCharacters } from "node:util";
import { type ScenarioChecks, type Tally, tally } from "./checks.ts";
import type { PeerResult } from "./peers.ts";

/** One run of the suite. */
export interface Leg {
  /** Who is looked at. */
  readonly side: "server" | "client";
  /** By which revision of the protocol. */
  readonly revision: "2025-11-25" | "2026-07-28";
  /** Scenarios that the suite does not score, and that must pass all the same. */
  readonly alsoPassing: readonly string[];
}

/** A run that is over. */
export interface FinishedRun {
  /** How the suite ended. */
  readonly result: PeerResult;
  /** What the server wrote to its log; empty for the client. */
  readonly log: string;
  /** What the suite wrote down. */
  readonly scenarios: readonly ScenarioChecks[];
}

/** What came of a run. */
export interface LegOutcome {
  /** The run. */
  readonly leg: Leg;
  /** Whether everything that must pass did. */
  readonly ok: boolean;
  /** Checks of all scenarios that were run. */
  readonly scenarios: readonly ScenarioChecks[];
  /** Counts of all of them. */
  readonly tally: Tally;
  /** Why it is not ok; empty where it is. */
  readonly faults: readonly string[];
  /** What the suite printed, and what was looked at wrote. */
  readonly output: string;
}

/**
 * Judges a run. The suite itself decides about what it scores; beside that the scenarios that it does not score, and
 * that must pass here, are looked up.
 *
 * @param leg The run.
 * @param run What came of it.
 * @returns The judgement.
 */
export function judgeLeg(leg: Leg, { result, log, scenarios }: FinishedRun): LegOutcome {
  const stdout = stripVTControlCharacters(result.stdout);
  const faults = [
    ...(result.timedOut ? ["The suite did not end in time"] : []),
    ...(result.code === 0 ? [] : [`The suite ended with ${result.code}`, ...unexpected(stdout)]),
    ...(scenarios.length === 0 ? ["No scenario was run"] : []),
    ...leg.alsoPassing.flatMap((scenario) => findFault(scenario, scenarios)),
  ];
  return {
    leg,
    ok: faults.length === 0,
    scenarios,
    tally: tally(scenarios.flatMap(({ checks }) => checks)),
    faults,
    output: [stdout, stripVTControlCharacters(result.stderr), log]
      .filter((text) => text !== "").join("\n"),
  };
}

// The suite ends with what it did not expect: failures with a cross, passes where it expected a failure with a tick.
function unexpected(stdout: string): readonly string[] {
  const from = stdout.search(/^(Stale baseline entries|Unexpected failures \()/m);
  if (from < 0) return [];
  return stdout.slice(from).split("\n").filter((line) => /^ +[✗✓] /.test(line))
    .map((line) => line.trim());
}

function findFault(scenario: string, scenarios: readonly ScenarioChecks[]): readonly string[] {
  const checks = scenarios.find((one) => one.scenario === scenario)?.checks ?? [];
  const { passed, failed, warned } = tally(checks);
  if (passed > 0 && failed + warned === 0) return [];
  const reasons = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING")
    .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? "no reason given"}`);
  return [`"${scenario}" must pass, though it is not scored: ${reasons.join("; ") || "not run"}`];
}
