/**
 * Joins the dispatcher with the other parts. Loaded with the first call.
 * @module
 */
import { ApprovalFile } from "./approval/approval_file.ts";
import { CommandGate } from "./approval/command_gate.ts";
import type { AvailabilityProber } from "./availability.ts";
import type { CommandContainer } from "./container/command_container.ts";
import { CallGuard } from "./call_guard.ts";
import type { DiscoveryService } from "./discovery_service.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { CallPool } from "./lazy_pool.ts";
import type { Setting } from "./setting.ts";
import { SpillStore } from "./spill.ts";
import type { ToolPlanner } from "./tool_planner.ts";
import type { ToolSelector } from "./tool_selector.ts";

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
  /** What is offered. */
  readonly selector: ToolSelector;
  /** Where shell commands run. */
  readonly container: () => Promise<CommandContainer>;
}

/**
 * Makes the dispatcher.
 *
 * @param setting The runtime's setting.
 * @param parts The other parts.
 * @returns The dispatcher.
 */
export function openDispatcher(setting: Setting, parts: DispatchParts): Dispatcher {
  const { registry, config, workspace, folders, events, log, environment } = setting;
  const { discovery, selector, container, ...others } = parts;
  const { hooks = [], onApproval, input } = setting.options;
  const guard = new CallGuard({
    hooks: [hooks].flat(),
    approval: config.approval,
    surface: onApproval,
    file: new ApprovalFile({
      environment,
      workspace,
      warn: (message) => log.log("warning", message),
    }),
    commands: new CommandGate(workspace, container),
    planner: parts.planner,
    snapshot: () => registry.snapshot(),
    warn: (message) => log.log("warning", message),
  });
  return new Dispatcher({
    guard,
    ...others,
    ...(input && { input }),
    spill: new SpillStore(folders.spill),
    snapshot: () => registry.snapshot(),
    configured: selector.configured,
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
