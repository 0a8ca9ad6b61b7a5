/**
 * P15: memory of twenty warm tools.
 * @module
 */
import { writeEchoCopies } from "../harness/echo_copies.ts";
import { descendants, type Memory, memoryOf } from "../harness/processes.ts";
import type { BenchRow } from "../harness/row.ts";
import { projectPath, tempFolder } from "../harness/temp.ts";
import { type McpStdioPeer, startMcpStdio } from "../peers/mcp_stdio.ts";

const TOOLS = 20;

async function memoryOfFront(root: string, names: readonly string[]): Promise<Memory> {
  const script = projectPath("bench/subjects/front.ts");
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", script, root, ...names],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  try {
    const { done } = await reader.read();
    if (done) throw new Error("The front ended before its tools were warm");
    return memoryOf([child.pid, ...descendants(child.pid)]);
  } finally {
    await child.stdin.close().catch(() => {});
    await child.status;
    await reader.cancel();
  }
}

async function memoryOfPeers(): Promise<Memory> {
  const peers: McpStdioPeer[] = [];
  try {
    for (let index = 0; index < TOOLS; index++) {
      const peer = await startMcpStdio();
      peers.push(peer);
      await peer.echo("warm");
    }
    return memoryOf(peers.map(({ pid }) => pid));
  } finally {
    await Promise.all(peers.map((peer) => peer[Symbol.asyncDispose]()));
  }
}

/** The row. */
export const row: BenchRow = {
  id: "P15",
  title: `memory of the front, its cell and ${TOOLS} warm workers`,
  peer: `${TOOLS} stdio MCP servers`,
  async run() {
    memoryOf([Deno.pid]);
    await using folder = await tempFolder();
    const root = `${folder.path}/tools`;
    const names = await writeEchoCopies(root, TOOLS);
    const ours = await memoryOfFront(root, names);
    const peer = await memoryOfPeers();
    return [
      {
        name: "proportional set size",
        unit: "bytes",
        ours: [ours.proportional],
        peer: [peer.proportional],
        target: { kind: "at most", limit: 0.25 },
      },
      { name: "resident size", unit: "bytes", ours: [ours.resident], peer: [peer.resident] },
    ];
  },
};
