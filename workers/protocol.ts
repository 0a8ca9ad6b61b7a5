/**
 * Every message between the front and a worker, and between the front and a cell's main isolate. The same
 * messages serve each link: `postMessage` inside a process and the sealed channel between two.
 * @module
 */
import type { ContentBlock } from "../core/content.ts";
import type { InputMethod } from "../core/input.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";

/** Version of the messages; front and worker must agree. */
export const PROTOCOL_VERSION = 2;

/** What a worker's calls get as their context. */
export interface CallContext {
  /** The call's public id. */
  readonly callId: string;
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Absolute path of another folder whose files the handler may resolve by absolute path. */
  readonly alsoResolves?: string;
  /** What stands before the shell of a command. */
  readonly commandPrefix?: readonly string[];
  /** Absolute path of the tool's own data folder. */
  readonly data: string;
  /** Names of the environment variables that were granted. */
  readonly env: readonly string[];
  /** The tool's own section of the configuration. */
  readonly config: JsonObject;
}

/** Loads the tool module; answered by `ready` or `load-failed`. */
export interface LoadMessage {
  /** The tag of the union. */
  readonly type: "load";
  /** {@linkcode PROTOCOL_VERSION}. */
  readonly protocol: number;
  /** The module's `file:` URL. */
  readonly url: string;
}

/** Asks for the module's registrations as plain data; answered by `described`. */
export interface DescribeMessage {
  /** The tag of the union. */
  readonly type: "describe";
}

/** Calls a tool; answered by `result` or `failure`. */
export interface CallMessage {
  /** The tag of the union. */
  readonly type: "call";
  /** The call's number on this link. */
  readonly id: number;
  /** The tool's name. */
  readonly tool: string;
  /** The arguments. */
  readonly args: JsonObject;
  /** The context. */
  readonly context: CallContext;
}

/** Asks a tool's check function; answered by `checked` or `failure`. */
export interface CheckMessage {
  /** The tag of the union. */
  readonly type: "check";
  /** The probe's number on this link. */
  readonly id: number;
  /** The tool's name. */
  readonly tool: string;
  /** Names of the environment variables that were granted. */
  readonly env: readonly string[];
  /** The tool's own section of the configuration. */
  readonly config: JsonObject;
}

/** Asks a tool for its description and schema; answered by `overridden` or `failure`. */
export interface OverrideMessage {
  /** The tag of the union. */
  readonly type: "override";
  /** The question's number on this link. */
  readonly id: number;
  /** The tool's name. */
  readonly tool: string;
  /** Names of all tools that the same list offers. */
  readonly tools: readonly string[];
  /** Names of the environment variables that were granted. */
  readonly env: readonly string[];
  /** The tool's own section of the configuration. */
  readonly config: JsonObject;
}

/** Aborts a call's signal; not answered. */
export interface CancelMessage {
  /** The tag of the union. */
  readonly type: "cancel";
  /** The call's number. */
  readonly id: number;
  /** Why, for `signal.reason`. */
  readonly reason: "timeout" | "cancelled";
}

/** Says that the last piece of a stream was dealt with; answered by the next one, or by the call's end. */
export interface MoreMessage {
  /** The tag of the union. */
  readonly type: "more";
  /** The call's number. */
  readonly id: number;
}

/** Answers an `ask` of a running call. */
export interface ReplyMessage {
  /** The tag of the union. */
  readonly type: "reply";
  /** The call's number. */
  readonly id: number;
  /** The question's number within the call. */
  readonly ask: number;
  /** What was answered, or why nothing was. */
  readonly reply: AskReply;
}

/** What a question of a running call gave. */
export type AskReply =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly message: string; readonly details?: JsonValue };

/** Asks for a sign of life; answered by `pong`. */
export interface PingMessage {
  /** The tag of the union. */
  readonly type: "ping";
  /** The ping's number. */
  readonly id: number;
}

/** What the front says to a worker. */
export type HostMessage =
  | LoadMessage
  | DescribeMessage
  | CallMessage
  | CheckMessage
  | OverrideMessage
  | CancelMessage
  | MoreMessage
  | ReplyMessage
  | PingMessage;

/** What a handler returned, in a form that JSON can carry. */
export type WireValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly text: string }
  | { readonly kind: "json"; readonly value: JsonValue }
  /** All of it came before, in pieces of so many UTF-16 code units. */
  | { readonly kind: "stream"; readonly chars: number }
  | {
    readonly kind: "blocks";
    readonly blocks: readonly ContentBlock[];
    readonly structured?: JsonValue;
  };

