/**
 * From the runtime's result to the protocol's.
 * @module
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ContentBlock, ResourceLinkBlock } from "../../core/content.ts";
import type { JsonValue } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";

/** What else there is to know of the call. */
export interface ResultContext {
  /** Whether the tool promises a structured result. */
  readonly hasOutputSchema: boolean;
  /** Whether only objects may be structured results, as up to revision 2025-11-25. */
  readonly objectsOnly: boolean;
  /** Where the whole text is, when the result was shortened. */
  readonly link?: ResourceLinkBlock;
}

/** Longest structured value that is sent beside a shortened text, in characters of JSON. */
const MAX_STRUCTURED_CHARS = 1_048_576;

/**
 * Writes a result. A failed call is a result too, one that the client's model can read.
 *
 * @param result The result.
 * @param context What else there is to know.
 * @returns The protocol's result.
 */
export function toCallToolResult(result: ToolResult, context: ResultContext): CallToolResult {
  const { link } = context;
  const content: ContentBlock[] = [...result.blocks ?? [textBlock(result.content)]];
  if (link !== undefined) content.push(link);
  if (!result.ok) return { content: content as CallToolResult["content"], isError: true };
  const structured = structuredOf(result, context);
  if (structured === TOO_LONG) return tooLong(content);
  if (structured !== undefined && !content.some(({ type }) => type === "text")) {
    content.push(textBlock(JSON.stringify(structured)));
  }
  return {
    content: content as CallToolResult["content"],
    ...(structured === undefined ? {} : { structuredContent: structured as never }),
  };
}

const TOO_LONG = Symbol("too long");

function structuredOf(
  { structured, spilled }: ToolResult,
  { hasOutputSchema, objectsOnly }: ResultContext,
): JsonValue | undefined | typeof TOO_LONG {
  if (structured === undefined) return undefined;
  if (!hasOutputSchema) {
    // Nobody waits for it, so it does not go around the limit, and has the form that every client takes.
    if (spilled !== undefined) return undefined;
    const isObject = typeof structured === "object" && structured !== null &&
      !Array.isArray(structured);
    return isObject || !objectsOnly ? structured : undefined;
  }
  const isLong = spilled !== undefined && JSON.stringify(structured).length > MAX_STRUCTURED_CHARS;
  return isLong ? TOO_LONG : structured;
}

function tooLong(content: readonly ContentBlock[]): CallToolResult {
  const why =
    "The structured result is too long to be sent; the text says where the whole of it is";
  return { content: [textBlock(why), ...content] as CallToolResult["content"], isError: true };
}

function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}
