/**
 * A front over a folder of `harness/table_files.ts`: lists the tools, calls each in turn, then 64 at once, and lists
 * them again. Prints a line when it has opened the folder and one with what came of it, and waits for the end of
 * stdin, so that its memory can be looked at from outside.
 *
 * Arguments: the folder, the cache folder, the variant, how many tools. With 0 tools it only discovers.
 * @module
 */
import { openRuntime } from "../harness/runtime.ts";
import { throughput } from "../harness/sample.ts";
import { answerOf, descriptionOf, type TableVariant } from "../harness/table_files.ts";

/** What comes of a table. */
export interface TableFigures {
  /** Milliseconds of the first list. */
  readonly firstListMs: number;
  /** Tools that the first list left out or told wrongly. */
  readonly firstListFaults: readonly string[];
  /** The same of the list after all calls. */
  readonly lastListFaults: readonly string[];
  /** Calls that failed or gave a wrong value. */
  readonly callFaults: readonly string[];
  /** Cells that ended otherwise than by being idle, with the reason. */
  readonly cellsEnded: readonly string[];
  /** How many calls were made. */
  readonly calls: number;
}

const IN_FLIGHT = 64;
/** So many calls at once show what a few more tools than lanes do not. */
const LEAST_CALLS = 320;

async function main(): Promise<void> {
  const [root = "", cacheDir = "", variant = "plain", number = "0"] = Deno.args;
  const count = Number(number);
  await using opened = await openRuntime({ roots: [root], cacheDir });
  if (count === 0) return;
  const { runtime } = opened;
  const cellsEnded: string[] = [];
  runtime.on("tool-log", ({ message }) => {
    if (message.startsWith("A cell ended: ")) cellsEnded.push(message);
  });
  console.log(JSON.stringify({ opened: true }));

  const callFaults: string[] = [];
  let calls = 0;
  const call = async (index: number): Promise<void> => {
    const nonce = `n${++calls}`;
    const result = await runtime.dispatch(`tool_${index}`, { nonce });
    if (result.ok && result.content === answerOf(index, nonce)) return;
    const what = result.ok ? result.content : `${result.error.code}: ${result.error.message}`;
    callFaults.push(`call ${calls}, tool_${index}: ${what}`);
  };
  const listFaults = async (): Promise<string[]> => {
    const { tools, omitted } = await runtime.getDefinitions();
    const told = new Map(tools.map(({ function: { name, description } }) => [name, description]));
    const reasons = new Map(omitted.map(({ name, reason }) => [name, reason]));
    return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
      const name = `tool_${index}`;
      const said = told.get(name);
      if (said === descriptionOf(variant as TableVariant, index)) return [];
      return [`${name}: ${said ?? `left out: ${reasons.get(name)}`}`];
    });
  };

  const start = performance.now();
  const firstListFaults = await listFaults();
  const firstListMs = performance.now() - start;
  for (let index = 0; index < count; index++) await call(index);
  let next = 0;
  await throughput(() => call(next++ % count), {
    calls: Math.max(count, LEAST_CALLS),
    inFlight: IN_FLIGHT,
  });
  const lastListFaults = await listFaults();
  const figures: TableFigures = {
    firstListMs,
    firstListFaults,
    lastListFaults,
    callFaults,
    cellsEnded,
    calls,
  };
  console.log(JSON.stringify(figures));
  await Deno.stdin.readable.pipeTo(new WritableStream());
}

if (import.meta.main) await main();
