/**
 * P18: `tools/call` over stdin and stdout.
 * @module
 */
import { measureCalls } from "../harness/mcp_rows.ts";
import type { BenchRow } from "../harness/row.ts";

/** The row. */
export const row: BenchRow = {
  id: "P18",
  title: "MCP tools/call over stdio",
  peer: "MCP SDK serveStdio, echo in the server's process",
  run: () => measureCalls("stdio"),
};
