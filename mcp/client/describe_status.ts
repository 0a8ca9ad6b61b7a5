/**
 * A server's state with what is known of it.
 * @module
 */
import { plainLine } from "../../core/plain_text.ts";
import type { McpServerSpec } from "../config/server_config.ts";
import type { ServerState, ServerStatus } from "./connection_types.ts";
import type { ServerLink } from "./server_link.ts";

const NAME_CHARS = 200;
const CONTAINMENT = { npm: "sandboxed", command: "unsandboxed", http: "remote" } as const;

/** What a connection knows. */
export interface KnownState {
  /** What the server is up to. */
  readonly state: ServerState;
  /** Since when, in milliseconds since the epoch. */
  readonly since: number;
  /** Why it cannot be used. */
  readonly error?: string;
  /** The newest link, alive or not. */
  readonly link?: ServerLink;
  /** How many messages were dropped. */
  readonly dropped: number;
}

/**
 * Describes a server's state.
 *
 * @param spec The server.
 * @param known What the connection knows.
 * @returns The description; what is not known is left out.
 */
export function describeStatus(
  { name, enabled, launch }: McpServerSpec,
  { state, since, error, link, dropped }: KnownState,
): Omit<ServerStatus, "tools"> {
  const info = link?.serverInfo;
  return {
    name,
    state: enabled ? state : "disabled",
    since,
    containment: CONTAINMENT[launch.kind],
    ...(error === undefined ? {} : { error }),
    ...(link?.protocolVersion === undefined ? {} : { protocolVersion: link.protocolVersion }),
    ...(info === undefined ? {} : { serverInfo: plainInfo(info) }),
    ...(dropped > 0 ? { dropped } : {}),
  };
}

function plainInfo(
  { name, version }: { readonly name: string; readonly version: string },
): { readonly name: string; readonly version: string } {
  return { name: plainLine(name, NAME_CHARS), version: plainLine(version, NAME_CHARS) };
}
