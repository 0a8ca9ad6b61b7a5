/**
 * The runtime as an embedding program sees it.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { InputSurface } from "../core/input.ts";
import type { JsonObject } from "../core/json.ts";
import type { Permissions } from "../core/permissions.ts";
import type { ToolResult } from "../core/result.ts";
import type { DefinitionOf, Dialect } from "../registry/dialects/definition_types.ts";
import type { ToolRegistry } from "../registry/tool_registry.ts";
import type { ResolvedToolset } from "../registry/toolsets/resolve_toolset.ts";
import type { Session, SessionOptions } from "./session_types.ts";
import type { ApprovalSurface } from "./approval/approval_types.ts";
import type { ToolHooks } from "./hooks.ts";
import type { DiscoveryReport, DoctorReport, Explanation } from "./report_types.ts";

export type {
  DialectFinding,
  DiscoveryReport,
  DoctorCheck,
  DoctorReport,
  Explanation,
  ModuleReport,
} from "./report_types.ts";
export type {
  AnthropicDefinition,
  DefinitionByDialect,
  DefinitionOf,
  Dialect,
  GeminiDefinition,
  McpDefinition,
  OpenAIDefinition,
  OpenAIStrictDefinition,
} from "../registry/dialects/definition_types.ts";

/** Which tools are meant: all of them when every field is left out. */
export interface Selection {
  /** Toolsets or their aliases; `[]` means none. */
  readonly toolsets?: readonly string[];
  /** Toolsets that are subtracted last. */
  readonly disabledToolsets?: readonly string[];
  /** Names of single tools. */
  readonly names?: readonly string[];
}

/** A tool that a definition list leaves out. */
export interface Omission {
  /** The tool's name. */
  readonly name: string;
  /** Why. */
  readonly reason: string;
}

/** Something a dialect could not say. */
export interface Loss {
  /** The tool's name. */
  readonly name: string;
  /** The place in its schema, a JSON Pointer. */
  readonly path: string;
  /** What was lost. */
  readonly message: string;
}

/** The definitions of a selection. */
export interface Definitions<D extends Dialect = "openai"> {
  /** The generation of the table that they come from. */
  readonly generation: number;
  /** Sorted by name. */
  readonly tools: readonly DefinitionOf<D>[];
  /** Provider name to registry name. */
  readonly names: ReadonlyMap<string, string>;
  /** Tools that were left out. */
  readonly omitted: readonly Omission[];
  /** What the dialect could not say. */
  readonly losses: readonly Loss[];
}

/** Options of a call. */
export interface DispatchOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Deadline in milliseconds. @default {30_000} */
  readonly timeoutMs?: number;
  /** The call's id. @default {a random UUID} */
  readonly callId?: string;
  /** Refuse the call unless the table is of this generation. */
  readonly generation?: number;
  /** The session that the call belongs to: what it does not select is refused. */
  readonly session?: Session;
  /** Receives the handler's progress. */
  readonly onProgress?: (progress: CallProgress) => void;
  /**
   * How the model was told of the tool. For `openai-strict` a `null` stands for an optional property that is left
   * out, unless the property takes `null`.
   */
  readonly dialect?: Dialect;
  /** The task that the call is part of, for hooks and approvals. */
  readonly taskId?: string;
  /** Answers what the handler asks for. @default {the session's, else the runtime's} */
  readonly input?: InputSurface;
  /** Asks a person whether this call may run. @default {the session's, else the runtime's} */
  readonly onApproval?: ApprovalSurface;
  /** What the details of an `approval_required` gave, once a person approved that call. Holds once. */
  readonly approval?: string;
  /** Leave out `beforeCall`, because the program called its hooks itself. @default {false} */
  readonly skipBeforeCall?: boolean;
}

/** How far a call has come. */
export interface CallProgress {
  /** The call's id. */
  readonly callId: string;
  /** How much is done. */
  readonly value: number;
  /** How much there is in all. */
  readonly total?: number;
  /** What is being done. */
  readonly message?: string;
}

