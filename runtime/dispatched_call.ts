/**
 * A call on its way through the dispatcher, and the results of those that fail.
 * @module
 */
import type { Isolation } from "../core/entry.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import type { CallEnd, CallError, CallTiming, ToolResult } from "../core/result.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { CommandLaunch } from "./approval/command_gate.ts";
import { sanitiseErrorText } from "./error_text.ts";
import { redactJson } from "./redact.ts";
import type { StreamSink } from "./results/stream_sink.ts";
import type { DispatchOptions } from "./runtime_types.ts";

/** A call on its way. */
export interface DispatchedCall {
  /** The name as it was called. */
  readonly name: string;
  /** Its id. */
  readonly callId: string;
  /** What its caller said. */
  readonly options: DispatchOptions;
  /** When it came in, by `performance.now()`. */
  readonly startedAt: number;
  /** The table that it is pinned to. */
  snapshot: RegistrySnapshot;
  /** Where its handler runs, once the tool is known. */
  isolation: Isolation;
  /** The arguments, once they are checked. */
  args?: JsonObject;
  /** How it starts its command, where it has one. */
  launch?: CommandLaunch;
  /** Whether hooks see its result before anything of it goes to a file. */
  isWatched?: boolean;
  /** Whether its handler's answer, or what stands for it, is there. */
  isOver?: boolean;
  /** Takes its result, when that is a stream. */
  stream?: StreamSink;
}

/**
 * The result of a call that failed.
 *
 * @param call The call.
 * @param cause Why; its texts are made harmless.
 * @param end How the handler ended.
 * @param timing Where the time went.
 * @returns The result.
 */
export function failedResult(
  call: DispatchedCall,
  cause: CallError,
  end: CallEnd,
  timing: CallTiming,
): ToolResult {
  const { name, callId, isolation, snapshot: { generation } } = call;
  const { details } = cause;
  const error: CallError = {
    ...cause,
    message: sanitiseErrorText(cause.message),
    ...(details === undefined ? {} : { details: JSON.parse(redactJson(JSON.stringify(details))) }),
  };
  const retry = error.retryable ? ". A retry may succeed" : "";
  const content = JSON.stringify({ error: `${error.message}${retry}`, code: error.code });
  return { ok: false, name, callId, generation, content, error, end, timing, isolation };
}

/**
 * The result of a call that was never started.
 *
 * @param call The call.
 * @param code Why, for programs.
 * @param message Why, for people and models.
 * @param details More, as JSON.
 * @returns The result.
 */
export function refusedResult(
  call: DispatchedCall,
  code: ErrorCode,
  message: string,
  details?: JsonValue,
): ToolResult {
  const error: CallError = {
    code,
    message,
    retryable: false,
    ...(details === undefined ? {} : { details }),
  };
  const timing = { queuedMs: performance.now() - call.startedAt, runMs: 0 };
  return failedResult(call, error, "never_started", timing);
}
