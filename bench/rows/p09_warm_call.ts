/**
 * P9: a warm call through a cell.
 * @module
 */
import type { BenchRow } from "../harness/row.ts";
import { keepCoreBusy } from "../harness/processes.ts";
import { openRuntime } from "../harness/runtime.ts";
import { compare, type Samples } from "../harness/sample.ts";
import { startMcpStdio } from "../peers/mcp_stdio.ts";

const TEXT = "a text of the length that arguments often have";
const EXPECTED = JSON.stringify({ text: TEXT });

function expect(content: string): void {
  if (content !== EXPECTED) throw new Error(`The echo came back as ${content}`);
}

/** The row. */
export const row: BenchRow = {
  id: "P9",
  title: "warm call through a cell",
  peer: "MCP SDK stdio tools/call echo",
  async run() {
    await using opened = await openRuntime();
    await using peer = await startMcpStdio();
    const measure = (name: string): Promise<Samples> =>
      compare(
        async () => expect(await opened.call(name, { text: TEXT })),
        async () => expect(await peer.echo(TEXT)),
        { perTurn: 100, warmUp: 300 },
      );
    const own = await measure("echo_process");
    const shared = await measure("echo");
    await using _busy = keepCoreBusy();
    const busy = await measure("echo");
    return [
      {
        name: "a) process isolation",
        unit: "ms",
        ...own,
        target: { kind: "at most", limit: 1 },
      },
      {
        name: "b) worker in a shared cell",
        unit: "ms",
        ...shared,
        target: { kind: "at most", limit: 1.2 },
      },
      { name: "b) with the other core busy", unit: "ms", ...busy },
    ];
  },
};
