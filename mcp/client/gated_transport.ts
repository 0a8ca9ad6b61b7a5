/**
 * A transport of the SDK behind a gate.
 * @module
 */
import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import { STREAM_ENDED } from "./link_errors.ts";
import type { MessageGate } from "./message_gate.ts";

const LOST_CODE = -32_000;

/** Lets only those messages of another transport in that its gate admits. */
export class GatedTransport implements Transport {
  /** Called once when the transport closed. */
  onclose?: () => void;
  /** Called for what goes wrong and is not an answer. */
  onerror?: (error: Error) => void;
  /** Called for every message that is let in. */
  onmessage?: Transport["onmessage"];
  readonly #inner: Transport;
  readonly #gate: MessageGate;

  /**
   * Puts a gate before a transport that was not started.
   *
   * @param inner The transport.
   * @param gate The gate.
   */
  constructor(inner: Transport, gate: MessageGate) {
    this.#inner = inner;
    this.#gate = gate;
  }

  /** Whether closing a request's stream cancels it. */
  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream ?? false;
  }

  /** The session's id, where the server gave one. */
  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  /** Starts the other transport. */
  async start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message, extra) => {
      const admitted = this.#gate.admit(message);
      if (admitted !== undefined) this.onmessage?.(admitted, extra);
    };
    await this.#inner.start();
  }

  /**
   * Sends a message.
   *
   * @param message The message.
   * @param options How it is sent.
   */
  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#gate.sent(message);
    await this.#inner.send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options?.onRequestStreamEnd?.();
        if (options?.onRequestStreamEnd === undefined) this.#answerLost(message);
      },
    });
  }

  /** Closes the other transport. */
  async close(): Promise<void> {
    await this.#inner.close();
  }

  /**
   * Notes the protocol revision for further requests.
   *
   * @param version The revision.
   */
  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  // A stream that ends without the answer would leave its call waiting until the deadline.
  #answerLost(message: JSONRPCMessage): void {
    if (!("method" in message) || !("id" in message) || !this.#gate.awaits(message.id)) return;
    const error = {
      code: LOST_CODE,
      message: "The stream ended without an answer",
      data: STREAM_ENDED,
    };
    const lost = this.#gate.admit({ jsonrpc: "2.0", id: message.id, error });
    if (lost !== undefined) this.onmessage?.(lost);
  }
}
