/** Starts servers as the product does, and talks to them. */
import { Client } from "@modelcontextprotocol/client";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import type { JsonObject } from "../../../core/json.ts";
import { MessageGate } from "../../../mcp/client/message_gate.ts";
import { StdioTransport } from "../../../mcp/client/stdio_transport.ts";
import { readServers } from "../../../mcp/config/read_servers.ts";
import type { Ceiling } from "../../../runtime/grants/mod.ts";
import { ServerLauncher } from "../../../mcp/sandbox/server_launcher.ts";

/** What a server is started with. */
export interface StartOptions {
  /** Its entry in the configuration. */
  readonly entry: JsonObject;
  readonly workspace: string;
  readonly cacheDir: string;
  readonly environment: (name: string) => string | undefined;
  readonly ceilings?: readonly Ceiling[];
}

/** A server that runs. */
export interface StartedServer extends AsyncDisposable {
  readonly launcher: ServerLauncher;
  /** Calls a tool; gives its first text, with "error: " before it where it failed. */
  call(name: string, args: JsonObject): Promise<string>;
}

export async function startServer(options: StartOptions): Promise<StartedServer> {
  const { entry, environment } = options;
  const { servers, faults } = readServers({ it: entry }, { environment, origin: "config" });
  if (servers[0] === undefined) throw new Error(JSON.stringify(faults));
  const launcher = new ServerLauncher(servers[0], {
    ...options,
    deno: Deno.execPath(),
    log: () => {},
  });
  const lines: string[] = [];
  const transport = new StdioTransport({
    launch: await launcher.launch(),
    gate: new MessageGate({ onDropped: () => {} }),
    onErrorLine: (line) => lines.push(line),
  });
  const client = new Client({ name: "test", version: "1.0.0" }, {
    jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
  });
  try {
    await client.connect(transport);
  } catch (error) {
    await transport.close();
    await launcher[Symbol.asyncDispose]();
    throw new Error(`${(error as Error).message}: ${lines.join("\n")}`);
  }
  return {
    launcher,
    async call(name, args) {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const first = content[0];
      const text = first?.type === "text" ? first.text : JSON.stringify(first);
      return isError ? `error: ${text}` : text;
    },
    async [Symbol.asyncDispose]() {
      await transport.close();
      await launcher[Symbol.asyncDispose]();
    },
  };
}
