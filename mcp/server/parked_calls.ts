/**
 * Calls that wait for the answers of a client that comes back with them.
 * @module
 */
import type { LiveCall } from "./live_call.ts";

/** What a client carries to find its call again; sealed on the way. */
export interface ParkedState {
  /** The call. */
  readonly id: string;
  /** How many rounds had ended when it was written. */
  readonly round: number;
}

/** Bounds of {@linkcode ParkedCalls}. */
export interface ParkedCallsOptions {
  /** Most calls that wait. */
  readonly max: number;
  /** Milliseconds that each waits. */
  readonly forMs: number;
}

interface Parked {
  readonly call: LiveCall;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** The calls that wait. */
export class ParkedCalls implements Disposable {
  readonly #options: ParkedCallsOptions;
  readonly #calls = new Map<string, Parked>();

  /**
   * Makes room.
   *
   * @param options How many may wait, and how long.
   */
  constructor(options: ParkedCallsOptions) {
    this.#options = options;
  }

  /** How many calls wait. */
  get size(): number {
    return this.#calls.size;
  }

  /**
   * Lets a call wait. Where there is no room, the one that waited for longest is cancelled.
   *
   * @param call The call.
   * @returns What its client needs to find it again.
   */
  park(call: LiveCall): ParkedState {
    const { max, forMs } = this.#options;
    if (this.#calls.size >= max) {
      this.#drop(this.#calls.keys().next().value!, "Too many calls wait for answers");
    }
    const late = () => this.#drop(call.id, `No answer came within ${forMs} ms`);
    this.#calls.set(call.id, { call, timer: setTimeout(late, forMs) });
    return { id: call.id, round: ++call.rounds };
  }

  /**
   * Gives a call back, once for each time it was parked.
   *
   * @param state What the client carried.
   * @param binding What its request is.
   * @returns The call; `undefined` when there is none of this state and binding.
   */
  take({ id, round }: ParkedState, binding: () => string): LiveCall | undefined {
    const parked = this.#calls.get(id);
    if (parked === undefined || parked.call.rounds !== round) return undefined;
    if (parked.call.binding() !== binding()) return undefined;
    clearTimeout(parked.timer);
    this.#calls.delete(id);
    return parked.call;
  }

  /** Cancels every call that waits. */
  [Symbol.dispose](): void {
    for (const id of [...this.#calls.keys()]) this.#drop(id, "The server stops");
  }

  #drop(id: string, why: string): void {
    const parked = this.#calls.get(id);
    if (parked === undefined) return;
    this.#calls.delete(id);
    clearTimeout(parked.timer);
    parked.call.cancel(why);
  }
}