/** A tool that can be used and could not be before, or the other way round. */
export interface AvailabilityChange {
  /** The tool's name. */
  readonly name: string;
  /** Whether it can be used now. */
  readonly available: boolean;
  /** Why not. */
  readonly reason?: string;
}

/** Events of a runtime. */
export interface RuntimeEvents {
  /** The table changed. */
  readonly "table-change": {
    readonly generation: number;
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly changed: readonly string[];
  };
  /** A call began. */
  readonly "tool-call-start": { readonly callId: string; readonly name: string };
  /** A call ended. */
  readonly "tool-call-end": { readonly callId: string; readonly result: ToolResult };
  /** A handler reported progress. */
  readonly "tool-call-progress": CallProgress;
  /** A tool, or its cell, wrote something. */
  readonly "tool-log": {
    readonly level: "debug" | "info" | "warning" | "error";
    readonly message: string;
    readonly name?: string;
    readonly callId?: string;
    readonly cell?: string;
  };
  /** Discovery found something to say. */
  readonly diagnostic: Diagnostic;
  /** A tool can be used and could not be before, or the other way round; looked for while somebody listens. */
  readonly "availability-change": AvailabilityChange;
}

/** A plugin and what it is. */
export interface PluginInfo {
  /** Its id. */
  readonly id: string;
  /** Its folder, absolute. */
  readonly path: string;
  /** Whether its tools are offered. */
  readonly enabled: boolean;
  /** Whether its tools may replace those of others. */
  readonly allowToolOverride: boolean;
  /** Names of its tools that are in the table. */
  readonly tools: readonly string[];
}

/** The plugins of a runtime. */
export interface Plugins {
  /** The plugins, in the order of the configuration. */
  list(): readonly PluginInfo[];
  /** Offers a plugin's tools. */
  enable(id: string): Promise<DiscoveryReport>;
  /** Withdraws a plugin's tools; whoever was shadowed by one of them shows again. */
  disable(id: string): Promise<DiscoveryReport>;
  /** Looks through a plugin's folder again; no other owner's tool is touched. */
  reload(id: string): Promise<DiscoveryReport>;
}

/** A tool file that is not taken before a person accepts it. */
export interface HeldChange {
  /** The module file's absolute path. */
  readonly path: string;
  /** Hash of the module and everything it imports. */
  readonly integrity: string;
  /** Its tools, and what they declare now. */
  readonly permissions: Readonly<Record<string, Permissions>>;
  /** What its tools declared before; absent when the file is new. */
  readonly before?: Readonly<Record<string, Permissions>>;
  /** The difference of its files, as a patch. */
  readonly patch: string;
}

