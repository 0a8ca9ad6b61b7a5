/**
 * Keeping calls away from a server that only fails.
 * @module
 */
import { CallFailure } from "../../core/call_failure.ts";
import type { Clock } from "../../registry/availability/clock.ts";

/** After how many failures in a row no call is let through. */
export const BREAKER_FAILURES = 3;
/** For how many milliseconds; then one call tries. */
export const BREAKER_OPEN_MS = 60_000;

/** How a call failed: nothing was reached, no answer came in time, or the server turned it down. */
export type Strike = "unreachable" | "silent" | "rejected";

const WORDS: Readonly<Record<Strike, string>> = {
  unreachable: "could not be reached",
  silent: "did not answer in time",
  rejected: "rejected what it was asked",
};

/** Counts failures in a row; opens after three, lets one call try after a minute. */
export class CircuitBreaker {
  readonly #server: string;
  readonly #clock: Clock;
  #failures = 0;
  #last: Strike = "unreachable";
  #openUntil: number | undefined;
  #isProbing = false;

  /**
   * Makes a closed breaker.
   *
   * @param server The server's name, for messages.
   * @param clock Tells the time.
   */
  constructor(server: string, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
  }

  /**
   * Lets a call through. Whoever is let through says how it ended, by one of the three methods below.
   *
   * @throws {CallFailure} `unavailable` if too many calls failed in a row.
   */
  enter(): void {
    if (this.#openUntil === undefined) return;
    const waitMs = this.#openUntil - this.#clock.now();
    if (waitMs > 0 || this.#isProbing) throw this.#refusal(Math.max(0, waitMs));
    this.#isProbing = true;
  }

  /** A call succeeded: every call is let through. */
  succeed(): void {
    this.#failures = 0;
    this.#openUntil = undefined;
    this.#isProbing = false;
  }

  /**
   * A call failed.
   *
   * @param strike How.
   */
  fail(strike: Strike): void {
    this.#failures++;
    this.#last = strike;
    this.#isProbing = false;
    if (this.#failures >= BREAKER_FAILURES) {
      this.#openUntil = this.#clock.now() + BREAKER_OPEN_MS;
    }
  }

  /** A call ended without telling anything about the server: it was called off. */
  abstain(): void {
    this.#isProbing = false;
  }

  #refusal(waitMs: number): CallFailure {
    const seconds = Math.ceil(waitMs / 1_000);
    const when = seconds > 0 ? `Try again in ${seconds} s` : "One call is trying it now";
    return new CallFailure(
      "unavailable",
      `Server "${this.#server}" ${
        WORDS[this.#last]
      } ${this.#failures} times in a row, so nothing is ` +
        `sent to it for now. ${when}`,
      { retryable: true, details: { retryAfterMs: Math.ceil(waitMs) }, end: "never_started" },
    );
  }
}
