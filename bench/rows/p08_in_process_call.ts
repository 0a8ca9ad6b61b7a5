/**
 * P8: a warm call of a worker in the front's own process.
 * @module
 */
import { keepCoreBusy, runToEnd } from "../harness/processes.ts";
import type { BenchRow } from "../harness/row.ts";
import type { Samples } from "../harness/sample.ts";
import { projectPath } from "../harness/temp.ts";

// Without run of deno the runtime has no cells, and runs what the operator listed in its own process.
const FLAGS = ["run", "--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--no-prompt"];

async function measure(): Promise<Samples> {
  const args = [...FLAGS, "--quiet", projectPath("bench/subjects/in_process.ts")];
  const text = await runToEnd({ program: Deno.execPath(), args });
  return JSON.parse(text.trim().split("\n").at(-1)!);
}

/** The row. */
export const row: BenchRow = {
  id: "P8",
  title: "warm call, worker in the front's process",
  peer: "bare postMessage round trip",
  async run() {
    const idle = await measure();
    await using _busy = keepCoreBusy();
    const busy = await measure();
    return [
      { name: "", unit: "ms", ...idle, target: { kind: "at most", limit: 1.6 } },
      { name: "other core busy", unit: "ms", ...busy },
    ];
  },
};
