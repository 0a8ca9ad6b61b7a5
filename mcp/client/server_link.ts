/**
 * A live connection to a server: what can be asked of it.
 * @module
 */
import type {
  CallToolResult,
  Client,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  RequestOptions,
  Resource,
  ServerCapabilities,
  Tool,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "../../core/json.ts";
import { headerFault } from "./header_declarations.ts";
import { type LinkRequest, withInput } from "./input_rounds.ts";
import { listPages } from "./list_pages.ts";
import type { MessageGate } from "./message_gate.ts";
import type { OpenTransport } from "./open_transport.ts";
import type { ServerLog } from "./server_log.ts";
import type { ToolSubscription } from "./tool_subscription.ts";

// The deadline of a request is kept outside: the SDK's own cannot wait while a person is asked.
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const METHOD_NOT_FOUND = -32_601;
const HEADER_MISMATCH = -32_020;

/** What a link is made of. */
export interface ServerLinkParts {
  /** The client of the SDK, connected. */
  readonly client: Client;
  /** Its transport. */
  readonly open: OpenTransport;
  /** Counts what was dropped. */
  readonly gate: MessageGate;
  /** Takes warnings. */
  readonly log: ServerLog;
  /** Listens for changes of the tools, where the server has to be asked for them. */
  readonly subscription?: ToolSubscription;
}

/** A live connection to a server. */
export class ServerLink {
  /** What the server offers. */
  readonly capabilities: ServerCapabilities;
  /** The protocol revision in use. */
  readonly protocolVersion: string | undefined;
  /** The server's own name and version. */
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  readonly #parts: ServerLinkParts;
  readonly #isModern: boolean;
  #hasPing = true;

  /**
   * Makes a link.
   *
   * @param parts What it is made of.
   */
  constructor(parts: ServerLinkParts) {
    this.#parts = parts;
    const { client } = parts;
    // The client forgets all of it when it closes.
    this.capabilities = client.getServerCapabilities() ?? {};
    this.protocolVersion = client.getNegotiatedProtocolVersion();
    this.serverInfo = client.getServerVersion();
    this.#isModern = client.getProtocolEra() === "modern";
  }

  /** How many messages were dropped. */
  get dropped(): number {
    return this.#parts.gate.dropped;
  }

  /** Why the connection ended by itself, where the server's end was not the reason. */
  get reason(): Error | undefined {
    return this.#parts.open.reason();
  }

  /**
   * Calls a tool.
   *
   * @param tool The tool as the server listed it.
   * @param args Its arguments.
   * @param request How the call is made.
   * @returns The result.
   */
  async callTool(tool: Tool, args: JsonObject, request: LinkRequest): Promise<CallToolResult> {
    try {
      return await this.#callAs(tool, args, request);
    } catch (error) {
      if ((error as { code?: unknown }).code !== HEADER_MISMATCH) throw error;
      // The server turned it down before running it: it wants headers that a newer definition tells of.
      const tools = await this.listTools(request);
      const newer = tools.find(({ name }) => name === tool.name);
      if (newer === undefined) throw error;
      return await this.#callAs(newer, args, request);
    }
  }

  /**
   * Fetches the list of tools.
   *
   * @param request How it is fetched.
   * @returns The tools that are well formed.
   */
  async listTools(request: LinkRequest): Promise<readonly Tool[]> {
    const { client } = this.#parts;
    if (this.capabilities.tools === undefined) return [];
    const tools = await this.#list(async (params) => {
      const page = await client.request(
        { method: "tools/list", params },
        this.#optionsFor(request),
      );
      return { items: page.tools, nextCursor: page.nextCursor };
    });
    if (!this.#repeatsArguments) return tools;
    return tools.filter(({ name, inputSchema }) => {
      const fault = headerFault(inputSchema);
      if (fault !== undefined) this.#parts.log.relay("warning", leftOut(name, fault));
      return fault === undefined;
    });
  }

  /**
   * Fetches the list of resources.
   *
   * @param request How it is fetched.
   * @returns The resources.
   */
  listResources(request: LinkRequest): Promise<readonly Resource[]> {
    return this.#list(async (params) => {
      const page = await this.#parts.client.request(
        { method: "resources/list", params },
        this.#optionsFor(request),
      );
      return { items: page.resources, nextCursor: page.nextCursor };
    });
  }

  /**
   * Reads a resource.
   *
   * @param uri Its address.
   * @param request How it is read.
   * @returns What it holds.
   */
  readResource(uri: string, request: LinkRequest): Promise<ReadResourceResult> {
    return this.#withInput(request, (answers, options) =>
      this.#parts.client.request(
        { method: "resources/read", params: { uri, ...answers } },
        options,
      ));
  }

  /**
   * Fetches the list of prompts.
   *
   * @param request How it is fetched.
   * @returns The prompts.
   */
  listPrompts(request: LinkRequest): Promise<readonly Prompt[]> {
    return this.#list(async (params) => {
      const page = await this.#parts.client.request(
        { method: "prompts/list", params },
        this.#optionsFor(request),
      );
      return { items: page.prompts, nextCursor: page.nextCursor };
    });
  }

  /**
   * Fills in a prompt.
   *
   * @param name Its name.
   * @param args Its arguments.
   * @param request How it is asked for.
   * @returns The messages.
   */
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    request: LinkRequest,
  ): Promise<GetPromptResult> {
    return this.#withInput(request, (answers, options) =>
      this.#parts.client.request(
        { method: "prompts/get", params: { name, arguments: { ...args }, ...answers } },
        options,
      ));
  }

  /**
   * Asks for a sign of life, where fetching the list of tools would be none.
   *
   * @param request How it is asked for.
   */
  async ping(request: LinkRequest): Promise<void> {
    const { client } = this.#parts;
    const options = this.#optionsFor(request);
    if (this.#isModern) {
      // This era has no ping, and the list of tools is as good a sign.
      if (this.capabilities.tools === undefined) await client.discover(options);
      return;
    }
    if (!this.#hasPing) return;
    try {
      await client.ping(options);
    } catch (error) {
      if ((error as { code?: unknown }).code !== METHOD_NOT_FOUND) throw error;
      this.#hasPing = false;
    }
  }

  /** Takes leave of the server and ends its process, where it has one. Never rejects. */
  async close(): Promise<void> {
    const { subscription, open, client } = this.#parts;
    subscription?.stop();
    await open.sayGoodbye();
    await client.close().catch(() => {});
    await open.transport.close().catch(() => {});
  }

  get #repeatsArguments(): boolean {
    return this.#isModern && this.#parts.open.transport.hasPerRequestStream === true;
  }

  #callAs(tool: Tool, args: JsonObject, request: LinkRequest): Promise<CallToolResult> {
    // Whoever shapes the result checks it: a result that breaks its schema still tells what happened.
    const toolDefinition: Tool = { ...tool, outputSchema: undefined };
    return this.#withInput(
      request,
      (answers, options) =>
        this.#parts.client.callTool(
          { name: tool.name, arguments: { ...args }, ...answers },
          { ...options, toolDefinition },
        ),
    );
  }

  #list<T>(
    fetchPage: (
      params: { readonly cursor?: string },
    ) => Promise<{ readonly items: readonly T[]; readonly nextCursor?: string }>,
  ): Promise<readonly T[]> {
    return listPages(
      (cursor) => fetchPage(cursor === undefined ? {} : { cursor }),
      (message) => this.#parts.log.relay("warning", message),
    );
  }

  #withInput<R>(
    request: LinkRequest,
    send: (answers: Record<string, unknown>, options: RequestOptions) => Promise<R>,
  ): Promise<R> {
    const options = { ...this.#optionsFor(request), allowInputRequired: true };
    return withInput(request, (answers) => send(answers, options));
  }

  #optionsFor({ signal, onProgress }: LinkRequest): RequestOptions {
    return {
      signal,
      timeout: NO_TIMEOUT_MS,
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
    };
  }
}

/**
 * Says that a tool is left out.
 *
 * @param name The tool's name.
 * @param why What is wrong with it.
 * @returns The sentence.
 */
export function leftOut(name: string, why: string): string {
  return `Tool "${name}" is left out of the list: ${why}`;
}
