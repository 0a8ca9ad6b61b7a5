/**
 * P11: a call whose worker does not exist yet, in a cell that does.
 * @module
 */
import { writeEchoCopies } from "../harness/echo_copies.ts";
import type { BenchRow } from "../harness/row.ts";
import { openRuntime } from "../harness/runtime.ts";
import { tempFolder } from "../harness/temp.ts";
import { startBareWorker } from "../peers/bare_worker.ts";

const COLD_CALLS = 24;

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** The row. */
export const row: BenchRow = {
  id: "P11",
  title: "cold call: the worker is started for it",
  peer: "bare new Worker to its first message",
  async run() {
    await using folder = await tempFolder();
    const root = `${folder.path}/tools`;
    const [first = "", ...names] = await writeEchoCopies(root, COLD_CALLS + 1);
    await using opened = await openRuntime({ roots: [root] });
    await opened.call(first, { text: "the cell is up after this" });
    const ours: number[] = [];
    const peer: number[] = [];
    for (const name of names) {
      ours.push(await timed(() => opened.call(name, { text: "x" })));
      peer.push(
        await timed(async () => {
          using _worker = await startBareWorker();
        }),
      );
    }
    return [{ name: "", unit: "ms", ours, peer, target: { kind: "at most", limit: 1.3 } }];
  },
};
