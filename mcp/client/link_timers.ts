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
  readonly #stops = new Map<"keepalive" | "idle" | "lifetime", () => void>();
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
    this.#keepAlive();
    if (idleTimeoutMs !== undefined) this.#watchIdle(idleTimeoutMs, idleTimeoutMs);
    if (maxLifetimeMs !== undefined) {
      this.#after("lifetime", maxLifetimeMs, () => this.#endLifetime());
    }
  }

  /** The link is gone. */
  stop(): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
    this.#isOld = false;
  }

  /** A call began or ended. */
  touch(): void {
    this.#lastUse = this.#options.clock.now();
    if (this.#isOld && !this.#options.isBusy()) this.#options.onStop();
  }

  #keepAlive(): void {
    this.#after("keepalive", Math.max(KEEPALIVE_FLOOR_MS, this.#options.keepaliveMs), () => {
      this.#keepAlive();
      if (!this.#options.isBusy()) this.#options.onKeepalive();
    });
  }

  #watchIdle(idleMs: number, waitMs: number): void {
    this.#after("idle", waitMs, () => {
      const restMs = this.#options.isBusy()
        ? idleMs
        : this.#lastUse + idleMs - this.#options.clock.now();
      if (restMs > 0) this.#watchIdle(idleMs, restMs);
      else this.#options.onStop();
    });
  }

  #endLifetime(): void {
    this.#isOld = true;
    if (!this.#options.isBusy()) this.#options.onStop();
  }

  #after(what: "keepalive" | "idle" | "lifetime", ms: number, action: () => void): void {
    this.#stops.set(what, this.#options.clock.after(ms, action, true));
  }
}
