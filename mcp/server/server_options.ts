/**
 * What an MCP server over a runtime may be told.
 * @module
 */
import type { RateLimit } from "./rate_limit.ts";

/** Options that hold for both transports. */
export interface McpServerOptions {
  /** The version that the server gives as its own. @default {"0.0.0"} */
  readonly version?: string;
  /** How to use the server, for the client's model. */
  readonly instructions?: string;
  /** Tools on one page of `tools/list`. @default {1000} */
  readonly pageSize?: number;
  /** Calls that may run at once, those that wait for an answer aside. @default {256} */
  readonly maxConcurrentCalls?: number;
  /** Calls that may wait for the answers of a client of revision 2026-07-28. @default {64} */
  readonly maxParkedCalls?: number;
  /** Milliseconds that such a call waits before it is cancelled. @default {600_000} */
  readonly parkedForMs?: number;
  /** Requests that one principal may make; `false` for no limit. @default {2,000 a second, 4,000 at once} */
  readonly rateLimit?: RateLimit | false;
  /** Receives what went wrong where no client hears of it. */
  readonly onFault?: (message: string) => void;
}

/** The options with everything filled in. */
export type McpServerSettings =
  & Required<Omit<McpServerOptions, "instructions">>
  & Pick<McpServerOptions, "instructions">;

const DEFAULTS = {
  version: "0.0.0",
  pageSize: 1_000,
  maxConcurrentCalls: 256,
  maxParkedCalls: 64,
  parkedForMs: 600_000,
  rateLimit: { perSecond: 2_000, burst: 4_000 },
} as const;

/**
 * Fills in what was left out.
 *
 * @param options The options.
 * @returns The settings.
 * @throws {RangeError} If a number is not positive.
 */
export function fillServerOptions(options: McpServerOptions): McpServerSettings {
  const given = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  );
  const settings: McpServerSettings = { ...DEFAULTS, onFault: () => {}, ...given };
  for (const name of ["pageSize", "maxConcurrentCalls", "maxParkedCalls", "parkedForMs"] as const) {
    if (settings[name] >= 1) continue;
    throw new RangeError(
      `Cannot serve MCP with "${name}" ${settings[name]}: expected a number >= 1`,
    );
  }
  return settings;
}
