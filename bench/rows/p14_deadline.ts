/**
 * P14: from the deadline of a spinning tool to the end of its thread, and what its cellmates feel of it.
 * @module
 */
import { descendants } from "../harness/processes.ts";
import type { BenchRow } from "../harness/row.ts";
import { type OpenRuntime, openRuntime } from "../harness/runtime.ts";

const ROUNDS = 5;
const DEADLINE_MS = 300;
const GIVE_UP_MS = 10_000;

async function untilGone(pids: readonly number[]): Promise<void> {
  const end = performance.now() + GIVE_UP_MS;
  const alive = new Set(descendants(Deno.pid));
  while (pids.every((pid) => alive.has(pid))) {
    if (performance.now() > end) throw new Error("The spinning cell did not end");
    await new Promise((resolve) => setTimeout(resolve, 2));
    alive.clear();
    for (const pid of descendants(Deno.pid)) alive.add(pid);
  }
}

interface Round {
  readonly deadMs: number;
  readonly waitMs: number;
}

async function spinOnce({ runtime, call }: OpenRuntime): Promise<Round> {
  await call("echo", { text: "the cell is up" });
  const cells = descendants(Deno.pid);
  const start = performance.now();
  const spinning = runtime.dispatch("spin", {}, { timeoutMs: DEADLINE_MS });
  const gone = untilGone(cells).then(() => performance.now());
  const result = await spinning;
  if (result.ok || result.error.code !== "timeout") {
    throw new Error(`Expected the spinning call to time out, got ${JSON.stringify(result)}`);
  }
  const asked = performance.now();
  await call("echo", { text: "next" });
  const waitMs = performance.now() - asked;
  return { deadMs: await gone - start - DEADLINE_MS, waitMs };
}

/** The row. */
export const row: BenchRow = {
  id: "P14",
  title: "spinning tool: deadline to dead thread; the wait of the next call in its cell",
  peer: "-",
  async run() {
    await using opened = await openRuntime();
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await spinOnce(opened));
    return [
      {
        name: "deadline to dead thread",
        unit: "ms",
        ours: rounds.map(({ deadMs }) => deadMs),
        statistic: "worst",
        target: { kind: "at most", limit: 1_000 },
      },
      {
        name: "next call",
        unit: "ms",
        ours: rounds.map(({ waitMs }) => waitMs),
        statistic: "worst",
        target: { kind: "below", limit: 150 },
      },
    ];
  },
};
