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
import type { ElicitResult } from "../../core/context.ts";
import type { JsonObject } from "../../core/json.ts";
import { plainLine } from "../../core/plain_text.ts";
import { hashText } from "../../registry/hash.ts";
import type { McpServerSpec } from "../config/server_config.ts";
import { CallLeg, quietOptions } from "./call_leg.ts";
import { CallQueue } from "./call_queue.ts";
import { CircuitBreaker } from "./circuit_breaker.ts";
import type { ConnectionServices } from "./connection_services.ts";
import type { ServerCallOptions, ServerConnection, ServerStatus } from "./connection_types.ts";
import { describeStatus } from "./describe_status.ts";
import type { LinkRequest } from "./input_rounds.ts";
import { LifeCycle } from "./life_cycle.ts";
import { PROBE_TIMEOUT_MS } from "./life_cycle_limits.ts";
import { LinkLostError } from "./link_errors.ts";
import {
  describeContact,
  describeError,
  faultOf,
  judgeFailure,
  type RpcVerdict,
} from "./rpc_verdict.ts";
import type { ServerLink } from "./server_link.ts";
import { ServerLog } from "./server_log.ts";

const NAME_CHARS = 200;

interface Question {
  /** As it reads after "while". */
  readonly what: string;
  /** Whether it is a call of a tool. */
  readonly isCall: boolean;
  readonly options: ServerCallOptions;
}

interface Asked<T> extends Question {
  readonly run: (link: ServerLink, request: LinkRequest) => Promise<T>;
}

/** The connection to one MCP server, over its whole life. */
export class McpServerConnection implements ServerConnection {
  readonly #spec: McpServerSpec;
  readonly #services: ConnectionServices;
  readonly #log: ServerLog;
  readonly #life: LifeCycle<ServerLink>;
  readonly #queue: CallQueue;
  readonly #breaker: CircuitBreaker;
  readonly #legs = new Set<CallLeg>();
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
    this.#queue = new CallQueue(spec.parallel ? Infinity : 1);
    this.#breaker = new CircuitBreaker(spec.name, services.clock);
    this.#life = this.#createLife();
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
    const options = quietOptions(signal, this.#spec.connectTimeoutMs);
    const tools = await this.#ask({
      what: "listing the tools",
      isCall: false,
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
    const run: Asked<readonly Resource[]>["run"] = (link, request) => link.listResources(request);
    return this.#inTurn({ what: "listing the resources", isCall: false, options, run });
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
    const run: Asked<ReadResourceResult>["run"] = (link, request) =>
      link.readResource(uri, request);
    return this.#inTurn({ what, isCall: false, options, run });
  }

  /**
   * Fetches the list of prompts.
   *
   * @param options How it is fetched.
   * @returns The prompts.
   */
  listPrompts(options: ServerCallOptions): Promise<readonly Prompt[]> {
    const run: Asked<readonly Prompt[]>["run"] = (link, request) => link.listPrompts(request);
    return this.#inTurn({ what: "listing the prompts", isCall: false, options, run });
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
    const run: Asked<GetPromptResult>["run"] = (link, request) =>
      link.getPrompt(name, args, request);
    return this.#inTurn({ what, isCall: false, options, run });
  }

  /** Takes leave of the server for good. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#life[Symbol.asyncDispose]();
  }

  async #inTurn<T>(asked: Asked<T>): Promise<T> {
    this.#assertEnabled();
    const { signal } = asked.options;
    const place = await this.#queue.enter(signal).catch((error) => {
      throw this.#judge(error, asked, undefined).failure;
    });
    using _place = place;
    this.#breaker.enter();
    this.#life.touch();
    try {
      const result = await this.#ask(asked, (verdict) => this.#strike(verdict));
      // A result that tells of an error counts as well: the server turned the call down.
      if ((result as { isError?: unknown }).isError === true) this.#breaker.fail("rejected");
      else this.#breaker.succeed();
      return result;
    } finally {
      place[Symbol.dispose]();
      this.#life.touch();
    }
  }

  #strike({ strike }: RpcVerdict): void {
    if (strike === undefined) this.#breaker.abstain();
    else this.#breaker.fail(strike);
  }

  // Reaches the server, asks, and asks once more where nothing can have happened.
  async #ask<T>(asked: Asked<T>, onFailure?: (verdict: RpcVerdict) => void): Promise<T> {
    this.#assertEnabled();
    for (let isSecond = false;; isSecond = true) {
      const verdict = await this.#tryOnce(asked);
      if ("value" in verdict) return verdict.value;
      if (!isSecond && this.#mayAskAgain(verdict, asked)) continue;
      onFailure?.(verdict);
      throw verdict.failure;
    }
  }

  async #tryOnce<T>(asked: Asked<T>): Promise<{ readonly value: T } | RpcVerdict> {
    let link: ServerLink | undefined;
    using leg = new CallLeg(asked.options, this.#services.clock);
    try {
      link = await this.#life.wake(leg.request.signal);
      this.#legs.add(leg);
      const value = await asked.run(link, leg.request);
      this.#life.prove(link);
      return { value };
    } catch (error) {
      const reason = link?.reason;
      const seen = reason === undefined ? error : new LinkLostError(reason.message);
      const verdict = this.#judge(seen, asked, leg);
      if (link !== undefined && verdict.lost !== undefined) this.#life.lost(link, verdict.lost);
      return verdict;
    } finally {
      this.#legs.delete(leg);
    }
  }

  #mayAskAgain({ again }: RpcVerdict, { options, isCall }: Question): boolean {
    if (again === "unsent") return this.#isProcess;
    return again === "expired" && (options.repeatable || !isCall);
  }

  #judge(error: unknown, { what, isCall, options }: Question, leg?: CallLeg): RpcVerdict {
    return judgeFailure(error, {
      server: this.name,
      what,
      isCall,
      repeatable: options.repeatable,
      wasCancelled: options.signal.aborted,
      ...(leg?.expired === true ? { expiredMs: options.timeoutMs } : {}),
    });
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
      isBusy: () => this.#queue.taken > 0 || this.#legs.size > 0,
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
        onElicit: (params) => this.#elicit(params),
      },
    });
    this.#droppedBefore += this.#known?.dropped ?? 0;
    this.#known = link;
    return link;
  }

  async #probe(link: ServerLink): Promise<void> {
    const options = quietOptions(new AbortController().signal, PROBE_TIMEOUT_MS);
    using leg = new CallLeg(options, this.#services.clock);
    try {
      await link.ping(leg.request);
      await this.#compareTools(await link.listTools(leg.request));
    } catch (error) {
      const asked = { what: "asking for a sign of life", isCall: false, options };
      const verdict = this.#judge(error, asked, leg);
      // A server that turns a request down is alive.
      if (verdict.lost !== undefined || leg.expired) throw verdict.lost ?? verdict.failure;
      this.#log.write("warning", verdict.failure.message);
    }
  }

  async #compareTools(tools: readonly Tool[]): Promise<void> {
    const before = this.#toolsHash;
    this.#toolsHash = await hashText(JSON.stringify(tools));
    if (before === undefined || before === this.#toolsHash) return;
    this.#tell(() => this.#services.listener.onToolsChanged());
  }

  // A request of the older era does not say which call it belongs to: with one under way there is no doubt.
  #elicit(params: unknown): Promise<ElicitResult> {
    const [leg, ...others] = this.#legs;
    if (leg === undefined || others.length > 0) return Promise.resolve({ action: "decline" });
    return leg.elicit(params);
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
