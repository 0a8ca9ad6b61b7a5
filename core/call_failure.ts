/**
 * How code that the product links itself ends a call with one of the closed error codes.
 * @module
 */
import type { ErrorCode } from "./errors.ts";
import type { JsonValue } from "./json.ts";
import type { CallEnd } from "./result.ts";

/** Options of {@linkcode CallFailure}. */
export interface CallFailureOptions {
  /** Whether the same call may succeed when it is made again. @default {false} */
  readonly retryable?: boolean;
  /** More for the caller, as JSON. */
  readonly details?: JsonValue;
  /** How the call ended, as far as is known. @default {"completed"} */
  readonly end?: CallEnd;
  /** The error behind this one; for logs. */
  readonly cause?: unknown;
}

/** Thrown by an inline handler of the product; code in a worker cannot give a code of its own. */
export class CallFailure extends Error {
  /** The class's name. */
  override readonly name = "CallFailure";
  /** Why, for programs. */
  readonly code: ErrorCode;
  /** Whether the same call may succeed when it is made again. */
  readonly retryable: boolean;
  /** More for the caller. */
  readonly details?: JsonValue;
  /** How the call ended. */
  readonly end: CallEnd;

  /**
   * Makes the failure.
   *
   * @param code Why, for programs.
   * @param message What failed, for the model that reads it.
   * @param options Whether a retry makes sense, details, how the call ended, and the cause.
   */
  constructor(code: ErrorCode, message: string, options: CallFailureOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.details = options.details;
    this.end = options.end ?? "completed";
  }
}
