/**
 * Tools of ours by which a model reads a server's resources and prompts.
 * @module
 */
import type { ServerCapabilities } from "@modelcontextprotocol/client";
import { CallFailure } from "../../core/call_failure.ts";
import type { ContentBlock } from "../../core/content.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import type { ServerConnection } from "../client/connection_types.ts";
import type { McpServerSpec } from "../config/server_config.ts";
import { cutBlocks } from "./cut_blocks.ts";
import { stripHidden } from "../../core/hidden_text.ts";
import { readServerBlocks } from "./result_blocks.ts";
import type { EntryTool } from "./server_entries.ts";

/** A tool of ours that stands beside a server's own. */
export interface UtilityTool extends Omit<EntryTool, "registered"> {
  /** What it is called among the server's tools. */
  readonly name: string;
}

const READS = Object.freeze({ readOnlyHint: true });
const NOTHING = { type: "object", properties: {}, additionalProperties: false };

/**
 * The tools for what a server has beside tools.
 *
 * @param spec The server, and what the operator lets in.
 * @param capabilities What the server says that it has; absent when it was not reached yet.
 * @param connection The connection to it.
 * @returns `list_resources` and `read_resource` where it has resources, `list_prompts` and `get_prompt` where it has
 * prompts.
 */
export function utilityTools(
  spec: McpServerSpec,
  capabilities: ServerCapabilities | undefined,
  connection: ServerConnection,
): readonly UtilityTool[] {
  return [
    ...spec.resources && capabilities?.resources ? resourceTools(spec.name, connection) : [],
    ...spec.prompts && capabilities?.prompts ? promptTools(spec.name, connection) : [],
  ];
}

function resourceTools(server: string, connection: ServerConnection): readonly UtilityTool[] {
  return [
    {
      name: "list_resources",
      description: `List the resources of the MCP server "${server}": addresses, names, types.`,
      schema: NOTHING,
      annotations: READS,
      run: async (_args, options) => ({
        resources: cleanJson(await connection.listResources(options)),
      }),
    },
    {
      name: "read_resource",
      description:
        `Read a resource of the MCP server "${server}" by its address, as list_resources gives it.`,
      schema: {
        type: "object",
        properties: { uri: { type: "string", description: "The resource's address." } },
        required: ["uri"],
        additionalProperties: false,
      },
      annotations: READS,
      run: async ({ uri }, options) => {
        const { contents } = await connection.readResource(String(uri), options);
        const blocks = contents.map((resource) => ({ type: "resource", resource }));
        return { content: cutBlocks(readServerBlocks(blocks)) };
      },
    },
  ];
}

function promptTools(server: string, connection: ServerConnection): readonly UtilityTool[] {
  return [
    {
      name: "list_prompts",
      description: `List the prompts of the MCP server "${server}" with their arguments.`,
      schema: NOTHING,
      annotations: READS,
      run: async (_args, options) => ({
        prompts: cleanJson(await connection.listPrompts(options)),
      }),
    },
    {
      name: "get_prompt",
      description:
        `Fill in a prompt of the MCP server "${server}" by its name, as list_prompts gives it.`,
      schema: {
        type: "object",
        properties: {
          name: { type: "string", description: "The prompt's name." },
          arguments: {
            type: "object",
            description: "Its arguments, all of them texts.",
            additionalProperties: { type: "string" },
          },
        },
        required: ["name"],
        additionalProperties: false,
      },
      annotations: READS,
      run: async ({ name, arguments: given = {} }, options) => {
        const prompt = await connection.getPrompt(String(name), textsOf(given), options);
        return { content: cutBlocks(messageBlocks(prompt.messages)) };
      },
    },
  ];
}

interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}

function messageBlocks(messages: readonly PromptMessage[]): readonly ContentBlock[] {
  return messages.flatMap(({ role, content }) => {
    const [block] = readServerBlocks([content]);
    const speaker = `${stripHidden(role).text}:`;
    return block?.type === "text"
      ? [{ type: "text" as const, text: `${speaker} ${block.text}` }]
      : [{ type: "text" as const, text: speaker }, ...block ? [block] : []];
  });
}

function textsOf(given: JsonValue): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(given as JsonObject).map(([key, value]) => {
      if (typeof value === "string") return [key, value];
      throw new CallFailure("invalid_arguments", `"arguments.${key}": expected a text`);
    }),
  );
}

// Names and descriptions of a server's choosing, for a model to read.
function cleanJson(value: unknown): JsonValue {
  if (typeof value === "string") return stripHidden(value).text;
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value !== "object" || value === null) return value as JsonValue;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => key !== "_meta" && key !== "icons")
      .map(([key, item]) => [key, cleanJson(item)]),
  );
}
