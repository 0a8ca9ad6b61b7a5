/**
 * What the pool is asked to run, and what it answers.
 * @module
 */
import type { ErrorCode } from "../core/errors.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import type { ResolvedGrants } from "../core/permissions.ts";
import type { CallEnd, CallTiming } from "../core/result.ts";
import type { CellSpec } from "./cell_command.ts";
import type {
  AskMessage,
  AskReply,
  CallContext,
  ChunkMessage,
  LogMessage,
  ProgressMessage,
  WireError,
  WireValue,
} from "./protocol.ts";

/** A tool module that was admitted. */
export interface ModuleSpec {
  /** Where its admitted copy is, as a `file:` URL. */
  readonly url: string;
  /** Hash of the module and everything it imports. */
  readonly integrity: string;
  /** Folder of its files, a real path: what its worker may read beside its grants. */
  readonly folder: string;
  /** Path of the file that it was admitted from: an edited module takes the place of the one before. */
  readonly source?: string;
}

/** Which cell a worker goes to. */
export interface Placement {
  /** Workers of one group may share a cell. */
  readonly group: string;
  /** What the group's cells are started with. */
  readonly cell: CellSpec;
  /** Whether every call gets a cell of its own. */
  readonly perCall: boolean;
  /** Whether other modules may run in the same cell. */
  readonly shared: boolean;
  /** Whether the next call's cell is started ahead, because it will be started with the same. */
  readonly spare: boolean;
  /** Whether it runs in this very process, because no process can be started. */
  readonly inProcess: boolean;
}

/** One call for the pool. */
export interface ExecutionRequest {
  /** The tool's name. */
  readonly tool: string;
  /** The module. */
  readonly module: ModuleSpec;
  /** What the worker may touch, without the module's files. */
  readonly grants: ResolvedGrants;
  /** Which cell. */
  readonly placement: Placement;
  /** The arguments, checked. */
  readonly args: JsonObject;
  /** The handler's context. */
  readonly context: CallContext;
  /** Deadline in milliseconds, queueing included. */
  readonly timeoutMs: number;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Whether running it twice does no harm. */
  readonly repeatable: boolean;
  /** Receives progress. */
  readonly onProgress?: (message: ProgressMessage) => void;
  /** Receives log records. */
  readonly onLog?: (message: LogMessage) => void;
  /** Receives the pieces of a result that is a stream; settles when the next one may come. Never rejects. */
  readonly onChunk?: (message: ChunkMessage) => Promise<void>;
  /** Answers what the handler asks for; the deadline waits meanwhile. Never rejects. */
  readonly onAsk?: (message: AskMessage) => Promise<AskReply>;
}

/** A call that came to its end. */
export interface ExecutionSuccess {
  /** The tag of the union. */
  readonly ok: true;
  /** What the handler returned. */
  readonly value: WireValue;
  /** How the handler ended. */
  readonly end: CallEnd;
  /** Where the time went. */
  readonly timing: CallTiming;
}

/** A call that failed. */
export interface ExecutionFailure {
  /** The tag of the union. */
  readonly ok: false;
  /** Why, for programs. */
  readonly code: ErrorCode;
  /** Why, for people. */
  readonly message: string;
  /** Whether the same call may succeed when it is made again. */
  readonly retryable: boolean;
  /** More, as JSON. */
  readonly details?: JsonValue;
  /** The error's class, when the handler threw one. */
  readonly errorName?: string;
  /** What was asked for without a grant. */
  readonly denied?: WireError["denied"];
  /** How the handler ended. */
  readonly end: CallEnd;
  /** Where the time went. */
  readonly timing: CallTiming;
}

/** What the pool answers. It never rejects. */
export type ExecutionOutcome = ExecutionSuccess | ExecutionFailure;
