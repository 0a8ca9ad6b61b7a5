/**
 * What a dispatcher works with.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { InputSurface } from "../core/input.ts";
import type { ToolResult } from "../core/result.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { BoundSelection } from "../registry/toolsets/bound_selection.ts";
import type { ExecutionFailure } from "../workers/execution.ts";
import type { LogMessage } from "../workers/protocol.ts";
import type { AvailabilityProber } from "./availability.ts";
import type { CallGuard } from "./call_guard.ts";
import type { Config } from "./config.ts";
import type { CallPool } from "./lazy_pool.ts";
import type { CallProgress } from "./runtime_types.ts";
import type { SpillStore } from "./spill.ts";
import type { ToolPlanner } from "./tool_planner.ts";

/** What a dispatcher works with. */
export interface DispatcherOptions {
  /** The newest table. */
  readonly snapshot: () => RegistrySnapshot;
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** Runs calls in workers. */
  readonly pool: CallPool;
  /** Judges availability. */
  readonly availability: AvailabilityProber;
  /** What the configuration offers: what is not offered is not called. */
  readonly configured: BoundSelection;
  /** Hooks and approval. */
  readonly guard: CallGuard;
  /** Answers what handlers ask for; absent where nobody does. */
  readonly input?: InputSurface;
  /** Keeps results that are too long. */
  readonly spill: SpillStore;
  /** The operator's configuration. */
  readonly config: Config;
  /** The workspace. */
  readonly workspace: string;
  /** Makes the folders that a tool's permissions name; those in the cache folder may have gone. */
  readonly prepareFolders: (entry: ToolEntry) => void;
  /** A tool's own data folder. */
  readonly dataFolder: (tool: string) => string;
  /**
   * Looks whether a tool's files are what was admitted, and scans them again when not.
   *
   * @returns The snapshot that now holds, or why the call may not run.
   */
  readonly refresh: (
    entry: ToolEntry,
    snapshot: RegistrySnapshot,
  ) => RegistrySnapshot | Promise<RegistrySnapshot | { readonly changed: string }>;
  /**
   * Looks why a tool's module could not be loaded, and puts back what is missing.
   *
   * @returns The table with which to try again, or why the call may not run or cannot be helped; `undefined` when
   * nothing was missing.
   */
  readonly recover: (
    entry: ToolEntry,
    snapshot: RegistrySnapshot,
    message: string,
  ) => Promise<
    RegistrySnapshot | { readonly changed: string } | { readonly fault: string } | undefined
  >;
  /** A call began. */
  readonly onStart: (callId: string, name: string) => void;
  /** A handler reported progress. */
  readonly onProgress: (progress: CallProgress) => void;
  /** A handler wrote a log record. */
  readonly onLog: (name: string, callId: string, message: LogMessage) => void;
  /** A handler did not come to its result. */
  readonly onFailure: (entry: ToolEntry, failure: ExecutionFailure) => void;
  /** A call ended. */
  readonly onEnd: (callId: string, result: ToolResult) => void;
}
