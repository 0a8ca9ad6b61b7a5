/**
 * An MCP server and client of the SDK in one process, over its in-memory transport.
 * @module
 */
import { Client } from "npm:@modelcontextprotocol/client@2.4.0";
import { InMemoryTransport, McpServer } from "npm:@modelcontextprotocol/server@2.4.0";
import { z } from "zod";

/** A connected pair. */
export interface McpMemoryPeer extends AsyncDisposable {
  /** Lists the tools and gives their number. */
  list(): Promise<number>;
  /** Calls tool `tool_0` and gives the text of its result. */
  call(text: string, count: number): Promise<string>;
}

/**
 * Connects a client to a server with so many tools.
 *
 * @param count How many tools.
 * @returns The pair.
 */
export async function startMcpMemory(count: number): Promise<McpMemoryPeer> {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  for (let index = 0; index < count; index++) {
    server.registerTool(
      `tool_${index}`,
      {
        description: `Gives the text back ${index} times.`,
        inputSchema: z.object({ text: z.string(), count: z.number().int().min(0).max(1000) }),
      },
      ({ text, count }) => ({ content: [{ type: "text", text: JSON.stringify({ text, count }) }] }),
    );
  }
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "bench", version: "1.0.0" });
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  return {
    list: async () => (await client.listTools()).tools.length,
    async call(text, count) {
      const result = await client.callTool({ name: "tool_0", arguments: { text, count } });
      return (result.content as { text: string }[])[0]!.text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
