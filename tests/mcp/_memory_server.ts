/** Real MCP servers of the SDK in this very process, reached by JSON-RPC over linked transports. */
import { InMemoryTransport, Server } from "@modelcontextprotocol/server";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { CallFailure } from "../../core/call_failure.ts";
import type { RuntimeLogger } from "../../runtime/runtime_types.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { createRuntime } from "../../runtime/create_runtime.ts";
import type { Runtime, RuntimeOptions } from "../../runtime/runtime_types.ts";
import type {
  ConnectionListener,
  ServerConnection,
  ServerState,
} from "../../mcp/client/connection_types.ts";
import type { McpServerSpec } from "../../mcp/config/server_config.ts";
import { LockFile } from "../../mcp/catalogue/lock.ts";
import { McpServers } from "../../mcp/mcp_servers.ts";

/** A tool as a server lists it; may be anything. */
// deno-lint-ignore no-explicit-any -- servers send what they like
export type Listed = any;

/** A server that lists and answers what the test says. */
export class MemoryServer {
  /** What it lists. */
  tools: readonly Listed[];
  /** What it says that it has. */
  capabilities: { [name: string]: object } = { tools: { listChanged: true } };
  /** Calls that reached it: name and arguments. */
  readonly calls: [string, unknown][] = [];
  /** How often its list was asked for. */
  lists = 0;
  /** How often it was connected to. */
  contacts = 0;
  /** Waited for before a list is answered. */
  gate: Promise<void> = Promise.resolve();
  /** Waited for before a call is answered. */
  callGate: Promise<void> = Promise.resolve();
  /** Thrown in place of a list. */
  listFault: string | undefined;
  /** What a call answers. */
  answer: (name: string, args: unknown) => unknown = (name) => ({
    content: [{ type: "text", text: `${name} ran` }],
  });
  readonly #called = Promise.withResolvers<void>();
  #server: Server | undefined;
  #far: Transport | undefined;

  /** Resolves when the first call reached it. */
  get called(): Promise<void> {
    return this.#called.promise;
  }

  constructor(tools: readonly Listed[]) {
    this.tools = tools;
  }

  /** Begins to serve a transport. */
  async serve(transport: Transport): Promise<void> {
    this.contacts++;
    const server = new Server({ name: "memory", version: "1.0.0" }, {
      capabilities: this.capabilities,
      jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
    });
    server.setRequestHandler("tools/list", async () => {
      this.lists++;
      await this.gate;
      if (this.listFault !== undefined) throw new Error(this.listFault);
      return { tools: [...this.tools] };
    });
    server.setRequestHandler("tools/call", async ({ params }) => {
      this.calls.push([params.name, params.arguments]);
      this.#called.resolve();
      await this.callGate;
      return this.answer(params.name, params.arguments) as { content: [] };
    });
    if (this.capabilities.resources) {
      server.setRequestHandler("resources/list", () => ({
        resources: [{ uri: "memo://a", name: "a\u202Emo" }],
      }));
      server.setRequestHandler("resources/read", ({ params }) => ({
        contents: [{ uri: params.uri, text: "read " + params.uri }],
      }));
    }
    if (this.capabilities.prompts) {
      server.setRequestHandler("prompts/list", () => ({ prompts: [{ name: "greet" }] }));
      server.setRequestHandler("prompts/get", ({ params }) => ({
        messages: [{
          role: "user",
          content: { type: "text", text: `Greet ${params.arguments?.who}` },
        }],
      }));
    }
    this.#server = server;
    this.#far = transport;
    await server.connect(transport);
  }

  /** Sends a notification. */
  async send(method: string, params?: Listed): Promise<void> {
    await this.#far!.send({ jsonrpc: "2.0", method, ...(params && { params }) });
  }

  /** Tells that its tools changed. */
  async notify(): Promise<void> {
    await this.#server!.sendToolListChanged();
  }
}

/** A connection that does what the test's server does, and no more: nothing is tried again. */
export class MemoryConnection implements ServerConnection {
  readonly name: string;
  readonly #server: MemoryServer;
  readonly #listener: ConnectionListener;
  readonly #containment: "sandboxed" | "unsandboxed" | "remote";
  readonly #pending = new Map<number, PromiseWithResolvers<Listed>>();
  #transport: Transport | undefined;
  #nextId = 0;
  #state: ServerState = "configured";
  #error: string | undefined;
  capabilities?: Listed;

  constructor(spec: McpServerSpec, server: MemoryServer, listener: ConnectionListener) {
    this.name = spec.name;
    this.#server = server;
    this.#listener = listener;
    this.#containment = spec.launch.kind === "npm" ? "sandboxed" : "unsandboxed";
  }

  get status() {
    return {
      name: this.name,
      state: this.#state,
      since: 0,
      containment: this.#containment,
      ...(this.#error === undefined ? {} : { error: this.#error }),
    };
  }

  get usable(): boolean {
    return ["configured", "connected", "idle", "degraded"].includes(this.#state);
  }

  /** Goes into a state, as a connection does that loses its server. */
  enter(state: ServerState, error?: string): void {
    this.#state = state;
    this.#error = error;
    this.#listener.onState(this.status);
  }

  async connect(): Promise<void> {
    this.enter("connecting");
    const [near, far] = InMemoryTransport.createLinkedPair();
    near.onmessage = (message: JSONRPCMessage) => this.#receive(message);
    await this.#server.serve(far);
    await near.start();
    this.#transport = near;
    const { capabilities } = await this.#ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
    });
    this.capabilities = capabilities;
    await near.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    this.enter("connected");
  }

