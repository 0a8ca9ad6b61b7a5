/**
 * One MCP server of a runtime: its connection, its list, its part of the table.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { Permissions } from "../core/permissions.ts";
import { showName } from "./catalogue/check_tool.ts";
import { describeNews, heldFindings, listNames } from "./catalogue/describe_news.ts";
import type { ToolFinding } from "./catalogue/finding.ts";
import { launchIdentity } from "./catalogue/launch_identity.ts";
import {
  acceptChanged,
  type ChangedTool,
  comparePins,
  type PinComparison,
  type PinStore,
  type ServerPins,
} from "./catalogue/pins.ts";
import { Refresher } from "./catalogue/refresh.ts";
import type { ServerTable } from "./catalogue/server_table.ts";
import { type ServerPlan, ServerTools } from "./catalogue/server_tools.ts";
import type {
  ConnectionListener,
  ServerConnection,
  ServerState,
  ServerStatus,
} from "./client/connection_types.ts";
import type { McpServerSpec } from "./config/server_config.ts";

/** Opens the connection to a server, without contacting it. */
export type ConnectionOpener = (
  spec: McpServerSpec,
  listener: ConnectionListener,
) => Promise<ServerConnection>;

/** What a server works with. */
export interface ManagedServerOptions {
  /** The server. */
  readonly spec: McpServerSpec;
  /** Opens its connection. */
  readonly open: ConnectionOpener;
  /** Where definitions are pinned. */
  readonly pins: PinStore;
  /** The table's part of all servers. */
  readonly table: ServerTable;
  /** What the server may touch, as its tools show it. @default {nothing} */
  readonly permissions?: Permissions;
  /** Writes a record. */
  readonly log: (level: "debug" | "info" | "warning" | "error", message: string) => void;
  /** Hears what was found about its tools, and about which entries. */
  readonly onFindings: (
    findings: readonly ToolFinding[],
    entries: ReadonlyMap<string, ToolEntry>,
  ) => void;
}

/** In these states a server has no tools. */
const GONE: ReadonlySet<ServerState> = new Set(["parked", "failed", "disabled", "closed"]);

/** One server over the life of a runtime. */
export class ManagedServer implements AsyncDisposable {
  /** The server's name in the configuration. */
  readonly name: string;
  readonly #options: ManagedServerOptions;
  readonly #since = Date.now();
  #connection: ServerConnection | undefined;
  #tools: ServerTools | undefined;
  #refresher: Refresher | undefined;
  #pins: ServerPins | undefined;
  #changed: ReadonlyMap<string, ChangedTool> = new Map();
  #fault: string | undefined;
  #isOver = false;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * Takes a server; nothing is started.
   *
   * @param options What it works with.
   */
  constructor(options: ManagedServerOptions) {
    this.#options = options;
    this.name = options.spec.name;
  }

