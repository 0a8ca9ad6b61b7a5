/**
 * Reads a request's body: bounded in size and time, JSON only.
 * @module
 */
import { joinBytes } from "../core/join_bytes.ts";
import { HttpProblem } from "./problem.ts";

/** Bounds of a body. */
export interface BodyLimits {
  /** Longest body in bytes. */
  readonly maxBytes: number;
  /** Milliseconds in which the whole body must have come. */
  readonly timeoutMs: number;
}

/**
 * Reads the text of the JSON object that a request carries. Its numbers are left to whoever checks the call:
 * a value that was read here could have lost some digits already.
 *
 * @param request The request.
 * @param limits Bounds of its body.
 * @returns The text.
 * @throws {HttpProblem} 415 for another media type or an encoded body, 413 when it is too long (announced or
 * streamed), 408 when it does not come in time, 400 when it is not a JSON object.
 */
export async function readObjectText(request: Request, limits: BodyLimits): Promise<string> {
  checkMediaType(request.headers);
  checkAnnouncedLength(request.headers, limits.maxBytes);
  const bytes = await readBytes(request, limits);
  return assertObject(decode(bytes));
}

function checkMediaType(headers: Headers): void {
  const type = headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new HttpProblem(
      415,
      "unsupported_media_type",
      `Content-Type ${JSON.stringify(type.slice(0, 100))} is not accepted: send application/json`,
      { "accept-post": "application/json" },
    );
  }
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new HttpProblem(415, "unsupported_encoding", "An encoded body is not accepted", {
      "accept-encoding": "identity",
    });
  }
}

function checkAnnouncedLength(headers: Headers, maxBytes: number): void {
  const length = headers.get("content-length");
  if (length !== null && Number(length) > maxBytes) throw tooLarge(maxBytes);
}

async function readBytes(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooSlow(limits.timeoutMs)), limits.timeoutMs);
  try {
    return await Promise.race([collect(reader, limits.maxBytes), late.promise]);
  } catch (error) {
    // What is left of the body is not wanted; without this the connection would keep on receiving it.
    reader.cancel().catch(() => {});
    if (error instanceof HttpProblem) throw error;
    throw new HttpProblem(400, "body_unreadable", "The body ended before it was complete");
  } finally {
    clearTimeout(timer);
  }
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(part.value);
  }
  return joinBytes(chunks);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HttpProblem(400, "invalid_json", "The body is not UTF-8");
  }
}

function assertObject(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    throw new HttpProblem(400, "invalid_json", `The body is not JSON: ${reason}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return text;
  throw new HttpProblem(
    400,
    "invalid_json",
    'The body must be a JSON object with the arguments, such as {"path": "a.txt"} or {}',
  );
}

function tooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem(
    413,
    "body_too_large",
    `The body is longer than ${maxBytes} bytes`,
    { connection: "close" },
  );
}

function tooSlow(timeoutMs: number): HttpProblem {
  return new HttpProblem(
    408,
    "body_too_slow",
    `The body did not come within ${timeoutMs} ms`,
    { connection: "close" },
  );
}