  async listTools() {
    return (await this.#ask("tools/list", {})).tools;
  }

  async callTool(tool: { name: string }, args: unknown) {
    if (this.#transport === undefined) await this.connect();
    return await this.#ask("tools/call", { name: tool.name, arguments: args });
  }

  async listResources() {
    return (await this.#ask("resources/list", {})).resources;
  }

  readResource(uri: string) {
    return this.#ask("resources/read", { uri });
  }

  async listPrompts() {
    return (await this.#ask("prompts/list", {})).prompts;
  }

  getPrompt(name: string, args: unknown) {
    return this.#ask("prompts/get", { name, arguments: args });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.enter("closed");
    for (const { reject } of this.#pending.values()) reject(new Error("closed"));
    this.#pending.clear();
    await this.#transport?.close();
  }

  async #ask(method: string, params: Listed): Promise<Listed> {
    if (!this.#transport) throw new CallFailure("unavailable", "not connected");
    const id = this.#nextId++;
    const answer = Promise.withResolvers<Listed>();
    this.#pending.set(id, answer);
    await this.#transport.send({ jsonrpc: "2.0", id, method, params });
    return await answer.promise;
  }

  #receive(message: Listed): void {
    if (message.method === "notifications/tools/list_changed") this.#listener.onToolsChanged();
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    this.#pending.delete(message.id);
    if (message.error) pending.reject(new Error(message.error.message));
    else pending.resolve(message.result);
  }
}

/** A server's settings with every default filled in. */
export function specOf(name: string, changes: Partial<McpServerSpec> = {}): McpServerSpec {
  return {
    name,
    origin: "config",
    launch: { kind: "command", command: "memory", args: [], env: {} },
    enabled: true,
    lazy: false,
    exclude: [],
    resources: true,
    prompts: true,
    timeoutMs: 10_000,
    connectTimeoutMs: 10_000,
    keepaliveMs: 180_000,
    parallel: false,
    trust: "full",
    ...changes,
  };
}

/** Options of {@linkcode startHub}. */
export interface HubOptions {
  /** Changes to the settings of single servers. */
  readonly specs?: Readonly<Record<string, Partial<McpServerSpec>>>;
  /** The table. */
  readonly registry?: ToolRegistry;
  /** Where definitions are pinned. @default {a file of the hub's own} */
  readonly lock?: string;
  /** More for the runtime. */
  readonly runtime?: RuntimeOptions;
  /** Whether to wait for the servers. @default {true} */
  readonly waits?: boolean;
}

/** A runtime with the servers of a test. */
export interface TestHub extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly registry: ToolRegistry;
  readonly hub: McpServers;
  readonly lock: string;
  /** What was logged, `level: message`. */
  readonly lines: readonly string[];
  /** The connection to a server, the newest one. */
  connection(name: string): MemoryConnection;
  /** Resolves when a line was logged that matches. */
  logged(pattern: RegExp): Promise<string>;
  /** Resolves at the next change of the table. */
  changed(): Promise<void>;
}

/** Puts servers of this process behind a runtime. */
export async function startHub(
  servers: Readonly<Record<string, MemoryServer>>,
  options: HubOptions = {},
): Promise<TestHub> {
  const base = await Deno.makeTempDir({ prefix: "cloister-mcp-" });
  const registry = options.registry ?? new ToolRegistry();
  const lines: string[] = [];
  const waiting: { pattern: RegExp; resolve: (line: string) => void }[] = [];
  const logger: RuntimeLogger = {
    log(level, message) {
      const line = `${level}: ${message}`;
      lines.push(line);
      for (const { pattern, resolve } of waiting) if (pattern.test(line)) resolve(line);
    },
  };
  const runtime = await createRuntime({
    registry,
    builtins: false,
    roots: [],
    workspace: base,
    cacheDir: `${base}/cache`,
    config: {},
    ...options.runtime,
  });
  const connections = new Map<string, MemoryConnection>();
  const lock = options.lock ?? `${base}/mcp.lock`;
  const hub = new McpServers({
    host: { runtime, log: logger },
    specs: Object.keys(servers).map((name) => specOf(name, options.specs?.[name])),
    open: (spec, listener) => {
      const connection = new MemoryConnection(spec, servers[spec.name]!, listener);
      connections.set(spec.name, connection);
      return Promise.resolve(connection);
    },
    pins: new LockFile(lock),
    permissions: ({ launch }) => launch.kind === "npm" ? launch.permissions : undefined,
  });
  if (options.waits ?? true) await hub.ready;
  return {
    runtime,
    registry,
    hub,
    lock,
    lines,
    connection: (name) => connections.get(name)!,
    logged(pattern) {
      const known = lines.find((line) => pattern.test(line));
      if (known !== undefined) return Promise.resolve(known);
      const { promise, resolve } = Promise.withResolvers<string>();
      waiting.push({ pattern, resolve });
      return within(promise, `no line ${pattern}`);
    },
    changed() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = registry.subscribe(() => {
        stop();
        resolve();
      });
      return within(promise, "no change");
    },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await runtime[Symbol.asyncDispose]();
      await Deno.remove(base, { recursive: true });
    },
  };
}

/** The promise, or an error after ten seconds. */
export async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited in vain: ${what}`)), 10_000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A tool without arguments. */
export function tool(name: string, more: Listed = {}): Listed {
  return { name, description: `Does ${name}.`, inputSchema: { type: "object" }, ...more };
}
