/**
 * Asking a server: in turn, with a breaker before it, and once more where nothing can have happened.
 * @module
 */
import type { ElicitResult } from "../../core/context.ts";
import type { Clock } from "../../registry/availability/clock.ts";
import { CallLeg } from "./call_leg.ts";
import { CallQueue } from "./call_queue.ts";
import { CircuitBreaker } from "./circuit_breaker.ts";
import type { ServerCallOptions } from "./connection_types.ts";
import type { LinkRequest } from "./input_rounds.ts";
import type { LifeCycle } from "./life_cycle.ts";
import { LinkLostError } from "./link_errors.ts";
import { judgeFailure, type RpcVerdict } from "./rpc_verdict.ts";
import type { ServerLink } from "./server_link.ts";

/** What is asked of a server. */
export interface Question<T> {
  /** What is done, as it reads after "while". */
  readonly what: string;
  /** Whether it is a call of a tool, which may have an effect. @default {false} */
  readonly isCall?: boolean;
  /** How it is asked. */
  readonly options: ServerCallOptions;
  /** Asks it. */
  readonly run: (link: ServerLink, request: LinkRequest) => Promise<T>;
}

/** An answer, or what the lack of one means. */
export type Answer<T> = { readonly value: T } | RpcVerdict;

/** What a desk works with. */
export interface CallDeskOptions {
  /** The server's name. */
  readonly server: string;
  /** Whether several calls may be under way at once. */
  readonly parallel: boolean;
  /** Tells the time. */
  readonly clock: Clock;
  /** Gives links. */
  readonly life: LifeCycle<ServerLink>;
}

/** Asks one server. */
export class CallDesk {
  readonly #options: CallDeskOptions;
  readonly #queue: CallQueue;
  readonly #breaker: CircuitBreaker;
  readonly #calls = new Set<CallLeg>();
  #underWay = 0;

  /**
   * Opens a desk.
   *
   * @param options What it works with.
   */
  constructor(options: CallDeskOptions) {
    this.#options = options;
    this.#queue = new CallQueue(options.parallel ? Infinity : 1);
    this.#breaker = new CircuitBreaker(options.server, options.clock);
  }

  /** Whether anything is under way. */
  get isBusy(): boolean {
    return this.#queue.taken > 0 || this.#underWay > 0;
  }

  /**
   * Asks in turn, and keeps questions away from a server that only fails.
   *
   * @param question What is asked.
   * @returns The answer.
   * @throws {CallFailure} If there is none.
   */
  async askInTurn<T>(question: Question<T>): Promise<T> {
    const place = await this.#queue.enter(question.options.signal)
      .catch((error) => {
        throw this.#judge(error, question, undefined, false).failure;
      });
    try {
      this.#breaker.enter();
      this.#options.life.touch();
      return this.#count(await this.#askTwice(question, this.#calls));
    } finally {
      place[Symbol.dispose]();
      this.#options.life.touch();
    }
  }

  /**
   * Asks at once, whatever else is under way.
   *
   * @param question What is asked.
   * @returns The answer.
   * @throws {CallFailure} If there is none.
   */
  async ask<T>(question: Question<T>): Promise<T> {
    this.#underWay++;
    try {
      const answer = await this.#askTwice(question);
      if ("value" in answer) return answer.value;
      throw answer.failure;
    } finally {
      this.#underWay--;
    }
  }

  /**
   * Asks over a link once, and loses it where that is what the failure means.
   *
   * @param link The link; without one, the link of the life cycle, which is waited for.
   * @param question What is asked.
   * @param legs Where the request is noted while it is under way.
   * @returns The answer, or what the lack of one means. Never rejects.
   */
  async askLink<T>(
    link: ServerLink | undefined,
    question: Question<T>,
    legs?: Set<CallLeg>,
  ): Promise<Answer<T>> {
    const { life, clock } = this.#options;
    using leg = new CallLeg(question.options, clock);
    let used = link;
    try {
      used ??= await life.wake(leg.request.signal);
      legs?.add(leg);
      const value = await question.run(used, leg.request);
      life.prove(used);
      return { value };
    } catch (error) {
      const reason = used?.reason;
      const seen = reason === undefined ? error : new LinkLostError(reason.message);
      const verdict = this.#judge(seen, question, leg, used !== undefined);
      if (used !== undefined && verdict.lost !== undefined) life.lost(used, verdict.lost);
      return verdict;
    } finally {
      legs?.delete(leg);
    }
  }

  /**
   * Asks the person on behalf of the server. A request of the older era does not say which call it belongs to: with
   * one under way there is no doubt, with several it is declined.
   *
   * @param params The question as the server wrote it.
   * @returns The answer. Never rejects.
   */
  elicit(params: unknown): Promise<ElicitResult> {
    const [leg, ...others] = this.#calls;
    if (leg === undefined || others.length > 0) return Promise.resolve({ action: "decline" });
    return leg.elicit(params);
  }

  async #askTwice<T>(question: Question<T>, legs?: Set<CallLeg>): Promise<Answer<T>> {
    const answer = await this.askLink(undefined, question, legs);
    const mayAskAgain = !("value" in answer) && this.#mayAskAgain(answer, question);
    return mayAskAgain ? await this.askLink(undefined, question, legs) : answer;
  }

  #count<T>(answer: Answer<T>): T {
    if (!("value" in answer)) {
      if (answer.strike === undefined) this.#breaker.abstain();
      else this.#breaker.fail(answer.strike);
      throw answer.failure;
    }
    // A result that tells of an error counts as well: the server turned the call down.
    if ((answer.value as { isError?: unknown }).isError === true) this.#breaker.fail("rejected");
    else this.#breaker.succeed();
    return answer.value;
  }

  #mayAskAgain<T>({ again }: RpcVerdict, { options, isCall = false }: Question<T>): boolean {
    return again === "unsent" || (again === "expired" && (options.repeatable || !isCall));
  }

  #judge<T>(
    error: unknown,
    { what, isCall = false, options }: Question<T>,
    leg: CallLeg | undefined,
    wasSent: boolean,
  ): RpcVerdict {
    const verdict = judgeFailure(error, {
      server: this.#options.server,
      what,
      isCall,
      wasSent,
      repeatable: options.repeatable,
      wasCancelled: options.signal.aborted,
      ...(leg?.expired === true ? { expiredMs: options.timeoutMs } : {}),
    });
    // Nothing was tried with a server that was given up: that tells nothing new of it.
    const wasTried = wasSent || this.#options.life.isUsable;
    return wasTried ? verdict : { ...verdict, strike: undefined };
  }
}
