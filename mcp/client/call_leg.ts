/**
 * One request to a server as long as it is under way: its deadline, its progress, its questions.
 * @module
 */
import type { Progress } from "@modelcontextprotocol/client";
import type { ElicitResult } from "../../core/context.ts";
import { plainLine } from "../../core/plain_text.ts";
import type { Clock } from "../../registry/availability/clock.ts";
import type { ServerCallOptions } from "./connection_types.ts";
import { Deadline } from "./deadline.ts";
import { answerElicitation } from "./elicitation.ts";
import type { LinkRequest } from "./input_rounds.ts";

const PROGRESS_CHARS = 500;

/** One request as long as it is under way. */
export class CallLeg implements Disposable {
  readonly #options: ServerCallOptions;
  readonly #deadline: Deadline;
  #progress = -Infinity;

  /**
   * Begins a request.
   *
   * @param options How it is made.
   * @param clock Tells the time.
   */
  constructor(options: ServerCallOptions, clock: Clock) {
    this.#options = options;
    this.#deadline = new Deadline(clock, options.timeoutMs, options.signal);
  }

  /** Whether the deadline passed. */
  get expired(): boolean {
    return this.#deadline.expired;
  }

  /** The request as a link takes it. */
  get request(): LinkRequest {
    return {
      signal: this.#deadline.signal,
      onProgress: (progress) => this.#report(progress),
      elicit: (params) => this.elicit(params),
    };
  }

  /**
   * Asks the person on behalf of the server. The deadline waits meanwhile.
   *
   * @param params The question as the server wrote it.
   * @returns The answer. Never rejects.
   */
  elicit(params: unknown): Promise<ElicitResult> {
    if (this.#deadline.signal.aborted) return Promise.resolve({ action: "cancel" });
    return this.#deadline.pauseFor(() =>
      answerElicitation(params, (question) => this.#options.context.elicit(question))
    );
  }

  /** The request is over. */
  [Symbol.dispose](): void {
    this.#deadline[Symbol.dispose]();
  }

  // Progress only grows; a server that says otherwise is not passed on.
  #report({ progress, total, message }: Progress): void {
    if (!Number.isFinite(progress) || progress <= this.#progress) return;
    if (this.#deadline.signal.aborted) return;
    this.#progress = progress;
    const words = message === undefined ? undefined : plainLine(message, PROGRESS_CHARS);
    try {
      this.#options.context.progress(progress, total, words);
    } catch {
      // Whoever hears progress must not fail the call.
    }
  }
}

/**
 * Makes options for a request that no call asked for.
 *
 * @param signal Gives up.
 * @param timeoutMs Its deadline.
 * @returns Options under which nobody is asked and nothing is reported.
 */
export function quietOptions(signal: AbortSignal, timeoutMs: number): ServerCallOptions {
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const elicit = () => Promise.resolve({ action: "decline" as const });
  return { signal, timeoutMs, repeatable: true, context: { progress: ignore, elicit, log } };
}

function ignore(): void {}
