/** A runtime that uses a real server over stdio, whose list the test writes into a file. */
import { ToolRegistry } from "../../registry/tool_registry.ts";
import type { Runtime, RuntimeOptions } from "../../runtime/runtime_types.ts";
import { createRuntime } from "../../mcp/create_runtime.ts";
import type { McpServerConfig } from "../../mcp/config/server_config.ts";
import type { McpServers } from "../../mcp/mcp_servers.ts";
import { mcpServersOf } from "../../mcp/servers_of.ts";
import { type Listed, tool, within } from "./_memory_server.ts";

const FIXTURE = new URL("../fixtures/mcp/catalogue_listed.ts", import.meta.url).pathname;

/** What a server lists. */
export interface ListFile {
  readonly tools?: readonly Listed[];
  readonly endless?: boolean;
}

/** The tools by which the fixture is steered. */
export const STEERING: readonly Listed[] = [
  tool("poke", {
    inputSchema: { type: "object", properties: { times: { type: "integer" } } },
  }),
  tool("stats"),
];

/** A runtime and its server. */
export interface ListedRuntime extends AsyncDisposable {
  readonly base: string;
  readonly runtime: Runtime;
  readonly servers: McpServers;
  /** What was logged, `level: message`. */
  readonly lines: readonly string[];
  /** Writes what the server lists from now on, beside the steering tools. */
  list(file: ListFile): Promise<void>;
  /** Has the server say that its list changed, and waits for the next change of the table. */
  change(file: ListFile): Promise<void>;
  /** Calls a tool by the server's own name; gives code and text. */
  call(name: string, args?: Listed): Promise<{ code: string; content: string; details: Listed }>;
  /** Names of the table, without the server's prefix and the steering tools. */
  names(): readonly string[];
  /** Calls that reached the server. */
  calls(): Promise<readonly string[]>;
  /** Resolves when a line was logged that matches. */
  logged(pattern: RegExp): Promise<void>;
  /** Ends the runtime and begins another one in the same folders. */
  again(): Promise<ListedRuntime>;
}

/** Options of {@linkcode startListed}. */
export interface ListedOptions {
  readonly first?: ListFile;
  readonly config?: Partial<McpServerConfig>;
  readonly runtime?: RuntimeOptions;
  /** Folders of a runtime before. */
  readonly base?: string;
}

/** Starts a runtime with the server `srv`. */
export async function startListed(options: ListedOptions = {}): Promise<ListedRuntime> {
  const base = options.base ??
    await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-mcp-" }));
  const path = `${base}/list.json`;
  const list = async ({ tools = [], ...more }: ListFile): Promise<void> => {
    await Deno.writeTextFile(path, JSON.stringify({ tools: [...STEERING, ...tools], ...more }));
  };
  if (options.first) await list(options.first);
  const lines: string[] = [];
  const waiting: { pattern: RegExp; resolve: () => void }[] = [];
  const registry = new ToolRegistry();
  const server: McpServerConfig = {
    command: Deno.execPath(),
    args: ["run", "-A", "--no-check", "--no-lock", FIXTURE, path],
    ...options.config,
  };
  await Deno.writeTextFile(
    `${base}/cloister.json`,
    JSON.stringify({ mcpServers: { srv: server } }),
  );
  const runtime = await createRuntime({
    registry,
    builtins: false,
    roots: [],
    workspace: base,
    cacheDir: `${base}/cache`,
    config: `${base}/cloister.json`,
    logger: {
      log(level, message) {
        lines.push(`${level}: ${message}`);
        for (const { pattern, resolve } of waiting) if (pattern.test(message)) resolve();
      },
    },
    ...options.runtime,
  });
  const call: ListedRuntime["call"] = async (name, args = {}) => {
    const { content, error } = await runtime.dispatch(`mcp__srv__${name}`, args);
    return { code: error?.code ?? "ok", content, details: error?.details };
  };
  return {
    base,
    runtime,
    servers: mcpServersOf(runtime)!,
    lines,
    list,
    call,
    async change(file) {
      await list(file);
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = registry.subscribe(() => resolve());
      await call("poke", { times: 1 });
      await within(promise, "no change");
      stop();
    },
    names: () =>
      registry.getAllToolNames().map((name) => name.replace(/^mcp__srv__/, ""))
        .filter((name) => name !== "poke" && name !== "stats"),
    async calls() {
      const text = await Deno.readTextFile(`${path}.calls`).catch(() => "");
      return text.split("\n").filter((line) => line !== "");
    },
    logged(pattern) {
      if (lines.some((line) => pattern.test(line))) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ pattern, resolve });
      return within(promise, `no line ${pattern}`);
    },
    async again() {
      await runtime[Symbol.asyncDispose]();
      return await startListed({ ...options, base, first: undefined });
    },
    async [Symbol.asyncDispose]() {
      await runtime[Symbol.asyncDispose]();
      await Deno.remove(base, { recursive: true }).catch(() => {});
    },
  };
}
