/**
 * Content blocks of a result: checking them, and writing them as text.
 * @module
 */
import type { ContentBlock } from "../core/content.ts";
import { InvalidValue } from "./result_json.ts";

const MAX_BLOCKS = 10_000;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const MIME_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:;.{0,256})?$/;

type Fields = { readonly [key: string]: unknown };

/**
 * Checks content blocks and copies what they may hold.
 *
 * @param value What claims to be a list of blocks.
 * @returns New blocks.
 * @throws {InvalidValue} If it is no list, or a block is not what its type says.
 */
export function readBlocks(value: unknown): readonly ContentBlock[] {
  if (!Array.isArray(value)) throw new InvalidValue("expected a list of content blocks");
  if (value.length > MAX_BLOCKS) throw new InvalidValue(`more than ${MAX_BLOCKS} content blocks`);
  return value.map((block, index) => readBlock(block, index));
}

function readBlock(value: unknown, index: number): ContentBlock {
  if (typeof value !== "object" || value === null) {
    throw new InvalidValue(`content block ${index} is no object`);
  }
  const fields = value as Fields;
  const text = (key: string) => requiredText(fields, key, index);
  switch (fields.type) {
    case "text":
      return { type: "text", text: text("text") };
    case "image":
    case "audio":
      return {
        type: fields.type,
        data: base64(text("data"), index),
        mimeType: mimeType(text("mimeType"), index),
      };
    case "resource":
      return { type: "resource", resource: readResource(fields.resource, index) };
    case "resource_link":
      return {
        type: "resource_link",
        uri: text("uri"),
        name: text("name"),
        ...optionalTexts(fields, ["mimeType", "description"], index),
      };
    default:
      throw new InvalidValue(
        `content block ${index} has the type ${JSON.stringify(fields.type)?.slice(0, 40)}, ` +
          `expected text, image, audio, resource or resource_link`,
      );
  }
}

function readResource(
  value: unknown,
  index: number,
): { uri: string; mimeType?: string; text?: string; blob?: string } {
  if (typeof value !== "object" || value === null) {
    throw new InvalidValue(`content block ${index}: "resource" is no object`);
  }
  const fields = value as Fields;
  const rest = optionalTexts(fields, ["mimeType", "text", "blob"], index);
  if ((rest.text === undefined) === (rest.blob === undefined)) {
    throw new InvalidValue(`content block ${index}: expected either "text" or "blob"`);
  }
  if (rest.blob !== undefined) base64(rest.blob, index);
  return { uri: requiredText(fields, "uri", index), ...rest };
}

function requiredText(fields: Fields, key: string, index: number): string {
  const value = fields[key];
  if (typeof value === "string") return value.toWellFormed();
  throw new InvalidValue(
    `content block ${index}: expected "${key}" to be a text, got ${typeof value}`,
  );
}

function optionalTexts<K extends string>(
  fields: Fields,
  keys: readonly K[],
  index: number,
): { [key in K]?: string } {
  const present = keys.filter((key) => fields[key] !== undefined);
  return Object.fromEntries(present.map((key) => [key, requiredText(fields, key, index)])) as {
    [key in K]?: string;
  };
}

function base64(data: string, index: number): string {
  if (data.length % 4 === 0 && BASE64.test(data)) return data;
  throw new InvalidValue(`content block ${index}: the data is not valid base64`);
}

function mimeType(text: string, index: number): string {
  if (MIME_TYPE.test(text)) return text;
  throw new InvalidValue(`content block ${index}: "${text.slice(0, 80)}" is no media type`);
}

/**
 * The blocks as one text for a model that reads text only.
 *
 * @param blocks The blocks.
 * @returns Texts as they are, and a line in brackets for everything else.
 */
export function textOfBlocks(blocks: readonly ContentBlock[]): string {
  return blocks.map(textOfBlock).join("\n");
}

function textOfBlock(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type}, ${block.mimeType}, ${byteLength(block.data)} bytes]`;
    case "resource":
      return block.resource.text ??
        `[resource ${block.resource.uri}, ${byteLength(block.resource.blob!)} bytes]`;
    case "resource_link":
      return `[resource ${block.name}: ${block.uri}]`;
    default:
      return block satisfies never;
  }
}

function byteLength(data: string): number {
  return data.length / 4 * 3 - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
}
