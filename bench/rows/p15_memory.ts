/**
 * P15: memory of twenty warm tools.
 * @module
 */
import { writeEchoCopies } from "../harness/echo_copies.ts";
import { descendants, memoryOf } from "../harness/processes.ts";
import type { BenchRow } from "../harness/row.ts";
import { projectPath, tempFolder } from "../harness/temp.ts";
import { type McpStdioPeer, startMcpStdio } from "../peers/mcp_stdio.ts";

const TOOLS = 20;

async function memoryOfFront(root: string, names: readonly string[]): Promise<number> {
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
    return [child.pid, ...descendants(child.pid)].reduce((sum, pid) => sum + memoryOf(pid), 0);
  } finally {
    await child.stdin.close().catch(() => {});
    await child.status;
    await reader.cancel();
  }
}

async function memoryOfPeers(): Promise<number> {
  const peers: McpStdioPeer[] = [];
  try {
    for (let index = 0; index < TOOLS; index++) {
      const peer = await startMcpStdio();
      peers.push(peer);
      await peer.echo("warm");
    }
    return peers.reduce((sum, { pid }) => sum + memoryOf(pid), 0);
  } finally {
    await Promise.all(peers.map((peer) => peer[Symbol.asyncDispose]()));
  }
}

/** The row. */
export const row: BenchRow = {
  id: "P15",
  title: `memory of the front, its cell and ${TOOLS} warm workers (proportional set size)`,
  peer: `${TOOLS} stdio MCP servers`,
  async run() {
    memoryOf(Deno.pid);
    await using folder = await tempFolder();
    const root = `${folder.path}/tools`;
    const names = await writeEchoCopies(root, TOOLS);
    const ours = [await memoryOfFront(root, names)];
    const peer = [await memoryOfPeers()];
    return [{ name: "", unit: "bytes", ours, peer, target: { kind: "at most", limit: 0.25 } }];
  },
};
