/**
 * An MCP server on stdio with one tool, as the SDK's own guide writes it.
 * @module
 */
import { McpServer } from "npm:@modelcontextprotocol/server@2.4.0";
import { serveStdio } from "npm:@modelcontextprotocol/server@2.4.0/stdio";
import { z } from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "echo", version: "1.0.0" });
  server.registerTool(
    "echo",
    { description: "Gives the text back.", inputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({ content: [{ type: "text", text: JSON.stringify({ text }) }] }),
  );
  return server;
});
