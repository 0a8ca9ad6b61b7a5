/**
 * `fetch` as far as a server of the network may lead it.
 * @module
 */
import { type Fetch, fetchHops } from "../hops.ts";

/** The longest body, or the longest event of a stream, in bytes. */
export const MAX_BODY_BYTES = 64 * 1_024 * 1_024;
const LF = 10;
const CR = 13;

/**
 * Makes a `fetch` that follows no redirect to another origin, because headers with credentials would go along,
 * and that bounds bodies.
 *
 * @param maxBytes The longest body; of a stream of events, the longest event.
 * @param base What is made safe. @default {fetch}
 * @returns The safe one.
 */
export function createGuardedFetch(
  maxBytes: number = MAX_BODY_BYTES,
  base: Fetch = (url, init) => fetch(url, init),
): Fetch {
  return async (url, init) => {
    const response = await fetchHops(base, url, init, { mayLeaveOrigin: false });
    return bound(response, maxBytes, init?.signal ?? undefined);
  };
}

function bound(response: Response, maxBytes: number, signal: AbortSignal | undefined): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
  // Aborting a fetch does not reach a body that is piped (measured on Deno 2.9.6): a stream would never end.
  const body = response.body.pipeThrough(countBytes(maxBytes, isStream), { signal });
  const bounded = new Response(body, response);
  // A made response knows neither where it came from nor whether it was redirected.
  Object.defineProperty(bounded, "url", { value: response.url });
  return bounded;
}

function countBytes(
  maxBytes: number,
  isStream: boolean,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = isStream ? endOfEvent(chunk) : -1;
      if (end < 0) bytes += chunk.length;
      if (bytes > maxBytes) {
        controller.error(new Error(`The server sent more than ${maxBytes} bytes in one message`));
        return;
      }
      if (end >= 0) bytes = chunk.length - end;
      controller.enqueue(chunk);
    },
  });
}

// Where the last event of a chunk ends, as far as one chunk shows it; an end that two chunks share is seen at the next.
function endOfEvent(chunk: Uint8Array): number {
  for (let i = chunk.length - 1; i > 0; i--) {
    if (chunk[i] !== LF && chunk[i] !== CR) continue;
    const before = chunk[i - 1] === CR && chunk[i] === LF ? chunk[i - 2] : chunk[i - 1];
    if (before === LF || before === CR) return i + 1;
  }
  return -1;
}
