/**
 * Starts MCP servers and talks to them with the SDK's client: the same one for us and for the peer.
 * @module
 */
import { Client, StreamableHTTPClientTransport } from "npm:@modelcontextprotocol/client@2.4.0";
import { StdioClientTransport } from "npm:@modelcontextprotocol/client@2.4.0/stdio";
import type { Command } from "./processes.ts";

/** A revision of the protocol: the newest with a handshake, or the one without sessions. */
export type Era = "2025-11-25" | "2026-07-28";

/** A connected server. */
export interface McpConnection extends AsyncDisposable {
  /** Calls a tool with a text, and fails unless that very text comes back as text and as structure. */
  echo(text: string, tool?: string): Promise<void>;
  /** Lists every tool, past the client's cache, and gives their number. */
  list(): Promise<number>;
}

function makeClient(era: Era): Client {
  const versionNegotiation = era === "2026-07-28" ? { mode: { pin: era } } : undefined;
  return new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation });
}

function connection(client: Client, close: () => Promise<void>): McpConnection {
  return {
    async echo(text, tool = "echo") {
      const result = await client.callTool({ name: tool, arguments: { text } });
      const [block] = result.content as { readonly text?: string }[];
      const structured = result.structuredContent as { readonly text?: string } | undefined;
      if (block?.text !== JSON.stringify({ text }) || structured?.text !== text) {
        throw new Error(`The echo came back as ${JSON.stringify(result)}`);
      }
    },
    list: async () => (await client.listTools(undefined, { cacheMode: "bypass" })).tools.length,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Starts a server that speaks on stdin and stdout.
 *
 * @param command Its command line.
 * @param era The revision to speak.
 * @returns The connection; the server ends with it.
 */
export async function openStdio(command: Command, era: Era): Promise<McpConnection> {
  const { program, args, cwd } = command;
  const env = Deno.env.toObject();
  const transport = new StdioClientTransport({ command: program, args: [...args], cwd, env });
  const client = makeClient(era);
  await client.connect(transport);
  return connection(client, () => client.close());
}

/**
 * Starts a server that prints its address in its first lines, and talks to it over HTTP.
 *
 * @param command Its command line.
 * @param era The revision to speak.
 * @returns The connection; the server ends with it.
 */
export async function openHttp(command: Command, era: Era): Promise<McpConnection> {
  const { program, args, cwd } = command;
  const child = new Deno.Command(program, {
    args: [...args],
    cwd,
    stdin: "null",
    stdout: "piped",
    // A server that is left behind must not hold the streams of the row.
    stderr: "null",
  }).spawn();
  const end = async () => {
    child.kill("SIGTERM");
    await child.status;
  };
  try {
    const client = makeClient(era);
    await client.connect(new StreamableHTTPClientTransport(await firstAddress(child.stdout)));
    return connection(client, async () => {
      await client.close();
      await end();
    });
  } catch (error) {
    await end();
    throw error;
  }
}

async function firstAddress(stdout: ReadableStream<Uint8Array>): Promise<URL> {
  const reader = stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let address: string | undefined;
  while (address === undefined) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The server ended without an address: ${text}`);
    text += decoder.decode(value, { stream: true });
    address = /(http:\/\/127\.0\.0\.1:\d+)[^]*\n/.exec(text)?.[1];
  }
  reader.releaseLock();
  // What it prints later must not stop it.
  void stdout.pipeTo(new WritableStream());
  return new URL("/mcp", address);
}
