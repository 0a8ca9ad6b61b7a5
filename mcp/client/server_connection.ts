/**
 * The connection to one MCP server, over its whole life.
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
import { CallFailure } from "../../core/call_failure.ts";
import type { JsonObject } from "../../core/json.ts";
import { plainLine } from "../../core/plain_text.ts";
import { hashText } from "../../registry/hash.ts";
import type { McpServerSpec } from "../config/server_config.ts";
import { CallDesk, type Question } from "./call_desk.ts";
import { quietOptions } from "./call_leg.ts";
import type { ConnectionServices } from "./connection_services.ts";
import type { ServerCallOptions, ServerConnection, ServerStatus } from "./connection_types.ts";
import { describeStatus } from "./describe_status.ts";
import { LifeCycle } from "./life_cycle.ts";
import { PROBE_TIMEOUT_MS } from "./life_cycle_limits.ts";
import { describeContact, describeError, faultOf } from "./rpc_verdict.ts";
import type { ServerLink } from "./server_link.ts";
import { ServerLog } from "./server_log.ts";

const NAME_CHARS = 200;

/** The connection to one MCP server, over its whole life. */
export class McpServerConnection implements ServerConnection {
  readonly #spec: McpServerSpec;
  readonly #services: ConnectionServices;
  readonly #log: ServerLog;
  readonly #life: LifeCycle<ServerLink>;
  readonly #desk: CallDesk;
  // What is known of the server stays known while it is not connected.
  #known: ServerLink | undefined;
  #toolsHash: string | undefined;
  #droppedBefore = 0;

