/**
 * The content blocks of a server's result, as a call of ours may return them.
 * @module
 */
import type { ContentBlock } from "../../core/content.ts";
import { isPlain } from "../../registry/plain_copy.ts";
import { stripControls, stripHidden } from "../../core/hidden_text.ts";

/** Most pictures of a result that pass as pictures. */
const MAX_IMAGES = 4;
/** Most blocks of a result. */
const MAX_BLOCKS = 1_000;
/** Most bytes of a result's pictures, sounds and resources. */
const MAX_BYTES = 50 * 1024 * 1024;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const MIME_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:;.{0,256})?$/;

interface Tally {
  images: number;
  bytes: number;
}

/**
 * Reads content blocks. What cannot be passed on becomes a line that says so: nothing is dropped in silence.
 *
 * @param content What the server sent; plain JSON.
 * @returns The blocks, control characters taken out of their texts.
 */
export function readServerBlocks(content: unknown): ContentBlock[] {
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) return [notice("the content is no list of blocks")];
  const tally: Tally = { images: 0, bytes: 0 };
  const blocks = content.slice(0, MAX_BLOCKS).map((block: unknown) => readBlock(block, tally));
  const more = content.length - MAX_BLOCKS;
  return more > 0 ? [...blocks, notice(`${more} more content blocks`)] : blocks;
}

/**
 * A line in place of something that is not passed on.
 *
 * @param what What it is, for example `2 more content blocks`.
 * @returns A text block.
 */
export function notice(what: string): ContentBlock {
  return { type: "text", text: `[Left out: ${what}]` };
}

function readBlock(block: unknown, tally: Tally): ContentBlock {
  if (!isPlain(block)) return notice("a content block that is no object");
  switch (block.type) {
    case "text":
      return typeof block.text === "string"
        ? { type: "text", text: stripControls(block.text) }
        : notice("a text block without text");
    case "image":
    case "audio":
      return readMedia(block.type, block, tally);
    case "resource":
      return readResource(block.resource, tally);
    case "resource_link":
      return readLink(block);
    default:
      return notice(`a content block of the unsupported type ${word(block.type)}`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function readMedia(type: "image" | "audio", block: Fields, tally: Tally): ContentBlock {
  const { data, mimeType } = block;
  if (!isBase64(data)) return notice(`${type}, its data is not valid base64`);
  const bytes = byteLength(data);
  if (typeof mimeType !== "string" || !MIME_TYPE.test(mimeType)) {
    return notice(`${type}, ${bytes} bytes, of no media type`);
  }
  const what = `${type}, ${mimeType}, ${bytes} bytes`;
  if (type === "image" && tally.images >= MAX_IMAGES) {
    return notice(`${what}: a result passes ${MAX_IMAGES} images`);
  }
  if (!fits(bytes, tally)) return notice(`${what}: a result passes ${MAX_BYTES} bytes`);
  if (type === "image") tally.images++;
  return { type, data, mimeType };
}

function readResource(value: unknown, tally: Tally): ContentBlock {
  if (!isPlain(value) || typeof value.uri !== "string") return notice("a resource without address");
  const uri = plain(value.uri);
  const mimeType = typeof value.mimeType === "string" ? { mimeType: plain(value.mimeType) } : {};
  if (typeof value.text === "string") {
    const text = stripControls(value.text);
    return { type: "resource", resource: { uri, ...mimeType, text } };
  }
  const { blob } = value;
  if (!isBase64(blob)) return notice(`resource ${uri}, which holds neither text nor valid base64`);
  if (!fits(byteLength(blob), tally)) {
    return notice(
      `resource ${uri}, ${byteLength(blob)} bytes: a result passes ${MAX_BYTES} bytes`,
    );
  }
  return { type: "resource", resource: { uri, ...mimeType, blob } };
}

function readLink({ uri, name, mimeType, description }: Fields): ContentBlock {
  if (typeof uri !== "string") return notice("a link to a resource without address");
  return {
    type: "resource_link",
    uri: plain(uri),
    name: typeof name === "string" ? plain(name) : plain(uri),
    ...(typeof mimeType === "string" ? { mimeType: plain(mimeType) } : {}),
    ...(typeof description === "string" ? { description: plain(description) } : {}),
  };
}

function fits(bytes: number, tally: Tally): boolean {
  if (tally.bytes + bytes > MAX_BYTES) return false;
  tally.bytes += bytes;
  return true;
}

function plain(text: string): string {
  return stripHidden(text).text;
}

function word(value: unknown): string {
  return JSON.stringify(typeof value === "string" ? plain(value).slice(0, 40) : null);
}

function isBase64(data: unknown): data is string {
  return typeof data === "string" && data.length % 4 === 0 && BASE64.test(data);
}

function byteLength(data: string): number {
  return data.length / 4 * 3 - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
}
