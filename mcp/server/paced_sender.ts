/**
 * Sends what a call reports, at a rate that no client drowns in.
 * @module
 */

/** Reports at once before the rate counts, and milliseconds between reports from then on. */
const BURST = 10;
const EVERY_MS = 50;

/** Sends reports; where there are too many, only the newest waits. */
export class PacedSender<T> {
  readonly #send: (report: T) => Promise<void>;
  #allowed = BURST;
  #refilledAt = performance.now();
  #waiting: { readonly report: T } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  /**
   * Makes a sender.
   *
   * @param send Sends a report; what it rejects with is dropped, because the client is gone.
   */
  constructor(send: (report: T) => Promise<void>) {
    this.#send = send;
  }

  /**
   * Sends a report now or a little later, in place of one that still waits.
   *
   * @param report The report.
   */
  report(report: T): void {
    if (this.#isOver) return;
    this.#waiting = { report };
    if (this.#timer === undefined) this.#next();
  }

  /** Sends what waits, and nothing after. */
  finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#flush();
  }

  #next(): void {
    this.#timer = undefined;
    this.#refill();
    if (this.#waiting === undefined) return;
    if (this.#allowed >= 1) {
      this.#allowed--;
      this.#flush();
    } else {
      this.#timer = setTimeout(() => this.#next(), EVERY_MS);
    }
  }

  #refill(): void {
    const now = performance.now();
    this.#allowed = Math.min(BURST, this.#allowed + (now - this.#refilledAt) / EVERY_MS);
    this.#refilledAt = now;
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) void this.#send(waiting.report).catch(() => {});
  }
}
