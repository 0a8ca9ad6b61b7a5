/**
 * What of a server's messages is let in.
 * @module
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";

type Id = string | number;
type Members = { readonly [member: string]: unknown };

/** What a gate works with. */
export interface MessageGateOptions {
  /** Hears why messages are dropped. */
  readonly onDropped: (why: string, total: number) => void;
  /** Looks through a result before it is let in. */
  readonly onResult?: (method: string, result: Members) => Members;
}

/**
 * Lets in requests, notifications, and answers to what was really asked, each by its very id: an id that is only
 * equal after a conversion is somebody else's. Everything else is dropped and counted.
 */
export class MessageGate {
  readonly #options: MessageGateOptions;
  readonly #asked = new Map<Id, string>();
  readonly #calledOff = new Set<Id>();
  #dropped = 0;

  /**
   * Makes a gate.
   *
   * @param options What it works with.
   */
  constructor(options: MessageGateOptions) {
    this.#options = options;
  }

  /** How many messages were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Notes a message that goes out.
   *
   * @param message The message.
   */
  sent(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#asked.set(message.id, message.method);
    else if (message.method === "notifications/cancelled") {
      this.#callOff(message.params?.requestId as Id);
    }
  }

  /**
   * Whether an answer is still waited for.
   *
   * @param id The request's id.
   * @returns True until it came or was called off.
   */
  awaits(id: Id): boolean {
    return this.#asked.has(id);
  }

  /**
   * Looks at a message that came in.
   *
   * @param value The message, whatever it is.
   * @returns The message, or `undefined` when it is dropped.
   */
  admit(value: unknown): JSONRPCMessage | undefined {
    if (!isObject(value) || value.jsonrpc !== "2.0") return this.#drop("it is no JSON-RPC message");
    return typeof value.method === "string" ? this.#admitCall(value) : this.#admitAnswer(value);
  }

  /**
   * Counts something that is no message at all.
   *
   * @param why What is wrong.
   */
  refuse(why: string): void {
    this.#drop(why);
  }

  #admitCall(value: Members): JSONRPCMessage | undefined {
    if ("params" in value && !isObject(value.params)) return this.#drop("its params are no object");
    if ("id" in value && !isId(value.id)) return this.#drop("its id is neither text nor a number");
    if (value.method === "notifications/progress") {
      const token = (value.params as Members | undefined)?.progressToken;
      // Progress of a call that is over is common and tells nothing.
      if (!isId(token) || !this.#asked.has(token)) return undefined;
    }
    return value as unknown as JSONRPCMessage;
  }

  #admitAnswer(value: Members): JSONRPCMessage | undefined {
    const { id, result, error } = value;
    if (!isId(id) || !this.#asked.has(id)) {
      if (isId(id) && this.#calledOff.delete(id)) return undefined;
      return this.#drop("nobody waits for an answer with its id");
    }
    const method = this.#asked.get(id)!;
    if (isObject(result) && error === undefined) {
      this.#asked.delete(id);
      const seen = this.#options.onResult?.(method, result) ?? result;
      return { jsonrpc: "2.0", id, result: seen } as unknown as JSONRPCMessage;
    }
    if (!isError(error) || result !== undefined) return this.#drop("it is no JSON-RPC answer");
    this.#asked.delete(id);
    return value as unknown as JSONRPCMessage;
  }

  #callOff(id: Id): void {
    if (!this.#asked.delete(id)) return;
    this.#calledOff.add(id);
    // Only the newest are remembered: a server may never answer what was called off.
    if (this.#calledOff.size > 1_000) {
      this.#calledOff.delete(this.#calledOff.values().next().value!);
    }
  }

  #drop(why: string): undefined {
    this.#options.onDropped(why, ++this.#dropped);
    return undefined;
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isFinite(value);
}

function isError(value: unknown): boolean {
  return isObject(value) && Number.isInteger(value.code) && typeof value.message === "string";
}
