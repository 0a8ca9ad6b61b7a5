/**
 * What the failure of a request means: for the caller, for the breaker, and for the connection.
 * @module
 */
import { CallFailure } from "../../core/call_failure.ts";
import { LoginRequiredError } from "../oauth/login_required.ts";
import type { CallEnd } from "../../core/result.ts";
import type { Strike } from "./circuit_breaker.ts";
import type { Fault } from "./life_cycle_options.ts";
import { STREAM_ENDED } from "./link_errors.ts";
import { foreignLine } from "./server_log.ts";

const MESSAGE_CHARS = 1_000;
const AUTH_CODES: ReadonlySet<unknown> = new Set([
  "CLIENT_HTTP_AUTHENTICATION",
  "CLIENT_HTTP_FORBIDDEN",
]);
const LACKS_RIGHT = "InsufficientScopeError";
const AUTH_NAMES: ReadonlySet<unknown> = new Set([
  "UnauthorizedError",
  "LoginRequiredError",
  LACKS_RIGHT,
]);
const UNREADABLE: ReadonlySet<unknown> = new Set([
  "INVALID_RESULT",
  "UNSUPPORTED_RESULT_TYPE",
  "PAGE_TOO_LONG",
]);
// What a server answers that is busy: it has not begun.
const BUSY: ReadonlySet<unknown> = new Set([429, 503]);

/** What was asked, and how it stands. */
export interface FailedRequest {
  /** The server's name. */
  readonly server: string;
  /** What was asked, as it reads after "while": `calling tool "x"`. */
  readonly what: string;
  /** Whether it is a call of a tool: one that may have had an effect. */
  readonly isCall: boolean;
  /** Whether there was a link to send it over. */
  readonly wasSent: boolean;
  /** Whether asking twice does no harm. */
  readonly repeatable: boolean;
  /** Whether the caller gave up. */
  readonly wasCancelled: boolean;
  /** Whether the deadline passed, and which it was. */
  readonly expiredMs?: number;
}

/** What the failure of a request means. */
export interface RpcVerdict {
  /** For the caller. */
  readonly failure: CallFailure;
  /** For the breaker; absent when it tells nothing of the server. */
  readonly strike?: Strike;
  /** For the connection: it is lost, and why. */
  readonly lost?: Error;
  /** Whether the server has certainly not begun, or refused because it does not know the session any more. */
  readonly again?: "unsent" | "expired";
}

/**
 * Judges a failure.
 *
 * @param error What was thrown.
 * @param request What was asked.
 * @returns What it means.
 */
export function judgeFailure(error: unknown, request: FailedRequest): RpcVerdict {
  const { server, what } = request;
  if (request.wasCancelled) {
    const message = `Gave up while ${what} of server "${server}"`;
    return {
      failure: new CallFailure("cancelled", message, { end: endOf(request), cause: error }),
    };
  }
  if (request.expiredMs !== undefined) return judgeDeadline(error, request, request.expiredMs);
  if (error instanceof CallFailure) return { failure: error, strike: "unreachable" };
  const { name, code } = factsOf(error);
  if (name === "NotSentError") return { ...gone(error, request, false), again: "unsent" };
  if (isLost(error)) return gone(error, request, true);
  if (AUTH_CODES.has(code) || AUTH_NAMES.has(name)) return judgeSignIn(error, request);
  if (typeof code === "number" && !(error instanceof DOMException)) return rejected(error, request);
  if (UNREADABLE.has(code)) return unreadable(error, request);
  const { status } = factsOf(error);
  if (status !== undefined) return judgeStatus(error, status, request);
  if (typeof code === "string") return rejected(error, request);
  return gone(error, request, !isRefusedConnection(error));
}

/**
 * What an error says about the next try to reach the server.
 *
 * @param error What was thrown.
 * @returns Whether it makes sense, or needs a sign-in.
 */
export function faultOf(error: unknown): Fault {
  const { name, code, status } = factsOf(error);
  if (name === "LaunchError" || code === "CLIENT_HTTP_UNEXPECTED_CONTENT") return "permanent";
  if (AUTH_CODES.has(code) || AUTH_NAMES.has(name)) return "auth";
  if (status === 401 || status === 403) return "auth";
  if (status !== undefined && status >= 300 && status < 500 && !BUSY.has(status)) {
    return "permanent";
  }
  // The SDK says so of a page that is no answer at all.
  return /unusable reply|is not followed/.test(messageOf(error)) ? "permanent" : "transient";
}

/**
 * Says an error in one plain line.
 *
 * @param error What was thrown.
 * @returns The line, without secrets.
 */
