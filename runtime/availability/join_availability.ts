/**
 * Joins what judges availability with the rest of a runtime.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import type { CallPool } from "../lazy_pool.ts";
import type { Setting } from "../setting.ts";
import type { ToolPlanner } from "../tool_planner.ts";
import { AvailabilityProber } from "./availability_prober.ts";
import { AvailabilityWatch } from "./availability_watch.ts";
import { describeVerdict } from "./describe_verdict.ts";

/** The parts that availability is judged with. */
export interface AvailabilityParts {
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** Runs checks in workers. */
  readonly pool: CallPool;
  /** The tools that are offered: the checks of others are not asked for events. */
  readonly offered: () => readonly ToolEntry[];
}

/** What judges availability, joined. */
export interface JoinedAvailability {
  /** Judges availability. */
  readonly prober: AvailabilityProber;
  /** Looks for changes while somebody listens to them. */
  readonly watch: AvailabilityWatch;
}

/**
 * Makes the prober of a runtime, sets it in the table, and looks for changes while somebody listens to them.
 *
 * @param setting The runtime's setting.
 * @param parts The other parts.
 * @returns The prober and the watch.
 */
export function joinAvailability(
  setting: Setting,
  { planner, pool, offered }: AvailabilityParts,
): JoinedAvailability {
  const { registry, events, clock, log } = setting;
  const prober = new AvailabilityProber({
    ...setting,
    planner,
    pool,
    hasCells: setting.cells !== undefined,
    snapshot: () => registry.snapshot(),
    onVerdict: (event) => {
      const record = describeVerdict(event);
      if (record) log.log(record.level, record.message);
      watch.catchUp();
    },
  });
  const watch = new AvailabilityWatch({
    prober,
    entries: offered,
    clock,
    onChange: (change) => events.emit("availability-change", change),
  });
  events.onInterest("availability-change", (wanted) => wanted ? watch.start() : watch.stop());
  registry.setProber(prober);
  return { prober, watch };
}
