/**
 * Reads the body of a request: JSON, bounded in size and time.
 * @module
 */
import { joinBytes } from "../../core/join_bytes.ts";
import { isJsonContentType } from "@modelcontextprotocol/server";
import { rpcError } from "./rpc_response.ts";

/** Bounds of a body. */
export interface HttpBodyLimits {
  /** Longest body in bytes. */
  readonly maxBytes: number;
  /** Milliseconds in which the whole body must have come. */
  readonly timeoutMs: number;
}

/** A body, or the answer to a request that has none that counts. */
export type HttpBody = { readonly body: unknown } | { readonly refused: Response };

const CLOSE = { connection: "close" } as const;

/**
 * Reads a body.
 *
 * @param request The request.
 * @param limits Bounds of its body.
 * @returns The parsed JSON, or the refusal.
 */
export async function readHttpBody(request: Request, limits: HttpBodyLimits): Promise<HttpBody> {
  if (!isJsonContentType(request.headers.get("content-type"))) {
    return refuse(415, -32_000, "Unsupported Media Type: Content-Type must be application/json");
  }
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    return refuse(415, -32_000, "Unsupported Media Type: send the body without Content-Encoding");
  }
  if (Number(request.headers.get("content-length") ?? 0) > limits.maxBytes) return tooLong(limits);
  const bytes = await readBytes(request, limits);
  if (bytes === "too-long") return tooLong(limits);
  if (bytes === "late") {
    return refuse(408, -32_000, `The body did not come within ${limits.timeoutMs} ms`, CLOSE);
  }
  if (bytes === "broken") return refuse(400, -32_700, "Parse error: the body could not be read");
  try {
    return { body: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return refuse(400, -32_700, "Parse error: the body is not valid JSON");
  }
}

type Bytes = Uint8Array | "too-long" | "late" | "broken";

async function readBytes(request: Request, limits: HttpBodyLimits): Promise<Bytes> {
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), limits.timeoutMs);
  try {
    if (isAnnounced(request.headers)) return await Promise.race([whole(request), late.promise]);
    const reader = request.body?.getReader();
    if (reader === undefined) return new Uint8Array();
    const bytes = await Promise.race([collect(reader, limits.maxBytes), late.promise]);
    // What is left of it is not wanted; without this the connection would keep on receiving.
    if (typeof bytes === "string") void reader.cancel().catch(() => {});
    return bytes;
  } finally {
    clearTimeout(timer);
  }
}

/** Nobody can send more than the length that was announced, and it was looked at. */
function isAnnounced(headers: Headers): boolean {
  return headers.has("content-length") && !headers.has("transfer-encoding");
}

async function whole(request: Request): Promise<Bytes> {
  try {
    return await request.bytes();
  } catch {
    return "broken";
  }
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > maxBytes) return "too-long";
      chunks.push(part.value);
    }
  } catch {
    return "broken";
  }
  return chunks.length === 1 ? chunks[0]! : joinBytes(chunks);
}

function tooLong({ maxBytes }: HttpBodyLimits): HttpBody {
  return refuse(413, -32_000, `The body is longer than ${maxBytes} bytes`, CLOSE);
}

function refuse(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HttpBody {
  return { refused: rpcError({ status, code, message, headers }) };
}
