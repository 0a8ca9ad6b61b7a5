/** A clock that stands still until a test moves it. */
import type { Clock } from "../../../registry/availability/clock.ts";

/** When the fake clocks begin, in milliseconds since the epoch. */
export const EPOCH = Date.UTC(2030, 0, 1);

interface Timer {
  readonly at: number;
  readonly action: () => void;
  readonly background: boolean;
}

/** A clock that a test moves by hand. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now = 0;

  now(): number {
    return this.#now;
  }

  date(): number {
    return EPOCH + this.#now;
  }

  after(ms: number, action: () => void, background = false): () => void {
    const timer = { at: this.#now + ms, action, background };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** The timers that wait, and whether each lets the program end. */
  get waiting(): readonly { readonly inMs: number; readonly background: boolean }[] {
    return [...this.#timers].map(({ at, background }) => ({ inMs: at - this.#now, background }));
  }

  /** Moves the clock, fires what is due in order, and lets everything that follows run. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#now = next.at;
      next.action();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  #next(end: number): Timer | undefined {
    const due = [...this.#timers].filter(({ at }) => at <= end);
    return due.sort((a, b) => a.at - b.at)[0];
  }
}

/** Lets every promise that can settle do so: one turn of the event loop. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}
