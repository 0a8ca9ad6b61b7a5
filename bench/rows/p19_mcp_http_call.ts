/**
 * P19: `tools/call` over HTTP.
 * @module
 */
import { measureCalls } from "../harness/mcp_rows.ts";
import type { BenchRow } from "../harness/row.ts";

/** The row. */
export const row: BenchRow = {
  id: "P19",
  title: "MCP tools/call over HTTP",
  peer: "MCP SDK createMcpHandler, echo in the server's process",
  run: () => measureCalls("http"),
};