/** Codes that a worker may give for a failed call; the others are the front's own findings. */
export type WireErrorCode =
  | "tool_error"
  | "permission_denied"
  | "invalid_arguments"
  | "invalid_result";

/** Why a call failed, as the worker tells it. */
export interface WireError {
  /** The code. */
  readonly code: WireErrorCode;
  /** What failed. */
  readonly message: string;
  /** The error's class, when the handler threw one. */
  readonly errorName?: string;
  /** Whether the same call may succeed when it is made again. */
  readonly retryable: boolean;
  /** More, as JSON. */
  readonly details?: JsonValue;
  /** What was asked for without a grant. */
  readonly denied?: { readonly kind: string; readonly what?: string };
}

/** The module is loaded. */
export interface ReadyMessage {
  /** The tag of the union. */
  readonly type: "ready";
  /** Names of the registered tools. */
  readonly tools: readonly string[];
}

/** A place in a file that a worker names. */
export interface ModulePlace {
  /** The file, as a URL. */
  readonly url: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
}

/** The module could not be loaded. */
export interface LoadFailedMessage {
  /** The tag of the union. */
  readonly type: "load-failed";
  /** Why. */
  readonly error: WireError;
  /** Where it was thrown, as the worker says. */
  readonly at?: ModulePlace;
}

/** The module's registrations. */
export interface DescribedMessage {
  /** The tag of the union. */
  readonly type: "described";
  /** As plain data, unchecked. */
  readonly declarations: readonly JsonValue[];
}

/** A piece of a result that is a stream; answered by `more`. */
export interface ChunkMessage {
  /** The tag of the union. */
  readonly type: "chunk";
  /** The call's number. */
  readonly id: number;
  /** The piece's number, from 0. */
  readonly index: number;
  /** The piece. */
  readonly text: string;
}

/** A call came to its end. */
export interface ResultMessage {
  /** The tag of the union. */
  readonly type: "result";
  /** The call's number. */
  readonly id: number;
  /** What the handler returned. */
  readonly value: WireValue;
  /** Milliseconds that the handler ran. */
  readonly runMs: number;
}

/** A call failed. */
export interface FailureMessage {
  /** The tag of the union. */
  readonly type: "failure";
  /** The call's number. */
  readonly id: number;
  /** Why. */
  readonly error: WireError;
  /** Milliseconds that the handler ran. */
  readonly runMs: number;
}

/** A check function answered. */
export interface CheckedMessage {
  /** The tag of the union. */
  readonly type: "checked";
  /** The probe's number. */
  readonly id: number;
  /** Whether the tool can be used now. */
  readonly available: boolean;
  /** Why not. */
  readonly reason?: string;
}

/** A tool's description and schema. */
export interface OverriddenMessage {
  /** The tag of the union. */
  readonly type: "overridden";
  /** The question's number. */
  readonly id: number;
  /** What the tool said, unchecked. */
  readonly overrides: JsonValue;
}

/** A sign of life. */
export interface PongMessage {
  /** The tag of the union. */
  readonly type: "pong";
  /** The ping's number. */
  readonly id: number;
}

/** A running call asks its caller for something; answered by `reply`. */
export interface AskMessage {
  /** The tag of the union. */
  readonly type: "ask";
  /** The call's number. */
  readonly id: number;
  /** The question's number within the call, from 1. */
  readonly ask: number;
  /** What is asked for. */
  readonly method: InputMethod;
  /** The question's own name, where the handler gave one. */
  readonly key?: string;
  /** The question, unchecked. */
  readonly params: JsonObject;
}

/** A call reports how far it has come. */
export interface ProgressMessage {
  /** The tag of the union. */
  readonly type: "progress";
  /** The call's number. */
  readonly id: number;
  /** How much is done. */
  readonly value: number;
  /** How much there is in all. */
  readonly total?: number;
  /** What is being done. */
  readonly message?: string;
}

/** A tool writes a log record. */
export interface LogMessage {
  /** The tag of the union. */
  readonly type: "log";
  /** The call's number; absent outside a call. */
  readonly id?: number;
  /** The level. */
  readonly level: LogLevel;
  /** The text. */
  readonly message: string;
  /** More, as JSON. */
  readonly data?: JsonObject;
}

/** Levels of log records. */
export type LogLevel = "debug" | "info" | "warning" | "error";

/** What a worker says. Comes as `unknown` and passes `parseWorkerMessage` before anyone believes it. */
export type WorkerMessage =
  | ReadyMessage
  | LoadFailedMessage
  | DescribedMessage
  | ChunkMessage
  | ResultMessage
  | FailureMessage
  | CheckedMessage
  | OverriddenMessage
  | PongMessage
  | AskMessage
  | ProgressMessage
  | LogMessage;
