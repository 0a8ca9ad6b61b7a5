/**
 * From bytes to text, as browsers do it.
 * @module
 */

/** What a `content-type` header says. */
export interface ContentType {
  /** The media type in lower case, without parameters; empty when there is none. */
  readonly mediaType: string;
  /** The charset parameter. */
  readonly charset?: string;
}

const PRESCAN_BYTES = 1024;

/**
 * Reads a `content-type` header.
 *
 * @param header The header's value.
 * @returns Its media type and charset.
 */
export function parseContentType(header: string | null): ContentType {
  const mediaType = (header ?? "").split(";", 1)[0]!.trim().toLowerCase();
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(header ?? "")?.[1];
  return { mediaType, charset };
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return undefined;
}

function declared(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, PRESCAN_BYTES));
  const label = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)/i.exec(head)?.[1];
  // A file that could be read this far is not UTF-16, whatever it says of itself.
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label;
}

function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/**
 * Decodes a body: byte order mark, then the server's word, then the document's own, then UTF-8.
 *
 * @param bytes The body.
 * @param charset The charset that the server names.
 * @returns The text.
 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  for (const label of [byteOrderMark(bytes), charset, declared(bytes)]) {
    const decoder = label === undefined ? undefined : decoderFor(label);
    if (decoder) return decoder.decode(bytes);
  }
  return new TextDecoder().decode(bytes);
}
