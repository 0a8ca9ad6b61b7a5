/**
 * P10: calls per second through cells.
 * @module
 */
import type { BenchRow } from "../harness/row.ts";
import { openRuntime } from "../harness/runtime.ts";
import { throughput } from "../harness/sample.ts";
import { startMcpStdio } from "../peers/mcp_stdio.ts";

const IN_FLIGHT = 64;
const CALLS = 2_000;
const TURNS = 5;

/** The row. */
export const row: BenchRow = {
  id: "P10",
  title: `calls per second through cells, ${IN_FLIGHT} in flight`,
  peer: `MCP SDK stdio tools/call echo, ${IN_FLIGHT} in flight`,
  async run() {
    await using opened = await openRuntime();
    await using mcp = await startMcpStdio();
    const options = { calls: CALLS, inFlight: IN_FLIGHT };
    const measureOurs = () => throughput(() => opened.call("echo", { text: "x" }), options);
    const measurePeer = () => throughput(() => mcp.echo("x"), options);
    await measureOurs();
    await measurePeer();
    const ours: number[] = [];
    const peer: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      ours.push(await measureOurs());
      peer.push(await measurePeer());
    }
    return [{ name: "", unit: "calls/s", ours, peer, target: { kind: "at least", limit: 3 } }];
  },
};
