/**
 * What is known of one check at a moment, and what follows from it.
 * @module
 */
import type { Availability } from "../prober.ts";
import type { CheckAnswer } from "./check.ts";

/** How long verdicts hold. */
export interface VerdictTimes {
  /** How long an answer of a check holds, in milliseconds. */
  readonly ttlMs: number;
  /** How long after its last success a check that now fails still counts as passed, in milliseconds. */
  readonly graceMs: number;
}

/** When a check was asked. */
export interface Moment {
  /** On the clock that only grows. */
  readonly now: number;
  /** For people. */
  readonly date: number;
}

/** What an answer changed: nothing, or the first verdict, or readers get the other one from now on. */
export type VerdictChange = "none" | "first" | "lost" | "regained" | "failing";

/** The verdicts of one check. */
export class VerdictState {
  readonly #times: () => VerdictTimes;
  /** Whether the check is asked in a worker. */
  readonly inWorker: boolean;
  #cached: { readonly verdict: Availability; readonly at: number } | undefined;
  #success: Moment | undefined;
  #failing: string | undefined;
  #served: boolean | undefined;
  /** When it was asked last, on the clock that only grows. */
  askedAt = -Infinity;
  /** The answer that is being waited for. */
  running: Promise<Availability> | undefined;

  /**
   * Makes the state of a check that was never asked.
   *
   * @param times How long verdicts hold now.
   * @param inWorker Whether the check is asked in a worker.
   */
  constructor(times: () => VerdictTimes, inWorker: boolean) {
    this.#times = times;
    this.inWorker = inWorker;
  }

  /**
   * The verdict that still holds.
   *
   * @param now The time.
   * @returns The verdict, or `undefined` when the check has to be asked.
   */
  cached(now: number): Availability | undefined {
    return this.holdsMs(now) > 0 ? this.#cached?.verdict : undefined;
  }

  /**
   * The verdict of a check that succeeded not long ago, whatever it says now.
   *
   * @param now The time.
   * @returns That its tool can be used, and why its newest answer was no; `undefined` when not in grace.
   */
  grace(now: number): Availability | undefined {
    if (!this.#inGrace(now)) return undefined;
    const checkedAt = this.#success?.date;
    return this.#failing === undefined
      ? { available: true, checkedAt }
      : { available: true, reason: this.#failing, checkedAt };
  }

  /**
   * For how long the cached verdict holds.
   *
   * @param now The time.
   * @returns Milliseconds; 0 when there is none.
   */
  holdsMs(now: number): number {
    return this.#cached ? Math.max(0, this.#cached.at + this.#times().ttlMs - now) : 0;
  }

  /**
   * Whether nothing that is known counts any more.
   *
   * @param now The time.
   * @returns True when forgetting it changes no answer.
   */
  isSpent(now: number): boolean {
    return this.running === undefined && this.holdsMs(now) === 0 && !this.#inGrace(now);
  }

  /**
   * Notes an answer.
   *
   * @param answer What the check said.
   * @param asked When it was asked: a slow answer holds for less long.
   * @returns The verdict, and what it changed for readers.
   */
  note(
    answer: CheckAnswer,
    asked: Moment,
  ): { readonly verdict: Availability; readonly change: VerdictChange } {
    const verdict = verdictOf(answer, asked.date);
    if (!verdict.available && this.#inGrace(asked.now)) {
      // Not cached: whoever asks next has it asked again, so that the grace ends with the first success.
      const change = this.#failing === undefined ? "failing" : "none";
      this.#failing = verdict.reason ?? "Its check says that it is not available";
      return { verdict, change };
    }
    if (verdict.available) this.#success = asked;
    this.#failing = undefined;
    this.#cached = { verdict, at: asked.now };
    return { verdict, change: this.#serve(verdict.available) };
  }

  #serve(available: boolean): VerdictChange {
    const before = this.#served;
    this.#served = available;
    if (before === undefined) return "first";
    if (before === available) return "none";
    return available ? "regained" : "lost";
  }

  #inGrace(now: number): boolean {
    return this.#success !== undefined && now - this.#success.now < this.#times().graceMs;
  }
}

function verdictOf(answer: CheckAnswer, checkedAt: number): Availability {
  return answer.available || answer.reason === undefined
    ? Object.freeze({ available: answer.available, checkedAt })
    : Object.freeze({ available: false, reason: answer.reason, checkedAt });
}
