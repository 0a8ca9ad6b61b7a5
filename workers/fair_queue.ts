/**
 * A bounded queue that is fair between keys: whoever waits in a short line is not behind a long one.
 * @module
 */

/** Limits of a {@linkcode FairQueue}. */
export interface FairQueueLimits {
  /** How many may be in at once. */
  readonly total: number;
  /** How many of one key may be in at once. */
  readonly perKey: number;
  /** How many may wait. */
  readonly waiting: number;
}

/** Thrown when too many wait already. */
export class OverloadedError extends Error {
  /** The class's name. */
  override readonly name = "OverloadedError";
}

/** A place in the queue. */
export interface Ticket {
  /** Resolves when it is this ticket's turn. */
  readonly turn: Promise<void>;
  /** Gives the place back, or stops waiting. */
  release(): void;
}

interface Waiter {
  readonly key: string;
  readonly start: () => void;
}

/** A bounded, fair queue. */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #inside = new Map<string, number>();
  // Keys in the order in which they get their next turn.
  readonly #lines = new Map<string, Set<Waiter>>();
  #total = 0;
  #waiting = 0;
  #extra = 0;

  /**
   * Makes a queue.
   *
   * @param limits How many may be in, and how many may wait.
   */
  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether somebody who comes now need not wait. */
  get hasRoom(): boolean {
    return this.#waiting === 0 && this.#total < this.#limits.total + this.#extra;
  }

  /** How many are in beyond what may be: they were let in while there was more room. */
  get excess(): number {
    return Math.max(0, this.#total - this.#limits.total - this.#extra);
  }

  /**
   * Lets one more in, because somebody inside waits for somebody outside.
   *
   * @returns Ends it; whoever is in stays.
   */
  widen(): () => void {
    this.#extra++;
    this.#startNext();
    let widened = true;
    return () => {
      if (widened) this.#extra--;
      widened = false;
    };
  }

  /**
   * Takes a place.
   *
   * @param key Whose place.
   * @returns The ticket; release it in any case.
   * @throws {OverloadedError} If too many wait already.
   */
  enter(key: string): Ticket {
    if (this.#mayEnter(key) && !this.#lines.has(key)) {
      this.#admit(key);
      return { turn: Promise.resolve(), release: this.#leaveOnce(key) };
    }
    if (this.#waiting >= this.#limits.waiting) {
      throw new OverloadedError(
        `Cannot take another call: ${this.#waiting} wait already, ${this.#limits.waiting} at most`,
      );
    }
    return this.#wait(key);
  }

  #wait(key: string): Ticket {
    const { promise, resolve } = Promise.withResolvers<void>();
    let leave: (() => void) | undefined;
    const waiter: Waiter = {
      key,
      start: () => {
        this.#admit(key);
        leave = this.#leaveOnce(key);
        resolve();
      },
    };
    const line = this.#lines.get(key) ?? new Set();
    line.add(waiter);
    this.#lines.set(key, line);
    this.#waiting++;
    return { turn: promise, release: () => leave ? leave() : this.#abandon(waiter) };
  }

  #mayEnter(key: string): boolean {
    const { total, perKey } = this.#limits;
    return this.#total < total + this.#extra &&
      (this.#inside.get(key) ?? 0) < perKey + this.#extra;
  }

  #admit(key: string): void {
    this.#total++;
    this.#inside.set(key, (this.#inside.get(key) ?? 0) + 1);
  }

  #leaveOnce(key: string): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#total--;
      const rest = this.#inside.get(key)! - 1;
      if (rest === 0) this.#inside.delete(key);
      else this.#inside.set(key, rest);
      this.#startNext();
    };
  }

  #abandon(waiter: Waiter): void {
    const line = this.#lines.get(waiter.key);
    if (!line?.delete(waiter)) return;
    this.#waiting--;
    if (line.size === 0) this.#lines.delete(waiter.key);
  }

  #startNext(): void {
    for (const [key, line] of this.#lines) {
      if (!this.#mayEnter(key)) continue;
      const waiter: Waiter = line.values().next().value!;
      this.#abandon(waiter);
      // This key goes to the end of the round.
      if (this.#lines.delete(key)) this.#lines.set(key, line);
      waiter.start();
      return;
    }
  }
}