  /**
   * Makes a connection; nothing is started yet.
   *
   * @param spec The server.
   * @param services What the connection works with.
   */
  constructor(spec: McpServerSpec, services: ConnectionServices) {
    this.#spec = spec;
    this.#services = services;
    this.#log = new ServerLog(services.listener, services.clock);
    this.#life = this.#createLife();
    this.#desk = new CallDesk({
      server: spec.name,
      parallel: spec.parallel,
      clock: services.clock,
      life: this.#life,
    });
  }

  /** The server's name. */
  get name(): string {
    return this.#spec.name;
  }

  /** What the server is up to. */
  get status(): Omit<ServerStatus, "tools"> {
    const { state, since, error } = this.#life;
    const link = this.#known;
    const dropped = this.#droppedBefore + (link?.dropped ?? 0);
    return describeStatus(this.#spec, { state, since, error, link, dropped });
  }

  /** What the server offers. */
  get capabilities(): ServerCapabilities | undefined {
    return this.#known?.capabilities;
  }

  /** Whether calls make sense now. */
  get usable(): boolean {
    return this.#spec.enabled && this.#life.isUsable;
  }

  /**
   * Makes the first contact, in several tries.
   *
   * @throws {Error} If the server cannot be reached.
   */
  async connect(): Promise<void> {
    this.#assertEnabled();
    await this.#life.connect();
  }

  /**
   * Fetches every page of the list of tools.
   *
   * @param signal Gives up.
   * @returns The tools that are well formed.
   * @throws {CallFailure} If the server cannot be reached or gives no list.
   */
  async listTools(signal: AbortSignal = new AbortController().signal): Promise<readonly Tool[]> {
    this.#assertEnabled();
    const options = quietOptions(signal, this.#spec.connectTimeoutMs);
    const tools = await this.#desk.ask({
      what: "listing the tools",
      options,
      run: (link, request) => link.listTools(request),
    });
    this.#toolsHash = await hashText(JSON.stringify(tools));
    return tools;
  }

  /**
   * Calls a tool by the server's own name for it.
   *
   * @param tool The tool as the server listed it.
   * @param args Its arguments.
   * @param options How it is called.
   * @returns The result, also one that tells of an error.
   * @throws {CallFailure} If there is none.
   */
  callTool(tool: Tool, args: JsonObject, options: ServerCallOptions): Promise<CallToolResult> {
    return this.#inTurn({
      what: `calling tool "${plainLine(tool.name, NAME_CHARS)}"`,
      isCall: true,
      options,
      run: (link, request) => link.callTool(tool, args, request),
    });
  }

  /**
   * Fetches the list of resources.
   *
   * @param options How it is fetched.
   * @returns The resources.
   */
  listResources(options: ServerCallOptions): Promise<readonly Resource[]> {
    const run: Question<readonly Resource[]>["run"] = (link, request) =>
      link.listResources(request);
    return this.#inTurn({ what: "listing the resources", options, run });
  }

  /**
   * Reads a resource.
   *
   * @param uri Its address.
   * @param options How it is read.
   * @returns What it holds.
   */
  readResource(uri: string, options: ServerCallOptions): Promise<ReadResourceResult> {
    const what = `reading resource "${plainLine(uri, NAME_CHARS)}"`;
    const run: Question<ReadResourceResult>["run"] = (link, request) =>
      link.readResource(uri, request);
    return this.#inTurn({ what, options, run });
  }

  /**
   * Fetches the list of prompts.
   *
   * @param options How it is fetched.
   * @returns The prompts.
   */
  listPrompts(options: ServerCallOptions): Promise<readonly Prompt[]> {
    const run: Question<readonly Prompt[]>["run"] = (link, request) => link.listPrompts(request);
    return this.#inTurn({ what: "listing the prompts", options, run });
  }

  /**
   * Fills in a prompt.
   *
   * @param name Its name.
   * @param args Its arguments.
   * @param options How it is asked for.
   * @returns The messages.
   */
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: ServerCallOptions,
  ): Promise<GetPromptResult> {
    const what = `getting prompt "${plainLine(name, NAME_CHARS)}"`;
    const run: Question<GetPromptResult>["run"] = (link, request) =>
      link.getPrompt(name, args, request);
    return this.#inTurn({ what, options, run });
  }

  /** Takes leave of the server for good. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#life[Symbol.asyncDispose]();
  }

  async #inTurn<T>(question: Question<T>): Promise<T> {
    this.#assertEnabled();
    return await this.#desk.askInTurn(question);
  }

  get #isProcess(): boolean {
    return this.#spec.launch.kind !== "http";
  }

  #createLife(): LifeCycle<ServerLink> {
    const { name, keepaliveMs, idleTimeoutMs, maxLifetimeMs, lazy } = this.#spec;
    const { clock, random = Math.random, listener } = this.#services;
    return new LifeCycle<ServerLink>({
      name,
      clock,
      random,
      isProcess: this.#isProcess,
      lazy,
      keepaliveMs,
      idleTimeoutMs,
      maxLifetimeMs,
      dial: (signal) => this.#dial(signal),
      hangUp: (link) => link.close(),
      probe: (link) => this.#probe(link),
      isBusy: () => this.#desk.isBusy,
      faultOf,
      describe: (error) => describeContact(error, name),
      onState: () => this.#tell(() => listener.onState(this.status)),
    });
  }

  async #dial(signal: AbortSignal): Promise<ServerLink> {
    // Loads the SDK, which nobody needs who has no servers.
    const { dial } = await import("./dial.ts");
    const link = await dial({
      spec: this.#spec,
      services: this.#services,
      log: this.#log,
      signal,
      events: {
        onClose: (closed, error) => this.#life.lost(closed, error),
        onToolsChanged: () => this.#tell(() => this.#services.listener.onToolsChanged()),
        onElicit: (params) => this.#desk.elicit(params),
      },
    });
    this.#droppedBefore += this.#known?.dropped ?? 0;
    this.#known = link;
    return link;
  }

  async #probe(link: ServerLink): Promise<void> {
    const verdict = await this.#desk.askLink(link, {
      what: "asking for a sign of life",
      options: quietOptions(new AbortController().signal, PROBE_TIMEOUT_MS),
      run: async (_link, request) => {
        await link.ping(request);
        await this.#compareTools(await link.listTools(request));
      },
    });
    if ("value" in verdict) return;
    const { lost, failure } = verdict;
    if (lost !== undefined || failure.code === "timeout") throw lost ?? failure;
    // A server that turns a request down is alive.
    this.#log.write("warning", failure.message);
  }

  async #compareTools(tools: readonly Tool[]): Promise<void> {
    const before = this.#toolsHash;
    this.#toolsHash = await hashText(JSON.stringify(tools));
    if (before === undefined || before === this.#toolsHash) return;
    this.#tell(() => this.#services.listener.onToolsChanged());
  }

  #tell(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#log.write("error", `A listener failed: ${describeError(error)}`);
    }
  }

  #assertEnabled(): void {
    if (this.#spec.enabled) return;
    throw new CallFailure("unavailable", `Server "${this.name}" is disabled by the configuration`, {
      end: "never_started",
    });
  }
}
