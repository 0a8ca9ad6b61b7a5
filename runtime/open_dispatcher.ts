/**
 * Joins the dispatcher with the other parts. Loaded with the first call.
 * @module
 */
import type { AvailabilityProber } from "./availability.ts";
import { configuredSelection, resolveAliases, selectionTest } from "./definitions.ts";
import type { DiscoveryService } from "./discovery_service.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { CallPool } from "./lazy_pool.ts";
import type { Setting } from "./setting.ts";
import { SpillStore } from "./spill.ts";
import type { ToolPlanner } from "./tool_planner.ts";

/** The parts that a dispatcher works with. */
export interface DispatchParts {
  /** Runs calls in workers. */
  readonly pool: CallPool;
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** Judges availability. */
  readonly availability: AvailabilityProber;
  /** Keeps the table in step with the files. */
  readonly discovery: DiscoveryService;
}

/**
 * Makes the dispatcher.
 *
 * @param setting The runtime's setting.
 * @param parts The other parts.
 * @returns The dispatcher.
 */
export function openDispatcher(setting: Setting, parts: DispatchParts): Dispatcher {
  const { registry, config, workspace, folders, events, log } = setting;
  const { discovery, ...others } = parts;
  return new Dispatcher({
    ...others,
    spill: new SpillStore(folders.spill),
    snapshot: () => registry.snapshot(),
    isEnabled: (entry) =>
      selectionTest(
        resolveAliases(configuredSelection(config), (name) => registry.getToolsetAliasTarget(name)),
      )(entry),
    config,
    workspace,
    dataFolder: (tool) => folders.data(tool),
    refresh: (entry, snapshot) => discovery.refresh(entry, snapshot),
    onStart: (callId, name) => events.emit("tool-call-start", { callId, name }),
    onProgress: (progress) => events.emit("tool-call-progress", progress),
    onLog: (name, callId, { level, message, data }) => {
      log.log(level, message, { tool: name, callId, ...(data && { data }) });
      events.emit("tool-log", { level, message, name, callId });
    },
    onEnd: (callId, result) => events.emit("tool-call-end", { callId, result }),
  });
}
