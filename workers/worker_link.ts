/**
 * One tool worker as the front sees it, wherever it runs.
 * @module
 */
import type { ResolvedGrants } from "../core/permissions.ts";
import type { HostMessage, WorkerMessage } from "./protocol.ts";

/** Why a cell ended. */
export interface CellEnd {
  /** `memory` it grew over its limit or filled its heap; `closed` on purpose; else `crashed`. */
  readonly how: "memory" | "crashed" | "closed";
  /** What is known of the reason, for people. */
  readonly message: string;
  /** URL of the module that is known to have caused it. */
  readonly culprit?: string;
}

/** How a worker ended. */
export interface WorkerEnd {
  /**
   * `exited` it ended itself; `crashed` an error ended it; `refused` it could not be started; `cell-ended` its
   * cell is gone; `dropped` it was dropped on purpose.
   */
  readonly how: "exited" | "crashed" | "refused" | "cell-ended" | "dropped";
  /** What is known of the reason, for people. */
  readonly message: string;
  /** How its cell ended, when that is why. */
  readonly cell?: CellEnd["how"];
  /** False when its thread may still be running. @default {true} */
  readonly gone?: boolean;
}

/** Receives what a worker says. */
export interface LinkHandlers {
  /** A message that passed the guard. */
  onMessage(message: WorkerMessage): void;
  /** The worker is over. Called once. */
  onEnd(end: WorkerEnd): void;
}

/** The front's end of the way to one worker. */
export interface WorkerLink {
  /** Sends a message. Does nothing when the worker is over. */
  send(message: HostMessage): void;
  /** Ends the worker; true when its thread is known to be gone. */
  drop(): Promise<boolean>;
}

/** A place that holds workers: a cell, or this very process. */
export interface WorkerHome {
  /** A short name for logs. */
  readonly id: string;
  /** Whether it can take work. */
  readonly alive: boolean;
  /** Whether it can be ended by force. */
  readonly killable: boolean;
  /** Resident size in bytes, as last reported. */
  readonly rss: number;
  /** Starts a worker with exactly these grants. */
  startWorker(grants: ResolvedGrants, handlers: LinkHandlers, module: string): WorkerLink;
  /** Ends the place and everything in it. */
  kill(end: CellEnd): Promise<void>;
  /** Takes no more work; open calls go on. */
  drain(): void;
  /** Whether it only waits for open calls. */
  readonly isDraining: boolean;
}
