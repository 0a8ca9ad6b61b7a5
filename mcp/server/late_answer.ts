/**
 * Noticing that a client went away while its call runs.
 *
 * Measured on Deno 2.9.6: when a request's body came apart from its head, a server is not told that the client went
 * away until it begins to answer. So an answer that takes longer begins as a stream, which the protocol allows.
 * @module
 */
import { watchStream } from "./watched_stream.ts";

/** Milliseconds in which an answer may still choose its status, and between signs of life. */
const STREAM_AFTER_MS = 1_000;
const KEEP_ALIVE_MS = 15_000;
const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

/**
 * Answers a request whose body was read.
 *
 * @param request The request.
 * @param answer Makes the answer; the signal of its request aborts when the client goes away.
 * @param afterMs Milliseconds after which the answer begins as a stream. @default {1000}
 * @returns The answer.
 */
export async function answerOrStream(
  request: Request,
  answer: (request: Request) => Promise<Response>,
  afterMs: number = STREAM_AFTER_MS,
): Promise<Response> {
  const gone = new AbortController();
  const leave = () => gone.abort(new DOMException("The client went away", "AbortError"));
  const forget = () => request.signal.removeEventListener("abort", leave);
  request.signal.addEventListener("abort", leave);
  if (request.signal.aborted) leave();
  const { url, method, headers } = request;
  const pending = answer(new Request(url, { method, headers, signal: gone.signal }));
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), afterMs);
  try {
    const first = await Promise.race([pending, late.promise]);
    return watchStream(first ?? streamOf(pending, leave), forget);
  } catch (error) {
    forget();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function streamOf(pending: Promise<Response>, leave: () => void): Response {
  const encoder = new TextEncoder();
  let keepAlive: ReturnType<typeof setInterval>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      keepAlive = setInterval(
        () => controller.enqueue(encoder.encode(": keepalive\n\n")),
        KEEP_ALIVE_MS,
      );
      void pass(pending, controller).catch(() => {}).finally(() => clearInterval(keepAlive));
    },
    cancel() {
      clearInterval(keepAlive);
      leave();
    },
  });
  return new Response(body, { headers: STREAM_HEADERS });
}

async function pass(
  pending: Promise<Response>,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  try {
    const response = await pending;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (isStream && response.body !== null) {
      for await (const part of response.body) controller.enqueue(part);
    } else {
      const text = await response.text();
      const frame = `event: message\ndata: ${text}\n\n`;
      if (text !== "") controller.enqueue(new TextEncoder().encode(frame));
    }
  } finally {
    controller.close();
  }
}
