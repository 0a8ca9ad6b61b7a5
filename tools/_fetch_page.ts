/**
 * Fetches one page without ever leaving its host.
 * @module
 */
import { ToolError } from "@cloister/cloister/tool";
import { decodeText, parseContentType } from "./_charset.ts";

/** What a server answered. */
export interface Page {
  /** The address that answered, after redirects. */
  readonly url: string;
  /** The media type in lower case, without parameters; empty when the server names none. */
  readonly mediaType: string;
  /** The charset that the server names. */
  readonly charset?: string;
  /** The body. */
  readonly bytes: Uint8Array;
}

/** The largest body that is read, after decompression. */
export const MAX_PAGE_BYTES = 5 * 1024 * 1024;

const MAX_REDIRECTS = 5;
const MAX_EXCERPT_CHARS = 300;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const HEADERS = {
  "user-agent": "Mozilla/5.0 (compatible; Cloister/0.1; web_extract)",
  "accept":
    "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,application/json;q=0.8,*/*;q=0.5",
};

/**
 * Checks an address.
 *
 * @param text The address.
 * @returns The parsed address.
 * @throws {ToolError} If it is not an absolute http(s) address without user information.
 */
export function parseAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null) {
    throw new ToolError(
      `Cannot extract "${text}": expected an absolute URL such as "https://example.com/page"`,
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new ToolError(`Cannot extract "${text}": only http and https are supported`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ToolError(
      `Cannot extract "${url.host}": a URL with user name or password is refused`,
    );
  }
  return url;
}

function effectivePort(url: URL): string {
  return url.port || (url.protocol === "https:" ? "443" : "80");
}

function redirectTarget(from: URL, location: string): URL {
  const target = URL.parse(location, from);
  if (target === null) {
    throw new ToolError(`Cannot follow the redirect from "${from}": its target is not a URL`);
  }
  const shown = target.href.slice(0, 1000);
  if (target.protocol !== "http:" && target.protocol !== "https:") {
    throw new ToolError(
      `Cannot follow the redirect from "${from}" to "${shown}": not http or https`,
    );
  }
  if (target.hostname !== from.hostname || effectivePort(target) !== effectivePort(from)) {
    throw new ToolError(
      `Cannot follow the redirect from "${from}" to "${shown}": it leads to another host or port. ` +
        `If that page is wanted, call web_extract again with url "${shown}"`,
      { details: { redirect: target.href } },
    );
  }
  if (target.username !== "" || target.password !== "") {
    throw new ToolError(
      `Cannot follow the redirect from "${from}": it holds user name or password`,
    );
  }
  return target;
}

async function request(url: URL, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { redirect: "manual", headers: HEADERS, signal });
  } catch (error) {
    if (signal.aborted || error instanceof Deno.errors.NotCapable) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolError(`Cannot fetch "${url}": ${why}`, { retryable: true, cause: error });
  }
}

function tooLarge(url: URL, size: string): ToolError {
  return new ToolError(
    `Cannot extract "${url}": its body has ${size}, at most ${MAX_PAGE_BYTES} bytes are read`,
  );
}

async function readBody(url: URL, response: Response): Promise<Uint8Array> {
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > MAX_PAGE_BYTES) {
    await response.body?.cancel();
    throw tooLarge(url, `${announced} bytes`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the stream.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_PAGE_BYTES) throw tooLarge(url, `more than ${MAX_PAGE_BYTES} bytes`);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function excerpt(page: Page): string {
  const { mediaType } = page;
  if (mediaType !== "" && !/^text\/|json|xml/.test(mediaType)) return "";
  const text = decodeText(page.bytes.subarray(0, 20_000), page.charset)
    .replace(/<(script|style|title)\b[^]*?<\/\1\s*>/gi, " ").replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ").trim();
  return text === "" ? "" : `: ${text.slice(0, MAX_EXCERPT_CHARS)}`;
}

async function toPage(url: URL, response: Response): Promise<Page> {
  const { mediaType, charset } = parseContentType(response.headers.get("content-type"));
  const page = { url: url.href, mediaType, charset, bytes: await readBody(url, response) };
  if (response.ok) return page;
  const status = `${response.status} ${response.statusText}`.trim();
  throw new ToolError(`Cannot extract "${url}": the server answered ${status}${excerpt(page)}`, {
    retryable: response.status === 429 || response.status >= 500,
    details: { status: response.status },
  });
}

/**
 * Fetches a page. Redirects are followed while they stay on the same host and port.
 *
 * @param address The page's address.
 * @param signal Ends the request.
 * @returns The page.
 * @throws {ToolError} If the address or the answer cannot be used, or a redirect leads elsewhere.
 */
export async function fetchPage(address: string, signal: AbortSignal): Promise<Page> {
  let url = parseAddress(address);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await request(url, signal);
    const location = response.headers.get("location");
    if (!REDIRECT_STATUSES.has(response.status) || location === null) {
      return await toPage(url, response);
    }
    await response.body?.cancel();
    url = redirectTarget(url, location);
  }
  throw new ToolError(`Cannot extract "${address}": more than ${MAX_REDIRECTS} redirects`);
}
