/**
 * From what a server answered to what a handler returns.
 * @module
 */
import type { CallToolResult } from "@modelcontextprotocol/client";
import { CallFailure } from "../../core/call_failure.ts";
import type { ContentBlock } from "../../core/content.ts";
import type { JsonValue } from "../../core/json.ts";
import { redactSecrets } from "../../runtime/redact.ts";
import { cutBlocks, MAX_TEXT_CHARS } from "./cut_blocks.ts";
import { stripControls } from "../../core/hidden_text.ts";
import { readServerBlocks } from "./result_blocks.ts";
import { canonicalJson } from "./tool_definition.ts";

/** Whose result it is. */
export interface ResultSource {
  /** The server's name in the configuration. */
  readonly server: string;
  /** The server's own name for the tool, for messages. */
  readonly tool: string;
  /** Whether the structured result is checked against a schema, and so has to be there. */
  readonly hasOutputSchema: boolean;
}

/** What a handler returns for a server's result. */
export interface HandlerResult {
  /** The parts. */
  readonly content: readonly ContentBlock[];
  /** The JSON value, where the parts do not hold it. */
  readonly structuredContent?: JsonValue;
}

/**
 * Reads a server's result. A structured result is shown to the model as text, once: where one of the texts is the same
 * JSON already, it is not added, and the value itself is only kept for a tool that promises one.
 *
 * @param result What the server answered.
 * @param source Whose result it is.
 * @returns What the handler returns.
 * @throws {CallFailure} `tool_error` with the server's text, credentials taken out, when the server says that the call
 * failed.
 */
export function readServerResult(result: CallToolResult, source: ResultSource): HandlerResult {
  const blocks = readServerBlocks(result.content);
  if (result.isError === true) throw failureOf(blocks, source);
  const structured = result.structuredContent as JsonValue | undefined;
  if (structured === undefined) return { content: cutBlocks(blocks) };
  const isShown = isIn(blocks, structured);
  const content = isShown
    ? blocks
    : [...blocks, { type: "text", text: JSON.stringify(structured) } as const];
  return {
    content: cutBlocks(content),
    ...(isShown && !source.hasOutputSchema ? {} : { structuredContent: structured }),
  };
}

function failureOf(blocks: readonly ContentBlock[], { server, tool }: ResultSource): CallFailure {
  const text = cutBlocks(blocks).map(textOf).join("\n").trim();
  return new CallFailure(
    "tool_error",
    text === ""
      ? `Tool "${tool}" of MCP server "${server}" failed and gave no reason`
      : redactSecrets(text),
  );
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return block.resource.text ?? `[resource ${block.resource.uri}]`;
    case "resource_link":
      return `[resource ${block.name}: ${block.uri}]`;
    case "image":
    case "audio":
      return `[${block.type}, ${block.mimeType}]`;
    default:
      return block satisfies never;
  }
}

// Some servers put their one text into an object beside it; that says nothing more either.
function isIn(blocks: readonly ContentBlock[], value: JsonValue): boolean {
  const texts = blocks.flatMap((block) => block.type === "text" ? [block.text] : []);
  if (texts.some((text) => isSameJson(text, value))) return true;
  const [only, ...others] = typeof value === "object" && value !== null ? Object.values(value) : [];
  return typeof only === "string" && others.length === 0 && texts.includes(stripControls(only));
}

function isSameJson(text: string, value: JsonValue): boolean {
  if (text.length > MAX_TEXT_CHARS || !/^\s*[\[{"\d\-tfn]/.test(text)) return false;
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(value);
  } catch {
    return false;
  }
}
