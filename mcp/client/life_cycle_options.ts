/**
 * What a life cycle works with.
 * @module
 */
import type { Clock } from "../../registry/availability/clock.ts";
import type { ServerState } from "./connection_types.ts";

/** What an error says about the next try: it makes no sense, needs a sign-in, or may succeed. */
export type Fault = "permanent" | "auth" | "transient";

/** What a life cycle works with. */
export interface LifeCycleOptions<Link> {
  /** The server's name, for messages. */
  readonly name: string;
  /** Tells the time. */
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Whether the server is a process that this program starts. */
  readonly isProcess: boolean;
  /** Whether it is only started by the first call. */
  readonly lazy: boolean;
  /** Milliseconds between signs of life. */
  readonly keepaliveMs: number;
  /** After how many idle milliseconds a process is stopped. */
  readonly idleTimeoutMs?: number;
  /** After how many milliseconds a process is replaced. */
  readonly maxLifetimeMs?: number;
  /** Reaches the server. */
  readonly dial: (signal: AbortSignal) => Promise<Link>;
  /** Lets go of it. Never rejects. */
  readonly hangUp: (link: Link) => Promise<void>;
  /** Asks for a sign of life; rejects when there is none. */
  readonly probe: (link: Link) => Promise<void>;
  /** Whether a call is under way. */
  readonly isBusy: () => boolean;
  /** Says what an error means. */
  readonly faultOf: (error: unknown) => Fault;
  /** Says an error in words. */
  readonly describe: (error: unknown) => string;
  /** Hears every change of the state. */
  readonly onState: (state: ServerState) => void;
}
