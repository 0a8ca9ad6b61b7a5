/**
 * Entries of the table for the tools of one server.
 * @module
 */
import type { Tool } from "@modelcontextprotocol/client";
import { CallFailure } from "../../core/call_failure.ts";
import type { ToolReturn } from "../../core/content.ts";
import type { CheckResult, ToolContext } from "../../core/context.ts";
import type { Owner, ToolEntry } from "../../core/entry.ts";
import type { JsonObject, JsonSchema } from "../../core/json.ts";
import type { Permissions } from "../../core/permissions.ts";
import type { ToolAnnotations, ToolRegistration } from "../../core/registration.ts";
import { createInlineEntry } from "../../registry/entry.ts";
import type { ServerCallOptions, ServerConnection } from "../client/connection_types.ts";
import type { McpServerSpec } from "../config/server_config.ts";
import type { CheckedTool } from "./check_tool.ts";
import type { DefinitionDifference } from "./difference.ts";
import { readServerResult } from "./results.ts";
import { serverToolset } from "./tool_name.ts";

/** A tool to make an entry for. */
export interface EntryTool {
  /** The name in the table. */
  readonly registered: string;
  /** A title for people. */
  readonly title?: string;
  /** What it does. */
  readonly description: string;
  /** The schema of its arguments. */
  readonly schema: JsonSchema;
  /** The schema of its structured result. */
  readonly outputSchema?: JsonSchema;
  /** What the server says that calls do. */
  readonly annotations: ToolAnnotations;
  /** Whether no call reaches the server, so that nobody has to be asked. */
  readonly isHeld?: boolean;
  /** Runs a call. */
  readonly run: (args: JsonObject, options: ServerCallOptions) => Promise<ToolReturn>;
}

/** A tool whose definition changed since it was pinned. */
export interface HeldTool {
  /** The pinned definition, which goes on being shown. */
  readonly tool: CheckedTool;
  /** The name in the table. */
  readonly registered: string;
  /** What changed. */
  readonly difference: DefinitionDifference;
}

/** Makes the entries of one server's tools. */
export class ServerEntries {
  readonly #spec: McpServerSpec;
  readonly #connection: ServerConnection;
  readonly #permissions: Permissions;
  // One function for all, so that one verdict is kept for all.
  readonly #check: () => CheckResult;

  /**
   * Makes a maker of entries.
   *
   * @param spec The server.
   * @param connection The connection to it.
   * @param permissions What the server may touch, as its tools show it. @default {nothing}
   */
  constructor(spec: McpServerSpec, connection: ServerConnection, permissions: Permissions = {}) {
    this.#spec = spec;
    this.#permissions = permissions;
    this.#connection = connection;
    this.#check = () => this.#connection.usable || { available: false, reason: this.#whyNot() };
  }

  /** Who the entries belong to. */
  get owner(): Owner {
    return `mcp:${this.#spec.name}`;
  }

  /**
   * Makes the entry of a tool that is called by name.
   *
   * @param tool The tool.
   * @param registered Its name in the table.
   * @returns The entry.
   * @throws {TypeError} If the table cannot hold such a tool.
   */
  call(tool: CheckedTool, registered: string): ToolEntry {
    const source = {
      server: this.#spec.name,
      tool: tool.name,
      hasOutputSchema: tool.outputSchema !== undefined,
    };
    return this.make({
      ...tool,
      registered,
      run: async (args, options) => {
        // The connection needs what the server sent: its schema says which arguments go into headers.
        const listed = tool.definition as unknown as Tool;
        return readServerResult(await this.#connection.callTool(listed, args, options), source);
      },
    });
  }

  /**
   * Makes the stand-in of a tool whose definition changed: it shows what is pinned, and no call reaches the server.
   *
   * @param held The tool and what changed.
   * @returns The entry.
   * @throws {TypeError} If the table cannot hold such a tool.
   */
  held({ tool, registered, difference }: HeldTool): ToolEntry {
    const { name: server } = this.#spec;
    const { fields, lines } = difference;
    return this.make({
      ...tool,
      registered,
      isHeld: true,
      run: () => {
        // What the server says now is not for the model before a person has seen it.
        throw new CallFailure(
          "integrity_changed",
          `Tool "${tool.name}" of MCP server "${server}" changed since it was accepted ` +
            `(${fields.join(", ")}): it is held back until a person accepts the new definition`,
          { details: { server, tool: tool.name, fields: [...fields], difference: [...lines] } },
        );
      },
    });
  }

  /**
   * Makes an entry.
   *
   * @param tool The tool and how it is run.
   * @returns The entry.
   * @throws {TypeError} If the table cannot hold such a tool.
   */
  make(tool: EntryTool): ToolEntry {
    const { name: server, timeoutMs } = this.#spec;
    const approvalReason = tool.isHeld ? undefined : this.#reasonToAsk(tool.annotations);
    const registration: ToolRegistration = {
      name: tool.registered,
      toolset: serverToolset(server),
      description: tool.description,
      schema: tool.schema,
      ...(tool.title === undefined ? {} : { title: tool.title }),
      ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
      annotations: tool.annotations,
      // A server's permissions name no argument of a tool.
      permissions: this.#permissions as Permissions<never>,
      timeoutMs,
      checkFn: this.#check,
      handler: (args: JsonObject, context: ToolContext) =>
        tool.run(args, this.#options(tool, context)),
    };
    const { containment } = this.#connection.status;
    const options = {
      source: { kind: "mcp", server, containment },
      ...(approvalReason === undefined ? {} : { approvalReason }),
    } as const;
    return createInlineEntry(registration, this.owner, options);
  }

  #options({ annotations }: EntryTool, context: ToolContext): ServerCallOptions {
    return {
      signal: context.signal,
      timeoutMs: this.#spec.timeoutMs,
      repeatable: annotations.readOnlyHint === true,
      context,
    };
  }

  #reasonToAsk({ readOnlyHint }: ToolAnnotations): string | undefined {
    if (this.#spec.trust === "full" || readOnlyHint === true) return undefined;
    return `MCP server "${this.#spec.name}" is not trusted, and does not say that this tool only reads`;
  }

  #whyNot(): string {
    const { state, error } = this.#connection.status;
    return `MCP server "${this.#spec.name}" is ${state}${error === undefined ? "" : `: ${error}`}`;
  }
}
