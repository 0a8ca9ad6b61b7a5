/**
 * The MCP servers of one runtime.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { ToolEntry } from "../core/entry.ts";
import type { Permissions } from "../core/permissions.ts";
import { noteFindings } from "../runtime/entry_findings.ts";
import type { ExtensionHost } from "../runtime/extension.ts";
import { type DefinitionDifference, describeDifference } from "./catalogue/difference.ts";
import type { ToolFinding } from "./catalogue/finding.ts";
import type { PinStore } from "./catalogue/pins.ts";
import { ServerTable } from "./catalogue/server_table.ts";
import type { ServerStatus } from "./client/connection_types.ts";
import type { McpServerSpec } from "./config/server_config.ts";
import type { ServerFault } from "./config/server_fault.ts";
import { type ConnectionOpener, ManagedServer } from "./managed_server.ts";

/** What the servers of a runtime work with. */
export interface McpServersOptions {
  /** What the runtime lends. */
  readonly host: Pick<ExtensionHost, "runtime" | "log" | "configPath">;
  /** The servers, in the order of the configuration. */
  readonly specs: readonly McpServerSpec[];
  /** Opens connections. */
  readonly open: ConnectionOpener;
  /** Where definitions are pinned. */
  readonly pins: PinStore;
  /** What a server may touch, as its tools show it. @default {nothing} */
  readonly permissions?: (spec: McpServerSpec) => Permissions | undefined;
  /** What is wrong with the configuration of servers. @default {nothing} */
  readonly faults?: readonly ServerFault[];
  /** How long the first contact with all of them may take, in milliseconds. @default {120_000} */
  readonly passMs?: number;
}

/** A tool that is held back because its definition changed. */
export interface HeldChange extends DefinitionDifference {
  /** The server. */
  readonly server: string;
  /** The server's own name for the tool. */
  readonly tool: string;
}

const PASS_MS = 120_000;
const MAX_TOLD = 50;
const MAX_REMEMBERED = 10_000;

/** The MCP servers of a runtime; what one of them does never touches another, nor another runtime. */
export class McpServers implements AsyncDisposable {
  /** Settles when every server was reached or failed, after two minutes at the latest. Never rejects. */
  readonly ready: Promise<void>;
  readonly #options: McpServersOptions;
  readonly #servers: ReadonlyMap<string, ManagedServer>;
  readonly #findings = new Map<string, readonly Diagnostic[]>();
  readonly #told = new Set<string>();
  readonly #since = Date.now();
  readonly #over = Promise.withResolvers<void>();
  #closing: Promise<void> | undefined;

