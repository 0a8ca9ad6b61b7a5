/**
 * What becomes of a body, by its media type.
 * @module
 */
import { type ContentBlock, ToolError } from "@cloister/cloister/tool";
import { Buffer } from "node:buffer";
import { decodeText } from "./_charset.ts";
import type { Page } from "./_fetch_page.ts";
import { readHtml } from "./_html.ts";

/** The text of a page, or its picture. */
export type PageContent =
  | {
    readonly kind: "text";
    readonly title: string;
    readonly text: string;
    readonly plain?: boolean;
  }
  | { readonly kind: "image"; readonly block: ContentBlock };

const MAX_IMAGE_BYTES = 1024 * 1024;
const SHOWN_IMAGES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);
const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const JSON_TYPE = /^(?:application|text)\/json$|\+json$/;
const OTHER_TEXT =
  /^text\/|[+/]xml$|^application\/(?:javascript|ecmascript|typescript|yaml|x-yaml|toml|x-sh|x-ndjson|sql|graphql|x-www-form-urlencoded)$/;

/** Guesses the type of a body that the server does not name. */
function sniff(bytes: Uint8Array): string {
  const head = bytes.subarray(0, 1024);
  if (head.includes(0)) return "application/octet-stream";
  const text = new TextDecoder().decode(head);
  if (text.startsWith("%PDF-")) return "application/pdf";
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(text) ? "text/html" : "text/plain";
}

// Numbers too long for a double keep their digits.
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const raw = (JSON as unknown as { rawJSON?: (text: string) => unknown }).rawJSON;
  const source = context?.source;
  return typeof value === "number" && source !== undefined && raw && String(value) !== source
    ? raw(source)
    : value;
}

function jsonBlock(text: string): string {
  let pretty = text.trim();
  try {
    pretty = JSON.stringify(JSON.parse(text, keepDigits as never), null, 2);
  } catch {
    // Text that is no JSON after all is shown as it stands.
  }
  const longest = Math.max(2, ...[...pretty.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${pretty}\n${fence}`;
}

function imageContent(page: Page, mediaType: string): PageContent {
  const size = page.bytes.length;
  if (!SHOWN_IMAGES.has(mediaType) || size > MAX_IMAGE_BYTES) {
    throw new ToolError(
      `Cannot extract "${page.url}": it is an image of type ${mediaType} with ${size} bytes; shown are ` +
        `PNG, JPEG, GIF and WebP of at most ${MAX_IMAGE_BYTES} bytes`,
    );
  }
  const data = Buffer.from(page.bytes).toString("base64");
  return { kind: "image", block: { type: "image", data, mimeType: mediaType } };
}

/**
 * Turns a page into what a model can read.
 *
 * @param page The page.
 * @param format Whether HTML becomes Markdown or plain text.
 * @returns Its text, or its picture.
 * @throws {ToolError} If its type holds no text.
 */
export async function toContent(page: Page, format: "markdown" | "text"): Promise<PageContent> {
  const mediaType = page.mediaType || sniff(page.bytes);
  if (mediaType.startsWith("image/") && mediaType !== "image/svg+xml") {
    return imageContent(page, mediaType);
  }
  const text = (): string => decodeText(page.bytes, page.charset);
  if (HTML.test(mediaType)) {
    return { kind: "text", ...await readHtml(text(), page.url, format) };
  }
  if (JSON_TYPE.test(mediaType)) return { kind: "text", title: "", text: jsonBlock(text()) };
  if (OTHER_TEXT.test(mediaType)) return { kind: "text", title: "", text: text().trim() };
  const what = mediaType === "application/pdf" ? "a PDF document" : `of type ${mediaType}`;
  throw new ToolError(
    `Cannot extract "${page.url}": it is ${what} (${page.bytes.length} bytes), which holds no text that ` +
      `this tool can read; expected HTML, Markdown, JSON, plain text or an image`,
  );
}
