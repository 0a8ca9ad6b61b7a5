/**
 * P20: `tools/list` of a hundred tools.
 * @module
 */
import { writeEchoCopies } from "../harness/echo_copies.ts";
import { openPair } from "../harness/mcp_rows.ts";
import { cloisterServer, sdkServer } from "../harness/mcp_servers.ts";
import type { BenchRow, Part } from "../harness/row.ts";
import { compare } from "../harness/sample.ts";
import { tempFolder } from "../harness/temp.ts";

const TOOLS = 100;

function expect(count: number): void {
  if (count !== TOOLS) throw new Error(`Expected ${TOOLS} tools, got ${count}`);
}

/** The row. */
export const row: BenchRow = {
  id: "P20",
  title: `MCP tools/list of ${TOOLS} tools`,
  peer: "MCP SDK serveStdio and createMcpHandler",
  async run() {
    await using folder = await tempFolder();
    const tools = `${folder.path}/tools`;
    // One is the runtime's own: it reads long results on.
    await writeEchoCopies(tools, TOOLS - 1, "bench/mcp_tools/echo.ts");
    const parts: Part[] = [];
    for (const transport of ["stdio", "http"] as const) {
      const command = await cloisterServer(transport, tools, folder.path);
      for (const era of ["2025-11-25", "2026-07-28"] as const) {
        await using pair = await openPair(transport, era, command, sdkServer(transport, TOOLS));
        const samples = await compare(
          async () => expect(await pair.ours.list()),
          async () => expect(await pair.peer.list()),
          { perTurn: 20, warmUp: 30 },
        );
        const target = { kind: "at most", limit: 1 } as const;
        parts.push({ name: `${transport}, ${era}`, unit: "ms", ...samples, target });
      }
    }
    return parts;
  },
};
