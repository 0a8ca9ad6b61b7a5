/**
 * Runs the conformance suite of the Model Context Protocol against the server, over sandboxed fixture tools, and
 * against the client, for the requirements of both revisions. Exits with 0 when all of them hold. Words behind it
 * choose among the runs: `server`, `client`, a revision. Run by `deno task conformance`.
 * @module
 */
import type { Leg, LegOutcome } from "./conformance/judge_leg.ts";
import { LEGS, runLeg } from "./conformance/legs.ts";
import { preparePeer } from "./conformance/peers.ts";
import { failureList, outcomeTable } from "./conformance/table.ts";

function chooseLegs(words: readonly string[]): readonly Leg[] {
  const known = new Set<string>(LEGS.flatMap(({ side, revision }) => [side, revision]));
  const unknown = words.find((word) => !known.has(word));
  if (unknown !== undefined) {
    throw new Error(`Unknown word "${unknown}": expected ${[...known].join(", ")}`);
  }
  return LEGS.filter(({ side, revision }) =>
    words.every((word) => word === side || word === revision)
  );
}

async function main(words: readonly string[]): Promise<boolean> {
  const legs = chooseLegs(words.filter((word) => word !== "--verbose"));
  const readiness = await preparePeer("conformance");
  if (!readiness.ready) throw new Error(`Cannot run the suite: ${readiness.reason}`);
  const outcomes: LegOutcome[] = [];
  for (const leg of legs) {
    console.error(`Running the requirements of ${leg.revision} against the ${leg.side}`);
    const outcome = await runLeg(leg);
    outcomes.push(outcome);
    if (words.includes("--verbose")) console.error(outcome.output);
    const failures = failureList(outcome);
    if (!outcome.ok && failures !== "") console.error(`Did not pass, excused or not:\n${failures}`);
    for (const fault of outcome.faults) console.error(fault);
  }
  console.log(outcomeTable(outcomes));
  return outcomes.every(({ ok }) => ok);
}

if (import.meta.main && !await main(Deno.args)) Deno.exit(1);
