/**
 * The connection to one MCP server as the rest of the client sees it.
 * @module
 */
import type {
  CallToolResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ServerCapabilities,
  Tool,
} from "@modelcontextprotocol/client";
import type { ToolContext } from "../../core/context.ts";
import type { JsonObject } from "../../core/json.ts";

/**
 * What a server is up to. `configured` nothing was tried yet; `connecting`; `connected`; `degraded` it answered
 * before and is being reached again; `idle` stopped on purpose, the next call starts it; `parked` given up for
 * now, its tools are gone and it is tried again from time to time; `failed` the first contact failed, and it
 * is tried again from time to time as well; `disabled` by the configuration; `closed` the runtime is over.
 */
export type ServerState =
  | "configured"
  | "connecting"
  | "connected"
  | "degraded"
  | "idle"
  | "parked"
  | "failed"
  | "disabled"
  | "closed";

/** A server's state with what is known of it. */
export interface ServerStatus {
  /** Its name. */
  readonly name: string;
  /** What it is up to. */
  readonly state: ServerState;
  /** Why it cannot be used, credentials taken out. */
  readonly error?: string;
  /** Since when, in milliseconds since the epoch. */
  readonly since: number;
  /** What holds it: Deno's permissions, nothing, or it runs elsewhere. */
  readonly containment: "sandboxed" | "unsandboxed" | "remote";
  /** The protocol revision in use. */
  readonly protocolVersion?: string;
  /** The server's own name and version. */
  readonly serverInfo?: { readonly name: string; readonly version: string };
  /** How many of its messages were dropped: no JSON-RPC, or answers that nobody waits for. */
  readonly dropped?: number;
  /** How many tools of it are in the table. */
  readonly tools: number;
}

/** How a call is made. */
export interface ServerCallOptions {
  /** Cancels the call: the server is told. */
  readonly signal: AbortSignal;
  /** Deadline in milliseconds, also while progress comes. */
  readonly timeoutMs: number;
  /** Whether running it twice does no harm. */
  readonly repeatable: boolean;
  /** Hears progress, and answers what the server asks for in mid-call. */
  readonly context: Pick<ToolContext, "progress" | "elicit" | "log">;
}

/** The connection to one server, over its whole life. */
export interface ServerConnection extends AsyncDisposable {
  /** The server's name. */
  readonly name: string;
  /** What it is up to. */
  readonly status: Omit<ServerStatus, "tools">;
  /** What the server offers; absent until it was reached once. */
  readonly capabilities?: ServerCapabilities;
  /** Whether calls make sense now: connected, idle, degraded or lazy. */
  readonly usable: boolean;
  /**
   * Makes the first contact; later ones come by themselves.
   *
   * @throws {Error} If the server cannot be reached; its state says what comes next.
   */
  connect(): Promise<void>;
  /**
   * Fetches every page of the list, 50 pages and 10,000 tools at most.
   *
   * @throws {CallFailure} If the server cannot be reached or gives no list.
   */
  listTools(signal?: AbortSignal): Promise<readonly Tool[]>;
  /**
   * Calls a tool by the server's own name for it.
   *
   * @throws {CallFailure} `unavailable`, `outcome_unknown`, `timeout`, `cancelled`, `invalid_result` or `tool_error`.
   */
  callTool(tool: Tool, args: JsonObject, options: ServerCallOptions): Promise<CallToolResult>;
  listResources(options: ServerCallOptions): Promise<readonly Resource[]>;
  readResource(uri: string, options: ServerCallOptions): Promise<ReadResourceResult>;
  listPrompts(options: ServerCallOptions): Promise<readonly Prompt[]>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: ServerCallOptions,
  ): Promise<GetPromptResult>;
}

/** What a connection tells. None of these may throw. */
export interface ConnectionListener {
  /** The server said that its tools changed, or a keepalive saw another list. */
  onToolsChanged(): void;
  /** The state changed. `parked` and `failed` mean that its tools must go; `connected` that they may come. */
  onState(status: Omit<ServerStatus, "tools">): void;
  /** A line for the log: stderr of the server, its log notifications, what the connection does. Control characters are taken out. */
  onLog(level: "debug" | "info" | "warning" | "error", message: string): void;
}
