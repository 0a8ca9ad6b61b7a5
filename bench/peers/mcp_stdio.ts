/**
 * Starts the MCP echo server as a child and calls it through the SDK's client.
 * @module
 */
import { Client } from "npm:@modelcontextprotocol/client@2.4.0";
import { StdioClientTransport } from "npm:@modelcontextprotocol/client@2.4.0/stdio";
import { projectPath } from "../harness/temp.ts";

/** A connected server. */
export interface McpStdioPeer extends AsyncDisposable {
  /** The server's process id. */
  readonly pid: number;
  /** Calls the echo tool and gives the text of its result. */
  echo(text: string): Promise<string>;
}

/**
 * Starts the server and connects.
 *
 * @returns The connected server.
 */
export async function startMcpStdio(): Promise<McpStdioPeer> {
  const script = projectPath("bench/peers/mcp_echo_server.ts");
  const transport = new StdioClientTransport({
    command: Deno.execPath(),
    args: ["run", "-A", "--quiet", "--cached-only", script],
  });
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  return {
    pid: transport.pid!,
    async echo(text) {
      const result = await client.callTool({ name: "echo", arguments: { text } });
      const [block] = result.content as { type: string; text: string }[];
      return block!.text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
