/**
 * What a call gives back.
 * @module
 */
import type { ContentBlock } from "./content.ts";
import type { ErrorCode } from "./errors.ts";
import type { JsonValue } from "./json.ts";
import type { Isolation } from "./entry.ts";

/**
 * How a call's handler ended, whatever the answer says:
 * `completed` it came to its end; `never_started` none of its code ran for this call; `stopped` it was ended by
 * force and its thread is gone; `finished_late` it came to its end after the deadline or the cancel;
 * `unsettled` it may still be running.
 */
export type CallEnd =
  | "completed"
  | "never_started"
  | "stopped"
  | "finished_late"
  | "unsettled";

/** Where a result went that was too long for the model. */
export interface SpilledResult {
  /** Length of the whole text in UTF-16 code units. */
  readonly chars: number;
  /** The file that holds the whole text. */
  readonly path: string;
  /** Length of the part that the model sees. */
  readonly previewChars: number;
}

/** Where a call's time went. */
export interface CallTiming {
  /** Milliseconds before the handler's worker took the call. */
  readonly queuedMs: number;
  /** Milliseconds that the handler ran. */
  readonly runMs: number;
}

/** Why a call failed. */
export interface CallError {
  /** For programs. */
  readonly code: ErrorCode;
  /** For people and models. */
  readonly message: string;
  /** Whether the same call may succeed when it is made again. */
  readonly retryable: boolean;
  /** More, as JSON. */
  readonly details?: JsonValue;
}

/** What every result holds. */
export interface ToolResultBase {
  /** The tool's name as it was called. */
  readonly name: string;
  /** The call's id. */
  readonly callId: string;
  /** The generation of the table that answered. */
  readonly generation: number;
  /** What goes back to the model, for errors too. */
  readonly content: string;
  /** The result's parts, when the handler returned some. */
  readonly blocks?: readonly ContentBlock[];
  /** The result as a JSON value, when the handler returned one. */
  readonly structured?: JsonValue;
  /** How the handler ended. */
  readonly end: CallEnd;
  /** Where the whole text is, when it was too long. */
  readonly spilled?: SpilledResult;
  /** Where the time went. */
  readonly timing: CallTiming;
  /** Where the handler ran. */
  readonly isolation: Isolation;
}

/** A call that succeeded. */
export interface ToolSuccess extends ToolResultBase {
  /** The tag of the union. */
  readonly ok: true;
  /** Absent. */
  readonly error?: undefined;
}

/** A call that failed. */
export interface ToolFailure extends ToolResultBase {
  /** The tag of the union. */
  readonly ok: false;
  /** Why. */
  readonly error: CallError;
}

/** What a call gives back: a union on `ok`. */
export type ToolResult = ToolSuccess | ToolFailure;
