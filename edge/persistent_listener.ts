/**
 * A listener that a flood of connections cannot close for good.
 * @module
 */

/** Milliseconds between the end of a listener and the next attempt. */
const RETRY_MS = 100;

/** Where to listen. */
export interface ListenAddress {
  /** The address. */
  readonly hostname: string;
  /** The port; 0 takes a free one. */
  readonly port: number;
}

/**
 * Serves on one port until it is stopped. Measured on Deno 2.9.6: when the process is out of descriptors, a server
 * ends with an error that would end the process too; this one listens again.
 */
export class PersistentListener {
  readonly #hostname: string;
  readonly #handler: (request: Request) => Promise<Response>;
  readonly #onError: (error: unknown) => Response;
  #abort = new AbortController();
  #server: Deno.HttpServer<Deno.NetAddr>;
  #stopped = false;
  /** The port it listens on. */
  readonly port: number;

  /**
   * Starts to listen.
   *
   * @param address Where.
   * @param handler Answers requests.
   * @param onError Answers a request whose handler threw.
   * @throws {Deno.errors.AddrInUse} If the port is taken.
   */
  constructor(
    address: ListenAddress,
    handler: (request: Request) => Promise<Response>,
    onError: (error: unknown) => Response,
  ) {
    this.#hostname = address.hostname;
    this.#handler = handler;
    this.#onError = onError;
    this.#server = this.#listen(address.port);
    this.port = this.#server.addr.port;
    this.#keepUp();
  }

  /** Takes no new connection; settles when the answers under way are sent. */
  async shutdown(): Promise<void> {
    this.#stopped = true;
    await this.#server.shutdown().catch(() => {});
  }

  /** Cuts every connection. */
  cut(): void {
    this.#stopped = true;
    this.#abort.abort();
  }

  #listen(port: number): Deno.HttpServer<Deno.NetAddr> {
    this.#abort = new AbortController();
    return Deno.serve({
      hostname: this.#hostname,
      port,
      signal: this.#abort.signal,
      onListen() {},
      onError: this.#onError,
    }, this.#handler);
  }

  async #keepUp(): Promise<void> {
    while (!await this.#ended()) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      if (this.#stopped) return;
      try {
        this.#server = this.#listen(this.port);
      } catch {
        // Still out of descriptors; the old server's end is known, so the loop comes back here.
      }
    }
  }

  /** Whether the server ended because it was told to. */
  async #ended(): Promise<boolean> {
    try {
      await this.#server.finished;
      return true;
    } catch {
      return this.#stopped;
    }
  }
}
