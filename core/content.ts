/**
 * The parts of a result, named as the Model Context Protocol names them.
 * @module
 */
import type { JsonValue } from "./json.ts";

/** A piece of text. */
export interface TextBlock {
  /** The tag of the union. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
}

/** A picture. */
export interface ImageBlock {
  /** The tag of the union. */
  readonly type: "image";
  /** The bytes, base64. */
  readonly data: string;
  /** For example `image/png`. */
  readonly mimeType: string;
}

/** A sound. */
export interface AudioBlock {
  /** The tag of the union. */
  readonly type: "audio";
  /** The bytes, base64. */
  readonly data: string;
  /** For example `audio/wav`. */
  readonly mimeType: string;
}

/** A resource with its contents. */
export interface ResourceBlock {
  /** The tag of the union. */
  readonly type: "resource";
  /** The resource: its URI and either `text` or `blob` (base64). */
  readonly resource: {
    /** The resource's address. */
    readonly uri: string;
    /** Its media type. */
    readonly mimeType?: string;
    /** Its text. */
    readonly text?: string;
    /** Its bytes, base64. */
    readonly blob?: string;
  };
}

/** A resource that may be fetched later. */
export interface ResourceLinkBlock {
  /** The tag of the union. */
  readonly type: "resource_link";
  /** The resource's address. */
  readonly uri: string;
  /** Its name. */
  readonly name: string;
  /** Its media type. */
  readonly mimeType?: string;
  /** What it is. */
  readonly description?: string;
}

/** One part of a result. */
export type ContentBlock =
  | TextBlock
  | ImageBlock
  | AudioBlock
  | ResourceBlock
  | ResourceLinkBlock;

/**
 * What a handler may return: text, a JSON value, content blocks as `{ content: [...] }` with an
 * optional `structuredContent`, or a stream of texts (an async generator, a `ReadableStream`) that make up
 * one text. Nothing (`undefined`) counts as an empty text.
 */
export type ToolReturn =
  | string
  | JsonValue
  | { readonly content: readonly ContentBlock[]; readonly structuredContent?: JsonValue }
  | AsyncIterable<string>
  | void;
