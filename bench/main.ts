/**
 * Runs the benchmark: every row several times, each time in a process of its own, and prints it with its
 * ratio to its peer or floor. Exits with 1 when a row misses its target, with 2 when it is called wrongly.
 *
 * `deno task bench [--only P4,P6] [--runs 3] [--short] [--out bench/results.json]`
 * @module
 */
import { parseArgs } from "node:util";
import { describeMachine } from "./harness/machine.ts";
import { showRow } from "./harness/print.ts";
import type { RunOutcome } from "./harness/row.ts";
import { isMiss, joinRuns, type RowSummary } from "./harness/summary.ts";
import { projectPath } from "./harness/temp.ts";
import { ROWS } from "./rows.ts";

/** P21 calls thousands of tools. */
const RUN_DEADLINE_MS = 900_000;

interface Options {
  readonly ids: readonly string[];
  readonly runs: number;
  readonly short: boolean;
  readonly out: string;
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string" },
      runs: { type: "string" },
      short: { type: "boolean", default: false },
      out: { type: "string" },
    },
  });
  const ids = values.only?.split(",").map((id) => id.trim().toUpperCase()) ?? Object.keys(ROWS);
  for (const id of ids) {
    if (!Object.hasOwn(ROWS, id)) {
      throw new RangeError(`Cannot run row "${id}": there are ${Object.keys(ROWS).join(", ")}`);
    }
  }
  const runs = Number(values.runs ?? 3);
  if (!Number.isInteger(runs) || runs < 1) {
    throw new RangeError(`Cannot run each row "${values.runs}" times: expected 1 or more`);
  }
  return { ids, runs, short: values.short, out: values.out ?? projectPath("bench/results.json") };
}

async function runOnce(id: string, short: boolean): Promise<RunOutcome> {
  const file = await Deno.makeTempFile();
  try {
    const module = new URL(`./rows/${ROWS[id]}`, import.meta.url).href;
    const words = short ? ["short"] : [];
    const flags = ["run", "-A", "--quiet", "--no-prompt", "--v8-flags=--expose-gc"];
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...flags, projectPath("bench/harness/run_row.ts"), module, file, ...words],
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
      signal: AbortSignal.timeout(RUN_DEADLINE_MS),
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr).trim() || "it ran too long");
    return JSON.parse(await Deno.readTextFile(file));
  } finally {
    await Deno.remove(file);
  }
}

async function measure(id: string, { runs, short }: Options): Promise<RowSummary> {
  const outcomes: RunOutcome[] = [];
  try {
    for (let run = 0; run < runs; run++) {
      const outcome = await runOnce(id, short);
      outcomes.push(outcome);
      if (!("parts" in outcome)) break;
    }
    return joinRuns(outcomes);
  } catch (error) {
    const { title = ROWS[id]!, peer = "" } = outcomes[0] ?? {};
    return { id, title, peer, parts: [], failed: (error as Error).message };
  }
}

async function main(): Promise<number> {
  const options = readOptions(Deno.args);
  const { ids, runs, out } = options;
  const machine = await describeMachine();
  console.log(
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}; ` +
      `Deno ${machine.deno}, ${machine.python ?? "no Python"}; load ${machine.load.join(" ")}; ` +
      `${runs} runs\n`,
  );
  const rows: RowSummary[] = [];
  for (const id of ids) {
    const row = await measure(id, options);
    rows.push(row);
    console.log(showRow(row));
  }
  const date = new Date().toISOString();
  await Deno.writeTextFile(out, `${JSON.stringify({ date, machine, runs, rows }, null, 2)}\n`);
  const missed = rows.filter(isMiss).map(({ id }) => id);
  console.log(missed.length ? `\nMissed: ${missed.join(", ")}` : "\nNo row missed its target");
  return missed.length ? 1 : 0;
}

try {
  Deno.exit(await main());
} catch (error) {
  console.error((error as Error).message);
  Deno.exit(2);
}
