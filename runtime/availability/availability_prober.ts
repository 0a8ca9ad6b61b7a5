/**
 * Whether a tool can be used now, and why not: first what can be seen without running anything, then its own
 * check in its own worker.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import { type Clock, SYSTEM_CLOCK } from "../../registry/availability/clock.ts";
import {
  VERDICT_TTL_MS,
  VerdictCache,
  type VerdictEvent,
} from "../../registry/availability/verdict_cache.ts";
import type { Availability, ProbePass, Prober } from "../../registry/prober.ts";
import type { LocalFacts } from "./local_facts.ts";
import { type ObstacleOptions, Obstacles } from "./obstacles.ts";
import { type ToolCheckOptions, ToolChecks } from "./tool_checks.ts";

/** What availability is judged with. */
export interface AvailabilityOptions extends ObstacleOptions, ToolCheckOptions {
  /** Tells the time. @default {the machine's clock} */
  readonly clock?: Clock;
  /** Receives every answer of a check that changed something. */
  readonly onVerdict?: (event: VerdictEvent) => void;
}

/** Judges availability. */
export class AvailabilityProber implements Prober {
  readonly #obstacles: Obstacles;
  readonly #checks: ToolChecks;
  readonly #cache: VerdictCache;
  readonly #clock: Clock;

  /**
   * Makes a prober that knows nothing yet.
   *
   * @param options What it works with.
   */
  constructor(options: AvailabilityOptions) {
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#obstacles = new Obstacles(options);
    this.#checks = new ToolChecks(options);
    this.#cache = new VerdictCache({ clock: this.#clock, onEvent: options.onVerdict });
  }

  /**
   * Says whether a tool can be used now; may run its check. Never rejects.
   *
   * @param entry The tool.
   * @returns The verdict.
   */
  async probe(entry: ToolEntry): Promise<Availability> {
    await this.findOut(entry);
    return await this.pass().probe(entry);
  }

  /**
   * Begins a look at many tools: programs and files are looked for once, and every check is asked once.
   *
   * @returns The pass. A reader waits only where nothing is known of a check.
   */
  pass(): ProbePass {
    const facts = this.#obstacles.facts();
    const said = new Map<string, Availability | Promise<Availability>>();
    return {
      probe: (entry) => {
        const seen = this.#look(entry, facts);
        if (seen) return seen;
        const check = this.#checks.of(entry);
        const verdict = said.get(check.key) ?? this.#cache.ask(check);
        said.set(check.key, verdict);
        return verdict;
      },
    };
  }

  /**
   * What is known now, without running anything.
   *
   * @param entry The tool.
   * @returns The verdict, or `undefined` when its check would have to run.
   */
  peek(entry: ToolEntry): Availability | undefined {
    return this.#look(entry) ?? this.#cache.peek(this.#checks.of(entry).key);
  }

  /** Grows whenever verdicts are forgotten, or readers get another one than before. */
  get epoch(): number {
    return this.#cache.epoch;
  }

  /**
   * For how long a tool's verdict holds.
   *
   * @param entry The tool.
   * @returns Milliseconds; 0 when its check has to be asked.
   */
  holdsMs(entry: ToolEntry): number {
    if (this.#look(entry)) return VERDICT_TTL_MS;
    return this.#cache.holdsMs(this.#checks.of(entry).key);
  }

  /** Forgets every verdict. */
  invalidate(): void {
    this.#cache.invalidate();
  }

  /**
   * What keeps a tool from being used, as far as can be seen without running anything.
   *
   * @param entry The tool.
   * @returns The reason, or `undefined`.
   */
  findObstacle(entry: ToolEntry): string | undefined {
    return this.#obstacles.find(entry);
  }

  /**
   * Finds out what takes a process and keeps a tool from being used; `findObstacle` tells it from then on.
   *
   * @param entry The tool.
   * @returns When it is known; `undefined` when there is nothing to find out.
   */
  findOut(entry: ToolEntry): Promise<unknown> | undefined {
    return this.#obstacles.findOut(entry);
  }

  // Without a worker: whatever can be seen so is no reason to start one.
  #look(entry: ToolEntry, facts?: LocalFacts): Availability | undefined {
    const reason = this.#obstacles.find(entry, facts);
    if (reason !== undefined) return { available: false, reason, checkedAt: this.#clock.date() };
    return entry.hasCheckFn ? undefined : { available: true, checkedAt: this.#clock.date() };
  }
}
