/**
 * What a handler and a check function get beside the arguments.
 * @module
 */
import type { JsonObject, JsonSchema, JsonValue } from "./json.ts";

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
  /**
   * The question's own name within the call, `^[A-Za-z0-9_.-]{1,64}$`. A client that answers in a later request
   * answers by it. @default {"input_1", "input_2" and so on}
   */
  readonly key?: string;
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

/** A message of a conversation with a model, as the Model Context Protocol writes it. */
export interface SampleMessage {
  /** Who speaks. */
  readonly role: "user" | "assistant";
  /** What is said: one content block, or a list of them. */
  readonly content: JsonValue;
}

/** A request to the caller's model. */
export interface SampleRequest {
  /** The request's own name within the call, as {@linkcode ElicitRequest.key}. */
  readonly key?: string;
  /** The conversation. */
  readonly messages: readonly SampleMessage[];
  /** Longest answer in tokens. */
  readonly maxTokens: number;
  /** Instructions for the model. */
  readonly systemPrompt?: string;
  /** How free the answer is. */
  readonly temperature?: number;
  /** Texts at which the model stops. */
  readonly stopSequences?: readonly string[];
}

/** The model's answer. */
export interface SampleResult {
  /** Who speaks. */
  readonly role: "user" | "assistant";
  /** What was said: one content block, or a list of them. */
  readonly content: JsonValue;
  /** The model's name. */
  readonly model: string;
  /** Why it stopped. */
  readonly stopReason?: string;
}

/** A place that the caller works in. */
export interface Root {
  /** Its address, usually `file://`. */
  readonly uri: string;
  /** Its name, for people. */
  readonly name?: string;
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
   * Program and arguments that stand before the shell of a command: a container, where one holds. Only the built-in
   * terminal gets any.
   */
  readonly commandPrefix?: readonly string[];
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
   * Asks the person through the session's surface. Questions of one turn (`Promise.all`) go out together. The
   * call's deadline waits meanwhile, for ten minutes in all.
   *
   * @param request The question.
   * @returns The answer.
   * @throws {ToolError} If there is no surface to ask, or the question is none.
   */
  elicit(request: ElicitRequest): Promise<ElicitResult>;
  /**
   * Asks the caller's model, where the caller lends it (an MCP client with sampling).
   *
   * @param request The conversation.
   * @returns The answer.
   * @throws {ToolError} If the caller lends no model.
   */
  sample(request: SampleRequest): Promise<SampleResult>;
  /**
   * Asks the caller where it works (an MCP client with roots).
   *
   * @param request The request's own name within the call, as {@linkcode ElicitRequest.key}.
   * @returns The places.
   * @throws {ToolError} If the caller does not tell.
   */
  listRoots(request?: { readonly key?: string }): Promise<readonly Root[]>;
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
