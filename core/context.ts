/**
 * What a handler and a check function get beside the arguments.
 * @module
 */
import type { JsonObject, JsonSchema } from "./json.ts";

/** Writes log records that carry the tool's name and the call's id. */
export interface ToolLog {
  /** Writes a record at level debug. */
  debug(message: string, data?: JsonObject): void;
  /** Writes a record at level info. */
  info(message: string, data?: JsonObject): void;
  /** Writes a record at level warning. */
  warn(message: string, data?: JsonObject): void;
  /** Writes a record at level error. */
  error(message: string, data?: JsonObject): void;
}

/** A question to the person, with the schema of the answer. */
export interface ElicitRequest {
  /** The question. */
  readonly message: string;
  /** What the answer must look like: an object of plain fields. */
  readonly requestedSchema: JsonSchema;
}

/** The person's answer. */
export interface ElicitResult {
  /** What the person chose to do. */
  readonly action: "accept" | "decline" | "cancel";
  /** The answer, when accepted. */
  readonly content?: JsonObject;
}

/** What a handler gets beside its arguments. */
export interface ToolContext {
  /** The call's id. */
  readonly callId: string;
  /** Aborts when the call is cancelled or its deadline passes. */
  readonly signal: AbortSignal;
  /** The tool's own section of the configuration, frozen. */
  readonly config: JsonObject;
  /** Writes log records. */
  readonly log: ToolLog;
  /** A folder of the tool's own that outlives the call; needs `$DATA` in its permissions. */
  readonly data: string;
  /** The workspace folder, an absolute path. */
  readonly workspace: string;
  /**
   * Makes an absolute path of one inside the workspace.
   *
   * @param path A path relative to the workspace, or an absolute one inside it.
   * @returns The absolute path.
   * @throws {ToolError} If the path leaves the workspace, or holds a NUL.
   */
  resolve(path: string): string;
  /**
   * Reports how far the call has come.
   *
   * @param value How much is done, in any unit.
   * @param total How much there is in all, in the same unit.
   * @param message What is being done.
   */
  progress(value: number, total?: number, message?: string): void;
  /**
   * Reads an environment variable that the tool was granted.
   *
   * @param name The variable's name.
   * @returns Its value, or `undefined` when it is not set.
   * @throws {ToolError} If the tool's permissions do not name it.
   */
  env(name: string): string | undefined;
  /**
   * Asks the person through the session's surface.
   *
   * @param request The question.
   * @returns The answer.
   * @throws {ToolError} If there is no surface to ask.
   */
  elicit(request: ElicitRequest): Promise<ElicitResult>;
}

/** What a check function gets. */
export interface CheckContext {
  /** Aborts when the probe's deadline passes. */
  readonly signal: AbortSignal;
  /** The tool's own section of the configuration, frozen. */
  readonly config: JsonObject;
  /** Reads an environment variable that the tool was granted. */
  env(name: string): string | undefined;
}

/** What `dynamicSchemaOverrides` gets. */
export interface OverrideContext extends CheckContext {
  /** Names of all tools that the same list offers: a definition must not speak of any other tool. */
  readonly tools: ReadonlySet<string>;
}

/** What a check function says: whether the tool is available, and why not. */
export type CheckResult = boolean | {
  /** Whether the tool can be used now. */
  readonly available: boolean;
  /** Why not, for the person. */
  readonly reason?: string;
};

/** What `dynamicSchemaOverrides` may replace. */
export interface SchemaOverrides {
  /** A new description. */
  readonly description?: string;
  /** A new schema of the parameters. */
  readonly parameters?: JsonSchema;
}
