/**
 * Notices when a tool can be used that could not be, or the other way round.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import type { Clock } from "../../registry/availability/clock.ts";
import type { Availability } from "../../registry/prober.ts";
import type { AvailabilityChange } from "../runtime_types.ts";
import type { AvailabilityProber } from "./availability_prober.ts";

/** How often variables, programs and files are looked at, in milliseconds. */
const LOOK_MS = 5_000;

/** What a watch works with. */
export interface AvailabilityWatchOptions {
  /** Judges availability. */
  readonly prober: Pick<AvailabilityProber, "pass" | "peek" | "holdsMs">;
  /** The tools to look at. */
  readonly entries: () => readonly ToolEntry[];
  /** Tells the time. */
  readonly clock: Clock;
  /** Receives every change. */
  readonly onChange: (change: AvailabilityChange) => void;
}

interface Run {
  readonly told: Map<string, boolean>;
  stop: () => void;
}

/** Looks at tools again and again while it is on. */
export class AvailabilityWatch {
  readonly #options: AvailabilityWatchOptions;
  #run: Run | undefined;

  /**
   * Makes a watch that is off.
   *
   * @param options What it works with.
   */
  constructor(options: AvailabilityWatchOptions) {
    this.#options = options;
  }

  /** Begins to look. What is found first is what later changes are told against. */
  start(): void {
    if (this.#run) return;
    this.#run = { told: new Map(), stop: () => {} };
    void this.#look(this.#run);
  }

  /** Stops looking, and forgets what was found. */
  stop(): void {
    this.#run?.stop();
    this.#run = undefined;
  }

  /** Tells at once what somebody else's question has brought to light. */
  catchUp(): void {
    const run = this.#run;
    if (!run) return;
    for (const entry of this.#options.entries()) {
      const verdict = entry.hasCheckFn ? this.#options.prober.peek(entry) : undefined;
      if (verdict) this.#note(run, entry, verdict);
    }
  }

  async #look(run: Run): Promise<void> {
    const { prober, clock } = this.#options;
    const entries = this.#options.entries();
    const pass = prober.pass();
    await Promise.all(
      entries.map(async (entry) => this.#note(run, entry, await pass.probe(entry))),
    );
    if (this.#run !== run) return;
    this.#forgetGone(run, entries);
    // In the background: a program that only listens may end.
    run.stop = clock.after(this.#waitMs(entries), () => void this.#look(run), true);
  }

  // A verdict that ends before the next look is looked at when it ends.
  #waitMs(entries: readonly ToolEntry[]): number {
    const holds = entries.map((entry) => this.#options.prober.holdsMs(entry));
    return Math.min(LOOK_MS, ...holds.filter((ms) => ms > 0));
  }

  #note(run: Run, { name }: ToolEntry, { available, reason }: Availability): void {
    if (this.#run !== run) return;
    const before = run.told.get(name);
    run.told.set(name, available);
    if (before === undefined || before === available) return;
    this.#options.onChange(
      available || reason === undefined ? { name, available } : { name, available, reason },
    );
  }

  #forgetGone({ told }: Run, entries: readonly ToolEntry[]): void {
    const names = new Set(entries.map(({ name }) => name));
    for (const name of told.keys()) if (!names.has(name)) told.delete(name);
  }
}
