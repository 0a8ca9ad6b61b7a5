/**
 * The tools of the peer servers, as the SDK's own guide writes them.
 * @module
 */
import { McpServer } from "npm:@modelcontextprotocol/server@2.4.0";
import { z } from "zod";

/**
 * Makes a server with so many tools. The first is called `echo`, the others `echo_1`, `echo_2` and so on.
 *
 * @param count How many.
 * @returns The server, connected to nothing.
 */
export function makeSdkServer(count: number): McpServer {
  const server = new McpServer({ name: "echo", version: "1.0.0" });
  for (let index = 0; index < count; index++) {
    server.registerTool(
      index === 0 ? "echo" : `echo_${index}`,
      {
        description: "Gives the text back.",
        inputSchema: z.object({ text: z.string() }),
        outputSchema: z.object({ text: z.string() }),
      },
      ({ text }) => ({
        content: [{ type: "text", text: JSON.stringify({ text }) }],
        structuredContent: { text },
      }),
    );
  }
  return server;
}
