/**
 * Parts that join a runtime from outside, such as the tools of MCP servers.
 * @module
 */
import type { Clock } from "../registry/availability/clock.ts";
import type { Config } from "./config.ts";
import type { HostEnvironment } from "./host_environment.ts";
import type { ProtectedPlaces } from "./protected_places.ts";
import type { Runtime, RuntimeLogger } from "./runtime_types.ts";

/** What an extension works with. */
export interface ExtensionHost {
  /** The runtime that it joins; its first discovery may not have ended. */
  readonly runtime: Runtime;
  /** The configuration. */
  readonly config: Config;
  /** The configuration's file, absolute; absent when it came as an object or there is none. */
  readonly configPath?: string;
  /** Where nobody writes. */
  readonly protectedPlaces: ProtectedPlaces;
  /** Reads environment variables of the operator. */
  readonly environment: HostEnvironment;
  /** The folder for what is kept between runs, absolute. */
  readonly cacheDir: string;
  /** The command that starts Deno of this very version; absent where no process may be started. */
  readonly deno?: string;
  /** Takes records. */
  readonly log: RuntimeLogger;
  /** Tells the time. */
  readonly clock: Clock;
}

/**
 * Joins a runtime. It is started beside the first discovery, and `createRuntime` waits for it.
 *
 * @param host What it works with.
 * @returns What is disposed of before the runtime's own parts.
 */
export type RuntimeExtension = (host: ExtensionHost) => Promise<AsyncDisposable | undefined>;