/** A table of tools together with what runs them. */
export interface Runtime extends AsyncDisposable {
  /** The table. */
  readonly registry: ToolRegistry;
  /** The workspace folder, an absolute real path. */
  readonly workspace: string;
  /** Sentences about what does not hold on this machine, or not at the moment; empty where everything does. */
  readonly limits: readonly string[];
  /** Why no tool file can be run at the moment, looked at anew each time; absent when they can. */
  readonly outage?: string;
  /** The plugins that the configuration names. */
  readonly plugins: Plugins;
  /** Looks through the roots and brings the table up to date, in one generation. */
  discover(roots?: readonly string[]): Promise<DiscoveryReport>;
  /**
   * Makes sure that every module that was found loads, as the first definitions do for the tools that they offer: where
   * its text leaves that open, it is loaded once, in a worker with the grants of its tools.
   */
  verifyModules(): Promise<DiscoveryReport>;
  /** The last discovery's report, with what became of the modules since. */
  readonly lastDiscovery: DiscoveryReport | undefined;
  /** The definitions of a selection, for a model. */
  getDefinitions<D extends Dialect = "openai">(
    selection?: Selection,
    options?: { readonly dialect?: D },
  ): Promise<Definitions<D>>;
  /** Calls a tool. Rejects only for misuse by the embedding program. */
  dispatch(
    name: string,
    args: JsonObject | string,
    options?: DispatchOptions,
  ): Promise<ToolResult>;
  /** The same two calls, bound to a selection. */
  session(options?: SessionOptions): Session;
  /** What the name of a toolset, an alias or `all` stands for. */
  resolveToolset(name: string): ResolvedToolset;
  /** Says why a tool is or is not offered; `dialects: false` leaves out what providers cannot be told of it. */
  explain(name: string, options?: { readonly dialects?: boolean }): Promise<Explanation>;
  /** Says whether a tool can be used now, and why not. */
  availability(name: string): Promise<{ readonly available: boolean; readonly reason?: string }>;
  /** The smallest flags for `deno run` with which a program can run the enabled tools. */
  permissionFlags(): readonly string[];
  /** Rescans the roots whenever a file in them changes. */
  watch(): AsyncDisposable;
  /** Where tools run here, and whether at all. */
  readonly isolation: DoctorReport["isolation"];
  /** Looks at what this machine guarantees, by trying; `quick` leaves out what takes over half a second. */
  doctor(options?: { readonly quick?: boolean }): Promise<DoctorReport>;
  /** The tool files that tools could have changed and that are not taken before they are accepted. */
  held(): Promise<readonly HeldChange[]>;
  /** Takes held files for good, as they were shown. */
  acceptHeld(changes: readonly HeldChange[]): Promise<void>;
  /** Listens to an event; gives a function that stops. */
  on<K extends keyof RuntimeEvents>(
    event: K,
    listener: (event: RuntimeEvents[K]) => void,
  ): () => void;
}

/** Options of `createRuntime`. */
export interface RuntimeOptions {
  /** The table to use. @default {the module-level registry} */
  readonly registry?: ToolRegistry;
  /** Folders with tool files, beside the built-in ones. @default {["./tools"] when it exists} */
  readonly roots?: readonly string[];
  /** The folder of plugins with a manifest, `<id>/plugin.json`. @default {"./plugins"} */
  readonly pluginFolder?: string;
  /** Whether to offer the package's own tools. @default {true} */
  readonly builtins?: boolean;
  /** Whether to discover before the promise resolves. @default {true} */
  readonly discover?: boolean;
  /** The configuration, or the path of its file. @default {"./cloister.json" when it exists} */
  readonly config?: string | JsonObject;
  /** The folder that tools work in. @default {the current folder} */
  readonly workspace?: string;
  /** The folder for manifest, store, logs, tool data and spilled results. */
  readonly cacheDir?: string;
  /**
   * Whether tools may write where tool files are, as `permissions.allowWrite: ["tools"]` of the configuration says.
   * @default {false}
   */
  readonly editTools?: boolean;
  /** The least isolation that tools get. */
  readonly isolation?: "worker" | "process";
  /** Receives warnings and log records, beside `agent.log` and the LogTape logger of category "cloister". */
  readonly logger?: RuntimeLogger;
  /** Code of the program that sees every call. */
  readonly hooks?: ToolHooks | readonly ToolHooks[];
  /** Asks a person whether a call may run; left out, what needs asking ends with `approval_required`. */
  readonly onApproval?: ApprovalSurface;
  /** Answers what handlers ask for; left out, they are refused. */
  readonly input?: InputSurface;
  /**
   * What becomes of the configuration's MCP servers: `wait` until they are reached, for two minutes at most; reach them
   * in the `background`; or leave them `off`. @default {"wait"}
   */
  readonly mcp?: "wait" | "background" | "off";
  /** Reads environment variables. @default {this process's, where they were granted} */
  readonly environment?: (name: string) => string | undefined;
}

/** Receives what the runtime has to say. */
export interface RuntimeLogger {
  /** Writes a record. */
  log(level: "debug" | "info" | "warning" | "error", message: string, data?: JsonObject): void;
}
