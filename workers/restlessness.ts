/**
 * Sees that a cell goes on computing although nobody waits for an answer: a thread that a tool left behind.
 * @module
 */
import process from "node:process";

/** Share of one processor from which a cell without a call counts as computing. */
const BUSY_SHARE = 0.5;
/** For how long it may, in milliseconds: collecting garbage after a large call is no fault. */
const PATIENCE_MS = 2_000;

/** Looks at a process's processor time while no answer is due. */
export class Restlessness {
  readonly #onRestless: () => void;
  #lookedAt = performance.now();
  #cpuUs = cpuTimeUs();
  #restlessMs = 0;

  /**
   * Starts to look.
   *
   * @param onRestless Called once when the process has computed for two seconds without a call.
   */
  constructor(onRestless: () => void) {
    this.#onRestless = onRestless;
  }

  /**
   * Takes a look; to be called every now and then.
   *
   * @param isDue Whether an answer is due, so that computing is right.
   */
  look(isDue: boolean): void {
    const now = performance.now(), cpuUs = cpuTimeUs();
    const elapsedMs = now - this.#lookedAt;
    const share = (cpuUs - this.#cpuUs) / 1000 / elapsedMs;
    this.#lookedAt = now;
    this.#cpuUs = cpuUs;
    const before = this.#restlessMs;
    this.#restlessMs = isDue || share < BUSY_SHARE ? 0 : before + elapsedMs;
    if (before < PATIENCE_MS && this.#restlessMs >= PATIENCE_MS) this.#onRestless();
  }
}

function cpuTimeUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
