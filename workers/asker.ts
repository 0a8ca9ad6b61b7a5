/**
 * What a handler asks its caller for, inside the worker: numbers the questions and hands out the answers.
 * @module
 */
import { ToolError } from "../core/errors.ts";
import type { InputMethod } from "../core/input.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import type { AskReply, WorkerMessage } from "./protocol.ts";

/** Questions that a call may have open at once. */
export const MAX_OPEN_ASKS = 16;
/** Questions that a call may ask in all. */
export const MAX_ASKS = 64;

const KEY = /^[A-Za-z0-9_.-]{1,64}$/;

interface OpenAsk {
  readonly resolve: (value: JsonValue) => void;
  readonly reject: (error: unknown) => void;
}

/** The questions of one call. */
export class Asker {
  readonly #id: number;
  readonly #send: (message: WorkerMessage) => void;
  readonly #open = new Map<number, OpenAsk>();
  #asked = 0;

  /**
   * Makes an asker.
   *
   * @param id The call's number.
   * @param send Sends a message to the front.
   */
  constructor(id: number, send: (message: WorkerMessage) => void) {
    this.#id = id;
    this.#send = send;
  }

  /**
   * Asks.
   *
   * @param method What is asked for.
   * @param request The question; its `key` is taken out.
   * @returns The answer.
   * @throws {ToolError} If it is no question, there are too many, or nobody answers.
   */
  ask(method: InputMethod, request: unknown): Promise<JsonValue> {
    const refused = (what: string) => Promise.reject(new ToolError(`Cannot ask: ${what}`));
    if (typeof request !== "object" || request === null) return refused("expected an object");
    const { key, ...params } = request as { readonly key?: unknown };
    if (key !== undefined && !(typeof key === "string" && KEY.test(key))) {
      return refused('"key" must be 1 to 64 letters, digits, "_", "." or "-"');
    }
    if (this.#open.size >= MAX_OPEN_ASKS) return refused(`${MAX_OPEN_ASKS} questions are open`);
    if (this.#asked >= MAX_ASKS) return refused(`a call may ask ${MAX_ASKS} questions`);
    const ask = ++this.#asked;
    const { promise, resolve, reject } = Promise.withResolvers<JsonValue>();
    this.#open.set(ask, { resolve, reject });
    try {
      const given = key === undefined ? {} : { key };
      this.#send({
        type: "ask",
        id: this.#id,
        ask,
        method,
        ...given,
        params: params as JsonObject,
      });
    } catch {
      this.#open.delete(ask);
      return refused("the question has no JSON form");
    }
    return promise;
  }

  /**
   * Takes an answer. One that nobody waits for is dropped.
   *
   * @param ask The question's number.
   * @param reply The answer.
   */
  answer(ask: number, reply: AskReply): void {
    const open = this.#open.get(ask);
    if (!open) return;
    this.#open.delete(ask);
    if (reply.ok) return open.resolve(reply.value);
    open.reject(new ToolError(reply.message, { details: reply.details }));
  }
}
