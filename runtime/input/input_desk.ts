/**
 * Answers what a running call asks for: checks the question, asks the surface, checks the answer.
 * @module
 */
import type { InputMethod, InputOrigin, InputSurface } from "../../core/input.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import type { AskMessage, AskReply } from "../../workers/protocol.ts";
import {
  InvalidInput,
  readElicitRequest,
  readElicitResult,
  readRoots,
  readSampleRequest,
  readSampleResult,
} from "./check_input.ts";

/** Whose questions are answered. */
export interface InputDeskOptions {
  /** Answers them; absent where nobody does. */
  readonly surface?: InputSurface;
  /** The call's id. */
  readonly callId: string;
  /** The tool that asks. */
  readonly tool: string;
}

const WHAT: Readonly<Record<InputMethod, string>> = {
  "elicitation/create": "the person",
  "sampling/createMessage": "the caller's model",
  "roots/list": "where the caller works",
};
const CAPABILITIES: Readonly<Record<InputMethod, string>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/** Answers the questions of one call. Dispose of it when the call is over: what is still open aborts. */
export class InputDesk implements Disposable {
  readonly #options: InputDeskOptions;
  readonly #over = new AbortController();
  readonly #keys = new Set<string>();

  /**
   * Opens a desk.
   *
   * @param options Whose questions are answered, and by whom.
   */
  constructor(options: InputDeskOptions) {
    this.#options = options;
  }

  /**
   * Answers a question.
   *
   * @param message The question.
   * @returns The answer, or why there is none. Never rejects.
   */
  async answer({ method, key, ask, params }: AskMessage): Promise<AskReply> {
    const name = key ?? `input_${ask}`;
    if (this.#keys.has(name)) {
      return refuse(method, `"${name}" names another question of this call`);
    }
    this.#keys.add(name);
    const { callId, tool } = this.#options;
    const origin: InputOrigin = { key: name, callId, tool, signal: this.#over.signal };
    try {
      const asking = this.#ask(method, params, origin);
      if (asking !== undefined) return { ok: true, value: await asking };
      const details = { missingCapability: CAPABILITIES[method] };
      return refuse(method, "this call has no surface to ask through", details);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return refuse(method, error instanceof InvalidInput ? reason : reason.slice(0, 1_000));
    }
  }

  /** Aborts what is still open. */
  [Symbol.dispose](): void {
    this.#over.abort(new DOMException("The call is over", "AbortError"));
  }

  #ask(
    method: InputMethod,
    params: JsonObject,
    origin: InputOrigin,
  ): Promise<JsonValue> | undefined {
    const { surface } = this.#options;
    switch (method) {
      case "elicitation/create":
        return surface?.elicit && this.#elicit(surface, params, origin);
      case "sampling/createMessage":
        return surface?.sample && this.#sample(surface, params, origin);
      case "roots/list":
        return surface?.listRoots && this.#listRoots(surface, origin);
      default:
        return method satisfies never;
    }
  }

  async #elicit(
    surface: InputSurface,
    params: JsonObject,
    origin: InputOrigin,
  ): Promise<JsonValue> {
    const request = readElicitRequest(params);
    const answer: unknown = await surface.elicit?.({ ...request, key: origin.key }, origin);
    return await readElicitResult(answer, request) as unknown as JsonValue;
  }

  async #sample(
    surface: InputSurface,
    params: JsonObject,
    origin: InputOrigin,
  ): Promise<JsonValue> {
    const request = readSampleRequest(params);
    const answer: unknown = await surface.sample?.({ ...request, key: origin.key }, origin);
    return readSampleResult(answer) as unknown as JsonValue;
  }

  async #listRoots(surface: InputSurface, origin: InputOrigin): Promise<JsonValue> {
    return readRoots(await surface.listRoots?.(origin)) as unknown as JsonValue;
  }
}

function refuse(method: InputMethod, why: string, details?: JsonValue): AskReply {
  const message = `Cannot ask ${WHAT[method]}: ${why}`;
  return { ok: false, message, ...(details === undefined ? {} : { details }) };
}