export function describeError(error: unknown): string {
  const causes: string[] = [];
  for (let each = error, depth = 0; each !== undefined && depth < 4; depth++) {
    const message = messageOf(each);
    if (!causes.some((known) => known.includes(message))) causes.push(message);
    each = each instanceof Error ? each.cause : undefined;
  }
  return foreignLine(causes.join(": "), MESSAGE_CHARS);
}

/**
 * Says in one plain line why a server cannot be reached, and what to do where that is known.
 *
 * @param error What was thrown.
 * @param server The server's name.
 * @returns The line, without secrets.
 */
export function describeContact(error: unknown, server: string): string {
  const lacksRight = factsOf(error).name === LACKS_RIGHT;
  return describeError(lacksRight ? new LoginRequiredError(server, "scope") : error);
}

function judgeDeadline(error: unknown, request: FailedRequest, ms: number): RpcVerdict {
  const { server, what, isCall, wasSent } = request;
  const may = isCall && wasSent ? ". It may still be running" : "";
  return {
    failure: new CallFailure(
      "timeout",
      `Server "${server}" gave no answer within ${ms} ms while ${what}${may}`,
      { retryable: request.repeatable, end: endOf(request), cause: error },
    ),
    strike: "silent",
  };
}

function endOf({ wasSent }: FailedRequest): CallEnd {
  return wasSent ? "unsettled" : "never_started";
}

function gone(error: unknown, request: FailedRequest, mayHaveRun: boolean): RpcVerdict {
  const { server, what, isCall, repeatable } = request;
  const lost = error instanceof Error ? error : new Error(String(error));
  const reason = describeError(error);
  const failure = mayHaveRun && isCall
    ? new CallFailure(
      "outcome_unknown",
      `Server "${server}" was lost while ${what}: ${reason}. It may have run; look before calling it again`,
      { retryable: repeatable, end: "unsettled", cause: error },
    )
    : new CallFailure("unavailable", `Cannot reach server "${server}" while ${what}: ${reason}`, {
      retryable: true,
      end: "never_started",
      cause: error,
    });
  return { failure, strike: "unreachable", lost };
}

function judgeSignIn(error: unknown, { server, what }: FailedRequest): RpcVerdict {
  // The others may do without that right: the connection is as good as before.
  const lacksRight = factsOf(error).name === LACKS_RIGHT;
  const reason = describeContact(error, server);
  const message = `Server "${server}" refuses the sign-in while ${what}: ${reason}`;
  return {
    failure: new CallFailure("unavailable", message, { end: "never_started", cause: error }),
    strike: "rejected",
    ...(lacksRight ? {} : { lost: error as Error }),
  };
}

function judgeStatus(error: unknown, status: number, request: FailedRequest): RpcVerdict {
  if (status === 401 || status === 403) return judgeSignIn(error, request);
  if (status === 404) {
    // An error of its own: at the first contact the same status means that nothing is there.
    const cause = new Error("The server does not know the session any more", { cause: error });
    return { ...gone(cause, request, true), again: "expired" };
  }
  if (status >= 500) return { ...gone(error, request, !BUSY.has(status)), lost: undefined };
  if (BUSY.has(status)) return { ...gone(error, request, false), lost: undefined };
  return rejected(error, request);
}

function rejected(error: unknown, { server, what }: FailedRequest): RpcVerdict {
  const message = `Server "${server}" rejected the request while ${what}: ${describeError(error)}`;
  return { failure: new CallFailure("tool_error", message, { cause: error }), strike: "rejected" };
}

function unreadable(error: unknown, { server, what }: FailedRequest): RpcVerdict {
  const message = `Server "${server}" gave no usable answer while ${what}: ` +
    describeError(error);
  return {
    failure: new CallFailure("invalid_result", message, { cause: error }),
    strike: "rejected",
  };
}

function isLost(error: unknown): boolean {
  const { code, data } = factsOf(error);
  return code === "CONNECTION_CLOSED" || code === "NOT_CONNECTED" || data === STREAM_ENDED;
}

// Measured on Deno 2.9.6: the innermost cause of a fetch that reached nobody names the step.
function isRefusedConnection(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 4; depth++) {
    if (/client error \(Connect\)|ECONNREFUSED|ENOTFOUND/.test(each.message)) return true;
    if ("code" in each && (each.code === "ECONNREFUSED" || each.code === "ENOTFOUND")) return true;
    each = each.cause as Error;
  }
  return false;
}

interface ErrorFacts {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly data?: unknown;
  readonly status?: number;
}

// Told apart by their members: loading the SDK to compare classes costs more than it tells.
function factsOf(error: unknown): ErrorFacts {
  if (typeof error !== "object" || error === null) return {};
  const { name, code, data } = error as ErrorFacts;
  const status = (data as { status?: unknown } | undefined)?.status;
  return { name, code, data, ...(typeof status === "number" ? { status } : {}) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
