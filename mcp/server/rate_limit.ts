/**
 * How many requests somebody may make.
 * @module
 */

/** A rate: a bucket of tokens that fills up again. */
export interface RateLimit {
  /** Requests a second in the long run. */
  readonly perSecond: number;
  /** Requests at once after a rest. */
  readonly burst: number;
}

/** Most principals that are remembered; the one that was quiet for longest goes first. */
const MAX_PRINCIPALS = 1_024;

interface Bucket {
  tokens: number;
  at: number;
}

/** A bucket for each principal. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /**
   * Makes full buckets.
   *
   * @param limit The rate.
   * @param now A time that only grows, in milliseconds. @default {the machine's}
   */
  constructor(limit: RateLimit, now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#now = now;
  }

  /**
   * Lets requests through, or says when to come back.
   *
   * @param principal Who makes them.
   * @param count How many there are.
   * @returns 0 when they may pass, else the milliseconds to wait.
   */
  take(principal: string, count = 1): number {
    const bucket = this.#bucket(principal);
    const { perSecond, burst } = this.#limit;
    // More than a full bucket can never be there.
    const wanted = Math.min(count, burst);
    if (bucket.tokens >= wanted) {
      bucket.tokens -= wanted;
      return 0;
    }
    return Math.max(1, Math.ceil((wanted - bucket.tokens) * 1_000 / perSecond));
  }

  #bucket(principal: string): Bucket {
    const { perSecond, burst } = this.#limit;
    const now = this.#now();
    const known = this.#buckets.get(principal);
    const tokens = known === undefined
      ? burst
      : Math.min(burst, known.tokens + (now - known.at) * perSecond / 1_000);
    const bucket = { tokens, at: now };
    this.#buckets.delete(principal);
    this.#buckets.set(principal, bucket);
    if (this.#buckets.size > MAX_PRINCIPALS) {
      this.#buckets.delete(this.#buckets.keys().next().value!);
    }
    return bucket;
  }
}
