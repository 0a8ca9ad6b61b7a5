/**
 * What a connection to an MCP server works with.
 * @module
 */
import type {
  AuthProvider,
  Implementation,
  OAuthClientProvider,
} from "@modelcontextprotocol/client";
import type { ServerAuth } from "../oauth/server_auth.ts";
import type { Clock } from "../../registry/availability/clock.ts";
import type { ConnectionListener } from "./connection_types.ts";

/** How a server's process is started. */
export interface StdioLaunch {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: { readonly [name: string]: string };
  /** The folder it starts in. @default {the current one} */
  readonly cwd?: string;
}

/** Which of the two protocol eras a server speaks: with `initialize`, or with `server/discover`. */
export type ServerEra = "legacy" | "modern";

/** Remembers what servers speak, so that none is started twice to find out. */
export interface EraCache {
  /**
   * Looks a server up.
   *
   * @param key The server's key.
   * @returns Its era, or `undefined` when it is not known.
   */
  get(key: string): ServerEra | undefined;
  /**
   * Writes down what a server speaks.
   *
   * @param key The server's key.
   * @param era Its era; `undefined` forgets it.
   */
  set(key: string, era: ServerEra | undefined): void;
}

/** What a connection to an MCP server works with. */
export interface ConnectionServices {
  /** Says how to start the server; needed for every kind but `http`. */
  readonly launch?: () => Promise<StdioLaunch>;
  /** Signs in; for `http`. */
  readonly authProvider?: AuthProvider | OAuthClientProvider | ServerAuth;
  /** Hears what happens. */
  readonly listener: ConnectionListener;
  /** Tells the time. */
  readonly clock: Clock;
  /** Remembers what servers speak. */
  readonly eras: EraCache;
  /** Who this client says it is. */
  readonly clientInfo: Implementation;
  /** A number from 0 up to 1. @default {Math.random} */
  readonly random?: () => number;
}
