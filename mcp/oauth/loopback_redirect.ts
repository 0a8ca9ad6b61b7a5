/**
 * Where the browser comes back to after a login: a listener on this machine for exactly one answer.
 * @module
 */
import { timingSafeEqual } from "node:crypto";

/** The path of the redirect address. */
const PATH = "/callback";
const DEFAULT_TIMEOUT_MS = 300_000;
const HEADERS: Readonly<Record<string, string>> = Object.freeze({
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  // The address holds the code.
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "connection": "close",
});

/** Options of {@linkcode openLoopbackRedirect}. */
export interface LoopbackRedirectOptions {
  /** The port. @default {a free one} */
  readonly port?: number;
  /** How long to wait for the browser, in milliseconds. @default {300_000} */
  readonly timeoutMs?: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** A listener that waits for the browser. */
export interface LoopbackRedirect extends AsyncDisposable {
  /** The address for the authorization server to send the browser to. */
  readonly url: string;
  /** The one-time value that the answer must carry. */
  readonly state: string;
  /**
   * Waits for the answer.
   *
   * @param check Looks at the answer before the browser is told; throws to refuse it.
   * @returns The answer's parameters.
   * @throws {Error} If no answer comes in time, or the check refuses it.
   */
  wait(check?: (answer: URLSearchParams) => void): Promise<URLSearchParams>;
}

/**
 * Listens on 127.0.0.1. Answers with another `state`, to another host name or to another path are refused and do
 * not count; the first one with the right `state` is the answer, and the listener is closed.
 *
 * @param options Port, patience, and what ends it.
 * @returns The listener.
 * @throws {Error} If the port cannot be had.
 */
export function openLoopbackRedirect(options: LoopbackRedirectOptions = {}): LoopbackRedirect {
  return new Listener(options);
}

class Listener implements LoopbackRedirect {
  readonly url: string;
  readonly state: string = randomState();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #host: string;
  readonly #answer = Promise.withResolvers<URLSearchParams>();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: () => void;
  #check: ((answer: URLSearchParams) => void) | undefined;
  #isAnswered = false;

  constructor({ port = 0, timeoutMs = DEFAULT_TIMEOUT_MS, signal }: LoopbackRedirectOptions) {
    this.#answer.promise.catch(() => {});
    this.#server = listen(port, (request) => this.#handle(request));
    this.#host = `127.0.0.1:${this.#server.addr.port}`;
    this.url = `http://${this.#host}${PATH}`;
    // A timer of AbortSignal.timeout() would keep the program alive after the login (measured on Deno 2.9.6).
    this.#timer = setTimeout(
      () => this.#end(`the browser did not come back within ${timeoutMs} ms`),
      timeoutMs,
    );
    this.#onAbort = () => this.#end("it was ended before the browser came back");
    this.#signal = signal;
    if (signal?.aborted) this.#onAbort();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  async wait(check?: (answer: URLSearchParams) => void): Promise<URLSearchParams> {
    this.#check = check;
    return await this.#answer.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end("its listener was closed");
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onAbort);
    await this.#server.shutdown();
  }

  #end(reason: string): void {
    this.#isAnswered = true;
    this.#answer.reject(new Error(`Cannot finish the login: ${reason}`));
  }

  #handle(request: Request): Response {
    // A page of another site may point a name of its own at this address.
    if (request.headers.get("host") !== this.#host) return page(421, "This address is not served");
    const url = new URL(request.url);
    if (url.pathname !== PATH) return page(404, "Nothing is here");
    if (request.method !== "GET") return page(405, "Only GET is answered");
    if (this.#isAnswered) return page(410, "This login is over");
    if (!isSame(url.searchParams.getAll("state"), this.state)) {
      return page(400, "This answer belongs to no login under way");
    }
    this.#isAnswered = true;
    return this.#accept(url.searchParams);
  }

  #accept(answer: URLSearchParams): Response {
    try {
      checkRepeats(answer);
      this.#check?.(answer);
    } catch (error) {
      this.#answer.reject(error);
      return page(400, "The login was refused. Go back to the terminal");
    }
    this.#answer.resolve(answer);
    if (!answer.has("code")) return page(400, "The login failed. Go back to the terminal");
    return page(200, "The answer arrived. Close this window and go back to the terminal");
  }
}

function listen(
  port: number,
  handler: (request: Request) => Response,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, handler);
  } catch (error) {
    throw new Error(
      `Cannot listen on 127.0.0.1:${port} for the browser to come back to: choose another ` +
        `"oauth.redirectPort", or free the port`,
      { cause: error },
    );
  }
}

// RFC 6749 section 3.1: parameters must not come twice. Two values would let two readers see two answers.
function checkRepeats(answer: URLSearchParams): void {
  for (const name of ["code", "iss", "error"]) {
    if (answer.getAll(name).length > 1) {
      throw new Error(`Cannot use the answer of the browser: parameter "${name}" comes twice`);
    }
  }
}

function isSame(values: readonly string[], expected: string): boolean {
  if (values.length !== 1) return false;
  const [one, other] = [values[0]!, expected].map((text) => new TextEncoder().encode(text));
  return one!.length === other!.length && timingSafeEqual(one!, other!);
}

function randomState(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toHex();
}

function page(status: number, text: string): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Cloister</title>` +
    `<p>${text}.</p></html>\n`;
  return new Response(html, { status, headers: HEADERS });
}
