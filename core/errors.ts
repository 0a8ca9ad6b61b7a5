/**
 * The errors that callers tell apart.
 * @module
 */
import type { JsonValue } from "./json.ts";

/** Every code that a failed call can carry. The list is closed. */
export const ERROR_CODES: readonly [
  "unknown_tool",
  "not_enabled",
  "unavailable",
  "invalid_arguments",
  "approval_required",
  "approval_denied",
  "permission_denied",
  "timeout",
  "cancelled",
  "overloaded",
  "tool_error",
  "tool_crashed",
  "tool_out_of_memory",
  "tool_exited",
  "invalid_result",
  "integrity_changed",
  "outcome_unknown",
  "internal",
] = Object.freeze(
  [
    "unknown_tool",
    "not_enabled",
    "unavailable",
    "invalid_arguments",
    "approval_required",
    "approval_denied",
    "permission_denied",
    "timeout",
    "cancelled",
    "overloaded",
    "tool_error",
    "tool_crashed",
    "tool_out_of_memory",
    "tool_exited",
    "invalid_result",
    "integrity_changed",
    "outcome_unknown",
    "internal",
  ] as const,
);

/** One of {@linkcode ERROR_CODES}. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Options of {@linkcode ToolError}. */
export interface ToolErrorOptions {
  /** Whether the same call may succeed when it is made again. @default {false} */
  readonly retryable?: boolean;
  /** More for the caller, as JSON. */
  readonly details?: JsonValue;
  /** The error behind this one; it stays inside the worker. */
  readonly cause?: unknown;
}

/**
 * What a handler throws to fail its call on purpose.
 *
 * @example Fail in a way that the model may retry
 * ```ts
 * import { ToolError } from "@cloister/cloister/tool";
 *
 * const error = new ToolError("The queue is full", { retryable: true, details: { waiting: 12 } });
 * console.log(error.retryable); // true
 * ```
 */
export class ToolError extends Error {
  /** The class's name. */
  override readonly name = "ToolError";
  /** Whether the same call may succeed when it is made again. */
  readonly retryable: boolean;
  /** More for the caller, as JSON. */
  readonly details?: JsonValue;

  /**
   * Makes the error.
   *
   * @param message What failed, for the model that reads it.
   * @param options Whether a retry makes sense, details, and the cause.
   */
  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable ?? false;
    this.details = options.details;
  }
}

/**
 * Thrown by the table when an owner asks for what only the operator may allow: overriding, or removing, a
 * tool that somebody else owns.
 *
 * @example Tell it from other errors
 * ```ts
 * import { PermissionError } from "@cloister/cloister";
 *
 * console.log(new PermissionError("Cannot override").name); // "PermissionError"
 * ```
 */
export class PermissionError extends Error {
  /** The class's name. */
  override readonly name = "PermissionError";
  /**
   * Makes the error.
   *
   * @param message What was refused, and which configuration key would allow it.
   */
  constructor(message: string) {
    super(message);
  }
}
