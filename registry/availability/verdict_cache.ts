/**
 * Remembers what check functions said, and asks each of them at most once at a time.
 * @module
 */
import type { Availability } from "../prober.ts";
import { askWithin, type Check } from "./check.ts";
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import {
  type Moment,
  type VerdictChange,
  VerdictState,
  type VerdictTimes,
} from "./verdict_state.ts";

/** How long an answer of a check holds, in milliseconds. */
export const VERDICT_TTL_MS = 30_000;
/** How long after its last success a check that fails still counts as passed, in milliseconds. */
export const VERDICT_GRACE_MS = 60_000;
/** How long a check may take, in milliseconds. */
export const CHECK_DEADLINE_MS = 5_000;
/** How many checks are remembered: twice as many as the largest table that was tried. */
export const VERDICT_CAPACITY = 4_096;
/** What asking one tool in a worker of its own takes of a core, in milliseconds (measured on Deno 2.9.6). */
const QUESTION_MS = 40;
/** Share of a core that asking tools again may take. */
const QUESTION_SHARE = 0.05;

/**
 * For how long what tools said has to hold, so that asking them again and again takes no more than its share of a
 * core.
 *
 * @param tools How many tools are asked in workers.
 * @returns Milliseconds.
 */
export function questionRestMs(tools: number): number {
  return tools * QUESTION_MS / QUESTION_SHARE;
}

/** An answer that changed something. */
export interface VerdictEvent {
  /** Which check it was. */
  readonly key: string;
  /** Whose check it was, for the log. */
  readonly label: string;
  /** What it changed. */
  readonly change: Exclude<VerdictChange, "none">;
  /** What the check said. */
  readonly verdict: Availability;
}

/** Options of {@linkcode VerdictCache}. */
export interface VerdictCacheOptions extends Partial<VerdictTimes> {
  /** Tells the time. @default {the machine's clock} */
  readonly clock?: Clock;
  /** How long a check may take, in milliseconds. @default {5_000} */
  readonly deadlineMs?: number;
  /** How many checks are remembered. @default {4_096} */
  readonly capacity?: number;
  /** Receives every answer that changed something. */
  readonly onEvent?: (event: VerdictEvent) => void;
}

/**
 * The verdicts of check functions. An answer holds for 30 seconds, and longer where there are many checks to ask in
 * workers. A check that fails within 60 seconds of its last success, or within twice the time that an answer holds,
 * still counts as passed; meanwhile it is asked again, in the background, by whoever reads.
 */
export class VerdictCache {
  readonly #clock: Clock;
  readonly #times: VerdictTimes;
  readonly #deadlineMs: number;
  readonly #capacity: number;
  readonly #onEvent: (event: VerdictEvent) => void;
  #states = new Map<string, VerdictState>();
  #inWorkers = 0;
  #epoch = 0;

  /**
   * Makes an empty cache.
   *
   * @param options Clock, times, capacity.
   */
  constructor(options: VerdictCacheOptions = {}) {
    const { ttlMs = VERDICT_TTL_MS, graceMs = VERDICT_GRACE_MS } = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#times = { ttlMs, graceMs };
    this.#deadlineMs = options.deadlineMs ?? CHECK_DEADLINE_MS;
    this.#capacity = options.capacity ?? VERDICT_CAPACITY;
    this.#onEvent = options.onEvent ?? (() => {});
  }

  /** Grows whenever verdicts are forgotten, or readers get another one than before. */
  get epoch(): number {
    return this.#epoch;
  }

  /** How many checks are remembered. */
  get size(): number {
    return this.#states.size;
  }

  /**
   * The verdict on a check. A reader waits only where nothing is known: not while a verdict holds, and not in
   * the time of grace, in which the check is asked in the background.
   *
   * @param check The check.
   * @returns The verdict, at once or later. Never rejects.
   */
  ask(check: Check): Availability | Promise<Availability> {
    const now = this.#clock.now();
    const state = this.#state(check, now);
    const cached = state.cached(now);
    if (cached) return cached;
    const grace = state.grace(now);
    const restMs = state.inWorker ? questionRestMs(this.#inWorkers) : 0;
    if (grace && now - state.askedAt < restMs) return grace;
    const running = state.running ?? this.#launch(check, state, now);
    return grace ?? running;
  }

  /**
   * What a reader would get now, without asking the check.
   *
   * @param key Which check.
   * @returns The verdict, or `undefined` when the check would have to be asked.
   */
  peek(key: string): Availability | undefined {
    const now = this.#clock.now();
    const state = this.#states.get(key);
    return state?.cached(now) ?? state?.grace(now);
  }

  /**
   * For how long a verdict holds.
   *
   * @param key Which check.
   * @returns Milliseconds; 0 when the next reader has it asked.
   */
  holdsMs(key: string): number {
    return this.#states.get(key)?.holdsMs(this.#clock.now()) ?? 0;
  }

  /** Forgets every verdict and every success. An answer that is on its way is not noted any more. */
  invalidate(): void {
    this.#epoch++;
    this.#states = new Map();
    this.#inWorkers = 0;
  }

  #state({ key, inWorker = false }: Check, now: number): VerdictState {
    const known = this.#states.get(key);
    if (known) return known;
    this.#makeRoom(now);
    const state = new VerdictState(() => this.#timesNow(), inWorker);
    this.#states.set(key, state);
    if (inWorker) this.#inWorkers++;
    return state;
  }

  #timesNow(): VerdictTimes {
    const restMs = questionRestMs(this.#inWorkers);
    const { ttlMs, graceMs } = this.#times;
    if (restMs <= ttlMs) return this.#times;
    return { ttlMs: restMs, graceMs: Math.max(graceMs, 2 * restMs) };
  }

  #drop(key: string, state: VerdictState): void {
    this.#states.delete(key);
    if (state.inWorker) this.#inWorkers--;
  }

  #makeRoom(now: number): void {
    if (this.#states.size < this.#capacity) return;
    for (const [key, state] of this.#states) if (state.isSpent(now)) this.#drop(key, state);
    for (const [key, state] of this.#states) {
      if (this.#states.size < this.#capacity) return;
      // One that is being asked stays: without it the check would be asked twice at a time.
      if (state.running === undefined) this.#drop(key, state);
    }
  }

  #launch(check: Check, state: VerdictState, now: number): Promise<Availability> {
    const asked: Moment = { now, date: this.#clock.date() };
    const running = askWithin(check, this.#deadlineMs, this.#clock).then((answer) => {
      state.running = undefined;
      const { verdict, change } = state.note(answer, asked);
      if (change !== "none" && this.#states.get(check.key) === state) {
        this.#tell(check, change, verdict);
      }
      return verdict;
    });
    state.running = running;
    state.askedAt = now;
    return running;
  }

  #tell(check: Check, change: VerdictEvent["change"], verdict: Availability): void {
    if (change !== "failing") this.#epoch++;
    this.#onEvent({ key: check.key, label: check.label, change, verdict });
  }
}
