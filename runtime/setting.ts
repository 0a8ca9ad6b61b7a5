/**
 * What a runtime is put together with.
 * @module
 */
import type { Clock } from "../registry/availability/clock.ts";
import type { ToolRegistry } from "../registry/tool_registry.ts";
import type { RuntimeCells } from "./cells.ts";
import type { Config } from "./config.ts";
import type { EventHub } from "./event_hub.ts";
import type { HeldFiles } from "./held_files.ts";
import type { HostEnvironment } from "./host_environment.ts";
import type { ProtectedPlaces } from "./protected_places.ts";
import type { RuntimeFolders } from "./runtime_folders.ts";
import type { WriteReach } from "./write_reach.ts";
import type { RuntimeLogger, RuntimeOptions } from "./runtime_types.ts";

/** What is known before the parts are made. */
export interface Setting {
  /** What the program asked for. */
  readonly options: RuntimeOptions;
  /** The operator's configuration. */
  readonly config: Config;
  /** Reads environment variables. */
  readonly environment: HostEnvironment;
  /** The workspace, an absolute real path. */
  readonly workspace: string;
  /** Where the runtime keeps what it writes. */
  readonly folders: RuntimeFolders;
  /** Where no tool writes. */
  readonly places: ProtectedPlaces;
  /** Who could write where all the same. */
  readonly reach: WriteReach;
  /** Tool files that wait for a person. */
  readonly heldFiles: HeldFiles;
  /** The folder of the person's own settings; absent when the environment names none. */
  readonly userDir?: string;
  /** The table. */
  readonly registry: ToolRegistry;
  /** Who listens. */
  readonly events: EventHub;
  /** Takes records. */
  readonly log: RuntimeLogger;
  /** What cells share; absent where none can be started. */
  readonly cells?: RuntimeCells;
  /** Whether this runtime has workers at all. */
  readonly hasWorkers: boolean;
  /** Tells the time to whatever remembers something. */
  readonly clock: Clock;
}
