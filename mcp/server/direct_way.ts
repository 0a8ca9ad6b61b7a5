/**
 * The way of calls past the SDK's checks of each message, on a connection that has settled on an era.
 * @module
 */
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/server";

/**
 * The SDK's channel to a server. The answers to requests that did not come over it go to the wire without it, because
 * it parses what it passes on several times, which costs more than the JSON (measured on Deno 2.9.6).
 */
export class DirectWay implements Transport {
  /** Called when the channel is over. */
  onclose?: () => void;
  /** Receives what went wrong. */
  onerror?: (error: Error) => void;
  /** Receives the channel's messages. */
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #channel: Transport;
  readonly #wire: Transport;
  readonly #expected = new Set<RequestId>();

  /**
   * Puts itself before a channel.
   *
   * @param channel The SDK's channel.
   * @param wire Where its messages go in the end.
   */
  constructor(channel: Transport, wire: Transport) {
    this.#channel = channel;
    this.#wire = wire;
  }

  /** Begins to pass messages on. */
  start(): Promise<void> {
    this.#channel.onclose = () => this.onclose?.();
    this.#channel.onerror = (error) => this.onerror?.(error);
    this.#channel.onmessage = (message, extra) => {
      // What was cancelled stays without an answer.
      if ("method" in message && message.method === "notifications/cancelled") {
        this.forget((message.params as { readonly requestId?: RequestId } | undefined)?.requestId);
      }
      this.onmessage?.(message, extra);
    };
    return this.#channel.start();
  }

  /**
   * Remembers a request that came past the channel.
   *
   * @param id The request.
   */
  expect(id: RequestId): void {
    this.#expected.add(id);
  }

  /**
   * Forgets a request that will not be answered, or comes over the channel after all.
   *
   * @param id The request.
   */
  forget(id: RequestId | undefined): void {
    if (id !== undefined) this.#expected.delete(id);
  }

  /**
   * Sends a message.
   *
   * @param message The message.
   * @param options Goes to the channel.
   * @returns Settles when it was taken.
   */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const isDirect = !("method" in message) && message.id !== undefined &&
      this.#expected.delete(message.id);
    return isDirect ? this.#wire.send(message) : this.#channel.send(message, options);
  }

  /** Closes the channel. */
  async close(): Promise<void> {
    this.#expected.clear();
    await this.#channel.close();
  }
}

const FIELDS = 4;
const RELATED_TASK = "io.modelcontextprotocol/related-task";

/**
 * Whether a request has the form that the SDK asks of every request; its parameters are not looked at.
 *
 * @param request The request, known to be a JSON-RPC request.
 * @returns False for one that the SDK should judge.
 */
export function isPlainRequest(request: JSONRPCRequest): boolean {
  if (request.params === undefined || Object.keys(request).length !== FIELDS) return false;
  const meta: unknown = request.params._meta;
  if (meta === undefined) return true;
  if (typeof meta !== "object" || meta === null || Array.isArray(meta)) return false;
  if (RELATED_TASK in meta) return false;
  const { progressToken } = meta as { readonly progressToken?: unknown };
  return progressToken === undefined || typeof progressToken === "string" ||
    Number.isSafeInteger(progressToken);
}