  /** What the server is up to. */
  get status(): ServerStatus {
    const { spec, table } = this.#options;
    const known = this.#connection?.status ?? {
      name: spec.name,
      state: this.#isOver ? "closed" as const : this.#stateWithout(),
      since: this.#since,
      containment: containmentOf(spec),
    };
    const error = known.error ?? this.#fault;
    return { ...known, ...(error === undefined ? {} : { error }), tools: table.count(spec.name) };
  }

  /** Tools whose definition is other than the pinned one, by the server's own names. */
  get changed(): ReadonlyMap<string, ChangedTool> {
    return this.#changed;
  }

  /**
   * Reaches the server and puts its tools into the table; a lazy server that was seen before is not started, its tools
   * are those that are pinned. Never rejects: the status says what went wrong.
   */
  async start(): Promise<void> {
    const { spec, pins } = this.#options;
    if (!spec.enabled || this.#isOver) return;
    this.#fault = undefined;
    try {
      const identity = await launchIdentity(spec.launch);
      const pinned = await pins.read(spec.name);
      await this.#open();
      if (spec.lazy && pinned?.launch === identity) await this.#offerPinned(pinned);
      else await this.#contact();
    } catch (error) {
      this.#fail("Cannot use", error);
    }
  }

  /** Ends the connection and begins anew; the tools stay in the table meanwhile. Never rejects. */
  async restart(): Promise<void> {
    await this.#close();
    await this.start();
    if (GONE.has(this.status.state)) this.#withdraw();
  }

  /**
   * Pins what the server says now.
   *
   * @param tool The one tool to accept, by the server's own name. @default {every one that changed}
   * @returns The server's own names of the tools that were accepted.
   * @throws {Error} If the server cannot be reached, nothing is held back under the name, or it cannot be pinned.
   */
  async accept(tool?: string): Promise<readonly string[]> {
    // A lazy server was not asked yet what it says now.
    if (this.#pins === undefined) await this.#contact();
    await this.#refresher?.now();
    if (tool !== undefined && !this.#changed.has(tool)) {
      throw new Error(
        `Cannot accept tool "${tool}" of MCP server "${this.name}": no change of it is held back`,
      );
    }
    const accepted = await this.#inTurn(() => this.#acceptNow(tool));
    await this.#refresher?.now();
    return accepted;
  }

  async #acceptNow(tool: string | undefined): Promise<readonly string[]> {
    const { pins } = this.#options;
    const before = await pins.read(this.name) ?? this.#pins;
    if (before === undefined) return [];
    const { pins: next, accepted } = acceptChanged(before, this.#changed, tool);
    await pins.write(this.name, next);
    this.#pins = next;
    return accepted;
  }

  // A look must not write down again what it read before somebody accepted another.
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Ends the connection and takes the tools out of the table. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#withdraw();
    await this.#close();
  }

  async #open(): Promise<void> {
    const { spec, open, permissions } = this.#options;
    let isCurrent = () => false;
    const opened = await open(spec, {
      onToolsChanged: () => {
        if (isCurrent()) this.#refresher?.request();
      },
      onState: ({ state }) => {
        if (isCurrent()) this.#follow(state);
      },
      onLog: (level, message) => this.#log(level, message),
    });
    isCurrent = () => this.#connection === opened && !this.#isOver;
    this.#connection = opened;
    this.#tools = new ServerTools(spec, opened, permissions);
    this.#refresher = new Refresher({
      refresh: () => this.#inTurn(() => this.#refresh()),
      onError: (error) => this.#fail("Cannot list the tools of", error),
    });
  }

  async #close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    const refresher = this.#refresher;
    this.#refresher = undefined;
    // First the connection: a look that waits for an answer ends with it.
    await connection?.[Symbol.asyncDispose]();
    await refresher?.[Symbol.asyncDispose]();
  }

  async #contact(): Promise<void> {
    if (this.#connection === undefined) throw new Error(`MCP server "${this.name}" is not started`);
    await this.#connection.connect();
    await this.#refresher!.now();
  }

  #follow(state: ServerState): void {
    if (GONE.has(state)) return this.#withdraw();
    if (state !== "connected") return;
    // Whatever it missed while it was away.
    this.#refresher?.now().catch((error: unknown) => this.#fail("Cannot list the tools of", error));
  }

  #withdraw(): void {
    const { removed } = this.#options.table.set(this.name, []);
    if (removed.length === 0 || this.#isOver) return;
    this.#log(
      "warning",
      `its tools are gone while it is ${this.status.state}: ${listNames(removed)}`,
    );
  }

  // Held to be good: what was pinned is what was accepted.
  async #offerPinned(pins: ServerPins): Promise<void> {
    const definitions = [...pins.tools.values()].filter(({ listed }) => listed)
      .map(({ definition }) => definition);
    const sorted = await this.#tools!.sort(definitions);
    const plan = await this.#tools!.plan(sorted, new Map(), undefined);
    this.#options.table.set(this.name, plan.tools);
    this.#tellFindings(plan, [...sorted.findings, ...plan.findings]);
  }

  async #refresh(): Promise<void> {
    const { spec, pins, table } = this.#options;
    const [connection, tools] = [this.#connection, this.#tools];
    if (connection === undefined || tools === undefined) return;
    const identity = await launchIdentity(spec.launch);
    const sorted = await tools.sort(await connection.listTools());
    const pinned = await pins.read(this.name) ?? this.#pins;
    const comparison = comparePins(pinned, identity, sorted.definitions);
    const plan = await tools.plan(sorted, comparison.changed, connection.capabilities);
    // What was asked for before the server went must not come after.
    if (this.#connection !== connection || GONE.has(connection.status.state)) return;
    const news = table.set(this.name, plan.tools);
    this.#fault = undefined;
    this.#changed = comparison.changed;
    this.#pins = comparison.next;
    for (const line of describeNews(news, comparison)) this.#log("warning", line);
    this.#tellFindings(plan, [
      ...sorted.findings,
      ...plan.findings,
      ...heldFindings(comparison.changed),
    ]);
    if (comparison.isNews) await this.#pin(comparison);
  }

  async #pin({ next, isFirst, added }: PinComparison): Promise<void> {
    try {
      await this.#options.pins.write(this.name, next);
      if (isFirst) {
        this.#log("info", `${added.length} tools are taken as they are on first sight, and pinned`);
      }
    } catch (error) {
      this.#log(
        "warning",
        `its tools are pinned for this run only: ${(error as Error).message}`,
      );
    }
  }

  #tellFindings({ tools }: ServerPlan, findings: readonly ToolFinding[]): void {
    const entries = new Map(tools.map(({ raw, entry }) => [showName(raw), entry]));
    this.#options.onFindings(findings, entries);
  }

  #stateWithout(): ServerState {
    if (!this.#options.spec.enabled) return "disabled";
    return this.#fault === undefined ? "configured" : "failed";
  }

  #fail(what: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#isOver || this.#fault === message) return;
    this.#fault = message;
    this.#options.log("warning", `${what} MCP server "${this.name}": ${message}`);
  }

  #log(level: "debug" | "info" | "warning" | "error", message: string): void {
    this.#options.log(level, `MCP server "${this.name}": ${message}`);
  }
}

function containmentOf({ launch: { kind } }: McpServerSpec): ServerStatus["containment"] {
  if (kind === "http") return "remote";
  return kind === "npm" ? "sandboxed" : "unsandboxed";
}
