/**
 * The stdio transport over streams that the caller hands in.
 * @module
 */
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { textOfMessage } from "./json_text.ts";
import { LineReader } from "./line_reader.ts";

/** The streams, and the bounds. */
export interface StreamTransportOptions {
  /** Where messages come from, one on each line. */
  readonly readable: ReadableStream<Uint8Array>;
  /** Where messages go. */
  readonly writable: WritableStream<Uint8Array>;
  /** Longest line, in bytes. */
  readonly maxLineBytes: number;
}

/** Bytes that a client leaves unread before it loses notifications, and before it loses the connection. */
const SOFT_BYTES = 4 * 1024 * 1024;
const HARD_BYTES = 256 * 1024 * 1024;

/** Messages on lines. */
export class StreamTransport implements Transport {
  /** Called when the connection is over. */
  onclose?: () => void;
  /** Receives what went wrong. */
  onerror?: (error: Error) => void;
  /** Receives messages. */
  onmessage?: (message: JSONRPCMessage) => void;
  /** Is offered calls first; `onmessage` receives what it does not take. */
  oncall?: (request: JSONRPCRequest) => boolean;
  /** Hears when the first subscription begins, and when the last one ends. */
  onlisten?: (isListening: boolean) => void;
  readonly #options: StreamTransportOptions;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #ended = Promise.withResolvers<void>();
  readonly #pending = new Set<RequestId>();
  readonly #subscriptions = new Set<RequestId>();
  #idle = Promise.withResolvers<void>();
  #unwritten = 0;
  #lastWrite: Promise<void> = Promise.resolve();
  #isClosed = false;
  #isBehind = false;

  /**
   * Takes hold of the streams.
   *
   * @param options The streams, and the bounds.
   */
  constructor(options: StreamTransportOptions) {
    this.#options = options;
    this.#writer = options.writable.getWriter();
    this.#reader = options.readable.getReader();
    this.#idle.resolve();
  }

  /** Whether the client has a subscription. */
  get isListening(): boolean {
    return this.#subscriptions.size > 0;
  }

  /** Settles when no further message can come. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Settles when every request that came was answered. */
  get idle(): Promise<void> {
    return this.#idle.promise;
  }

  /** Begins to read. */
  start(): Promise<void> {
    void this.#read().finally(() => this.#ended.resolve());
    return Promise.resolve();
  }

  /**
   * Writes a message.
   *
   * @param message The message.
   * @returns Settles when it was taken.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error("Cannot send a message: the connection is closed");
    if (!("method" in message) && message.id !== undefined && message.id !== null) {
      this.#settle(message.id);
    }
    // A client that does not read must not fill the memory.
    const isNotification = "method" in message && !("id" in message);
    if (isNotification && this.#unwritten > SOFT_BYTES) return;
    await this.#write(textOfMessage(message));
  }

  /** Ends the connection. What was sent before is written as long as somebody reads. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pending.clear();
    this.#idle.resolve();
    this.#ended.resolve();
    this.onclose?.();
    await this.#reader.cancel().catch(() => {});
  }

  /**
   * Waits until what was sent is written, and lets the stream go.
   *
   * @param waitMs Milliseconds after which nobody seems to read.
   */
  async flush(waitMs: number): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, waitMs);
    await Promise.race([this.#lastWrite, late.promise]);
    clearTimeout(timer);
    this.#writer.releaseLock();
  }

  async #write(text: string): Promise<void> {
    const bytes = this.#encoder.encode(text + "\n");
    this.#unwritten += bytes.length;
    if (this.#unwritten > HARD_BYTES) {
      void this.close();
      throw new Error("Cannot send a message: the client does not read");
    }
    const writing = this.#writer.write(bytes);
    this.#lastWrite = writing.catch(() => {});
    try {
      await writing;
    } catch (error) {
      void this.close();
      throw error;
    } finally {
      this.#unwritten -= bytes.length;
    }
  }

  async #read(): Promise<void> {
    const lines = new LineReader(this.#options.maxLineBytes);
    try {
      for (let part = await this.#reader.read(); !part.done; part = await this.#reader.read()) {
        this.#isBehind = false;
        for (const line of lines.push(part.value)) {
          if (line.kind === "line") this.#receive(line.text);
          else this.#refuseLong();
        }
      }
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  #receive(text: string): void {
    if (this.#isClosed || text.trim() === "") return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#refuse(ProtocolErrorCode.ParseError, "Parse error: the line is not JSON");
    }
    if (!isMessage(value)) {
      const why = "Invalid Request: the line is no JSON-RPC message";
      return this.#refuse(ProtocolErrorCode.InvalidRequest, why, idOf(value));
    }
    this.#note(value);
    // Messages that came in one piece keep their order.
    if (!this.#isBehind && isCall(value) && this.oncall?.(value)) return;
    this.#isBehind = true;
    this.onmessage?.(value);
  }

  #note(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) {
      // A subscription is answered when it ends.
      if (message.method === "subscriptions/listen") return this.#subscribe(message.id);
      if (this.#pending.size === 0) this.#idle = Promise.withResolvers();
      this.#pending.add(message.id);
    } else if (message.method === "notifications/cancelled") {
      // What was cancelled may stay without an answer.
      this.#settle((message.params as { readonly requestId?: RequestId } | undefined)?.requestId);
    }
  }

  #subscribe(id: RequestId): void {
    this.#subscriptions.add(id);
    if (this.#subscriptions.size === 1) this.onlisten?.(true);
  }

  #settle(id: RequestId | undefined): void {
    if (id !== undefined && this.#subscriptions.delete(id) && this.#subscriptions.size === 0) {
      this.onlisten?.(false);
    }
    if (id !== undefined && this.#pending.delete(id) && this.#pending.size === 0) {
      this.#idle.resolve();
    }
  }

  #refuseLong(): void {
    const why = `Parse error: the line is longer than ${this.#options.maxLineBytes} bytes`;
    this.#refuse(ProtocolErrorCode.ParseError, why);
  }

  #refuse(code: number, message: string, id: RequestId | null = null): void {
    this.onerror?.(new Error(message));
    const text = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
    void this.#write(text).catch(() => {});
  }
}

/** By hand: the SDK's schema of the four kinds takes longer than the JSON (measured on Deno 2.9.6). */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== "object" || value === null) return false;
  const { jsonrpc, id, method, params, result, error } = value as Readonly<Record<string, unknown>>;
  if (jsonrpc !== "2.0") return false;
  if (method === undefined) {
    const isAnswer = isObject(result) !== isObject(error);
    return isAnswer && (isId(id) || (id === undefined && result === undefined));
  }
  return typeof method === "string" && (id === undefined || isId(id)) &&
    (params === undefined || isObject(params));
}

function isCall(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && message.method === "tools/call" && "id" in message;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(id: unknown): id is RequestId {
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));
}

function idOf(value: unknown): RequestId | null {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
  return isId(id) ? id : null;
}
