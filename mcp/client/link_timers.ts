/**
 * What is due while a link lives: signs of life, the stop when it is idle, the end of its lifetime.
 * @module
 */
import type { Clock } from "../../registry/availability/clock.ts";
import { KEEPALIVE_FLOOR_MS } from "./life_cycle_limits.ts";

/** What the timers work with. */
export interface LinkTimersOptions {
  /** Tells the time. */
  readonly clock: Clock;
  /** Milliseconds between signs of life. */
  readonly keepaliveMs: number;
  /** After how many idle milliseconds to stop. */
  readonly idleTimeoutMs?: number;
  /** After how many milliseconds to stop between calls. */
  readonly maxLifetimeMs?: number;
  /** Whether a call is under way. */
  readonly isBusy: () => boolean;
  /** A sign of life is due and no call is under way. */
  readonly onKeepalive: () => void;
  /** The server is to be stopped. */
  readonly onStop: () => void;
}

/** The timers of one link after the other. None of them keeps the program alive. */
export class LinkTimers {
  readonly #options: LinkTimersOptions;
  #stops: (() => void)[] = [];
  #lastUse = 0;
  #isOld = false;

  /**
   * Makes timers that stand still.
   *
   * @param options What they work with.
   */
  constructor(options: LinkTimersOptions) {
    this.#options = options;
  }

  /** A link was made. */
  start(): void {
    this.stop();
    const { clock, idleTimeoutMs, maxLifetimeMs } = this.#options;
    this.#lastUse = clock.now();
    this.#isOld = false;
    this.#keepAlive(0);
    if (idleTimeoutMs !== undefined) this.#watchIdle(1, idleTimeoutMs, idleTimeoutMs);
    if (maxLifetimeMs !== undefined) this.#after(2, maxLifetimeMs, () => this.#endLifetime());
  }

  /** The link is gone. */
  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#isOld = false;
  }

  /** A call began or ended. */
  touch(): void {
    this.#lastUse = this.#options.clock.now();
    if (this.#isOld && !this.#options.isBusy()) this.#options.onStop();
  }

  #keepAlive(slot: number): void {
    this.#after(slot, Math.max(KEEPALIVE_FLOOR_MS, this.#options.keepaliveMs), () => {
      this.#keepAlive(slot);
      if (!this.#options.isBusy()) this.#options.onKeepalive();
    });
  }

  #watchIdle(slot: number, idleMs: number, waitMs: number): void {
    this.#after(slot, waitMs, () => {
      const restMs = this.#options.isBusy()
        ? idleMs
        : this.#lastUse + idleMs - this.#options.clock.now();
      if (restMs > 0) this.#watchIdle(slot, idleMs, restMs);
      else this.#options.onStop();
    });
  }

  #endLifetime(): void {
    this.#isOld = true;
    if (!this.#options.isBusy()) this.#options.onStop();
  }

  #after(slot: number, ms: number, action: () => void): void {
    this.#stops[slot] = this.#options.clock.after(ms, action, true);
  }
}