  /**
   * Takes servers and begins to reach them, all at the same time.
   *
   * @param options What they work with.
   */
  constructor(options: McpServersOptions) {
    this.#options = options;
    const { host: { runtime }, specs, open, pins, permissions } = options;
    const table = new ServerTable({
      registry: runtime.registry,
      servers: specs.map(({ name }) => name),
      isToolset: (name) => runtime.resolveToolset(name).found,
      onSkip: (_server, message) => this.#log("warning", message),
    });
    this.#servers = new Map(specs.map((spec) => [
      spec.name,
      new ManagedServer({
        spec,
        open,
        pins,
        table,
        permissions: permissions?.(spec),
        log: (level, message) => this.#log(level, message),
        onFindings: (findings, entries) => this.#note(spec.name, findings, entries),
      }),
    ]));
    this.#noteFaults();
    this.ready = this.#startAll();
  }

  /**
   * What the servers are up to.
   *
   * @returns Their states, in the order of the configuration; those whose configuration cannot be used come last.
   */
  servers(): readonly ServerStatus[] {
    return [...this.#servers.values()].map(({ status }) => status).concat(this.#unusable());
  }

  #unusable(): ServerStatus[] {
    const { faults = [] } = this.#options;
    return faults.filter(({ severity, server }) =>
      severity === "error" && !this.#servers.has(server)
    ).map(({ server, message }) => ({
      name: server,
      state: "failed",
      error: message,
      since: this.#since,
      containment: "unsandboxed",
      tools: 0,
    }));
  }

  /**
   * What was found about the tools of the servers: such as are left out, hold hidden characters, or read like
   * instructions to a model.
   *
   * @param server The one server to look at. @default {all of them}
   * @returns The findings.
   */
  diagnostics(server?: string): readonly Diagnostic[] {
    if (server !== undefined) return this.#findings.get(server) ?? [];
    return [...this.#findings.values()].flat();
  }

  /**
   * The tools that are held back because their definitions changed.
   *
   * @returns What changed in each of them.
   */
  async changes(): Promise<readonly HeldChange[]> {
    const held = [...this.#servers.values()].flatMap((server) =>
      [...server.changed].map(async ([tool, change]) => ({
        server: server.name,
        tool,
        ...await describeDifference(change),
      }))
    );
    return await Promise.all(held);
  }

  /**
   * Ends a server's connection and begins anew.
   *
   * @param name The server's name in the configuration.
   * @returns What it is up to then.
   * @throws {RangeError} If there is no such server.
   */
  async reconnect(name: string): Promise<ServerStatus> {
    const server = this.#get(name);
    await server.restart();
    return server.status;
  }

  /**
   * Takes what a server says now of tools that are held back, and pins it.
   *
   * @param name The server's name in the configuration.
   * @param tool The one tool, by the server's own name. @default {every one that changed}
   * @returns The server's own names of the tools that were accepted.
   * @throws {RangeError} If there is no such server.
   * @throws {Error} If the server cannot be reached, or no change of the tool is held back.
   */
  async accept(name: string, tool?: string): Promise<readonly string[]> {
    return await this.#get(name).accept(tool);
  }

  /** Ends every connection and takes the tools out of the table. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#over.resolve();
    await Promise.all([...this.#servers.values()].map((server) => server[Symbol.asyncDispose]()));
  }

  async #startAll(): Promise<void> {
    const { passMs = PASS_MS } = this.#options;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        const waiting = this.servers().filter(({ state }) => state === "connecting");
        const names = waiting.map(({ name }) => `"${name}"`).join(", ");
        this.#log("warning", `Went on without waiting for MCP servers: ${names || "their lists"}`);
        resolve();
      }, passMs);
    });
    const all = Promise.all([...this.#servers.values()].map((server) => server.start()));
    try {
      await Promise.race([all, late, this.#over.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #get(name: string): ManagedServer {
    const server = this.#servers.get(name);
    if (server) return server;
    throw new RangeError(
      `Cannot find MCP server "${name}": the configuration has ${
        [...this.#servers.keys()].map((known) => `"${known}"`).join(", ") || "none"
      }`,
    );
  }

  #note(
    server: string,
    findings: readonly ToolFinding[],
    entries: ReadonlyMap<string, ToolEntry>,
  ): void {
    const diagnostics = findings.map(({ severity, code, message }) =>
      this.#diagnostic(severity, code, `MCP server "${server}": ${message}`)
    );
    this.#findings.set(server, diagnostics);
    for (const [tool, entry] of entries) {
      noteFindings(entry, diagnostics.filter((_, index) => findings[index]!.tool === tool));
    }
    this.#tell(diagnostics);
  }

  #noteFaults(): void {
    const diagnostics = (this.#options.faults ?? []).map(({ severity, code, message, hint }) => ({
      ...this.#diagnostic(severity, code, message),
      ...(hint === undefined ? {} : { hint }),
    }));
    // No server has an empty name.
    this.#findings.set("", diagnostics);
    for (const { severity, message, hint } of diagnostics) {
      this.#log(severity, hint === undefined ? message : `${message}. ${hint}`);
    }
  }

  #diagnostic(severity: Diagnostic["severity"], code: string, message: string): Diagnostic {
    const path = this.#options.host.configPath ?? "<config>";
    return { severity, code, message, path, line: 1, column: 1 };
  }

  // A list is looked at again and again; what was said of it stays said.
  #tell(diagnostics: readonly Diagnostic[]): void {
    const news = diagnostics.filter(({ message }) => !this.#told.has(message));
    for (const { severity, message } of news.slice(0, MAX_TOLD)) this.#log(severity, message);
    if (news.length > MAX_TOLD) {
      this.#log("warning", `… and ${news.length - MAX_TOLD} more findings`);
    }
    if (this.#told.size + news.length > MAX_REMEMBERED) this.#told.clear();
    for (const { message } of news) this.#told.add(message);
  }

  #log(level: "debug" | "info" | "warning" | "error", message: string): void {
    this.#options.host.log.log(level, message);
  }
}
