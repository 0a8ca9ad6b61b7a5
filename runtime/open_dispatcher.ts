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
import type { ExecutionFailure } from "../workers/execution.ts";
import { SpillStore } from "./spill.ts";
import type { ToolPlanner } from "./tool_planner.ts";
import type { ToolSelector } from "./tool_selector.ts";

/** What Deno says of a package that is not there, in a process that downloads nothing. */
const PACKAGE_MISSING = /npm package not found|--cached-only/;
const LOAD_CODES: ReadonlySet<string> = new Set([
  "tool_crashed",
  "tool_exited",
  "tool_out_of_memory",
  "permission_denied",
]);

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
  const { registry, config, workspace, folders, events, log, cells, environment } = setting;
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
    spill: new SpillStore(folders.spill, config.limits),
    snapshot: () => registry.snapshot(),
    configured: selector.configured,
    config,
    workspace,
    prepareFolders: ({ name, permissions }) => folders.prepare(name, permissions),
    dataFolder: (tool) => folders.data(tool),
    refresh: (entry, snapshot) => discovery.refresh(entry, snapshot),
    recover: async (entry, snapshot, message) => {
      if (!PACKAGE_MISSING.test(message)) return await discovery.recover(entry);
      const fault = await cells?.files.repairPackages();
      return fault === undefined ? snapshot : { fault };
    },
    onStart: (callId, name) => events.emit("tool-call-start", { callId, name }),
    onProgress: (progress) => events.emit("tool-call-progress", progress),
    onLog: (name, callId, { level, message, data }) => {
      log.log(level, message, { tool: name, callId, ...(data && { data }) });
      events.emit("tool-log", { level, message, name, callId });
    },
    onFailure: (entry, failure) => {
      const doubt = doubtOf(failure);
      if (doubt !== undefined) void discovery.verify([entry], doubt === "load");
    },
    onEnd: (callId, result) => events.emit("tool-call-end", { callId, result }),
  });
}

// How a module ends a call that never reached its handler. A top level that goes on for ever ends it at its deadline,
// as a handler does.
function doubtOf({ code, end }: ExecutionFailure): "load" | "deadline" | undefined {
  if (code === "timeout") return "deadline";
  return end === "never_started" && LOAD_CODES.has(code) ? "load" : undefined;
}
