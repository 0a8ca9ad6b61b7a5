/**
 * The configuration as the rest of the product sees it.
 * @module
 */
import type { JsonObject } from "../../core/json.ts";
import type { Permissions } from "../../core/permissions.ts";
import type { ApprovalConfig } from "../approval/approval_types.ts";

/** What the operator allows and denies. */
export interface CeilingConfig {
  /** Caps each kind that is present. */
  readonly allow?: Partial<Permissions>;
  /** Takes away, whatever any ceiling allows. */
  readonly deny?: Partial<Permissions>;
}

/** A toolset of the operator's own. */
export interface ToolsetConfig {
  /** What it is for. */
  readonly description?: string;
  /** Its tools. */
  readonly tools?: readonly string[];
  /** Toolsets whose tools it holds too. */
  readonly includes?: readonly string[];
}

/** A plugin. */
export interface PluginConfig {
  /** Its id, `^[a-z][a-z0-9-]*(/[a-z0-9-]+)*$`. */
  readonly id: string;
  /** Its folder. */
  readonly path: string;
  /** Whether its tools are offered. @default {true} */
  readonly enabled?: boolean;
  /** Whether its tools may replace others. */
  readonly allowToolOverride?: boolean;
  /** Caps its tools' permissions. */
  readonly permissions?: CeilingConfig;
}

/** The configuration. */
export interface Config {
  /** For editors. */
  readonly $schema?: string;
  /** The operator's own toolsets. */
  readonly toolsets?: { readonly [name: string]: ToolsetConfig };
  /** Toolsets to offer; left out: all. */
  readonly enabledToolsets?: readonly string[];
  /** Toolsets that are subtracted last. */
  readonly disabledToolsets?: readonly string[];
  /** Plugins; the order counts. */
  readonly plugins?: readonly PluginConfig[];
  /** Ceilings. */
  readonly permissions?: {
    /** By tool. */
    readonly tools?: { readonly [name: string]: CeilingConfig };
    /** By toolset. */
    readonly toolsets?: { readonly [name: string]: CeilingConfig };
    /** By owner: `builtin`, `program`, `user`, `plugin:<id>`, `mcp:<server>`. */
    readonly owners?: { readonly [owner: string]: CeilingConfig };
    /** Protected places that tools may write after all. */
    readonly allowWrite?: readonly "tools"[];
  };
  /** Where handlers run. */
  readonly isolation?: {
    /** The least isolation that tools get. */
    readonly default?: "worker" | "process";
    /** Tools that may run in the front's own process where no process can be started. */
    readonly inProcess?: readonly string[];
  };
  /** Limits of calls and cells. */
  readonly limits?: {
    /** Deadline of a call in milliseconds; caps what tool files say. */
    readonly timeoutMs?: number;
    /** What a call may take in megabytes; caps what tool files say. */
    readonly memoryMb?: number;
    /** Longest result in characters. */
    readonly maxResultSizeChars?: number | "unlimited";
    /** How many calls may wait. */
    readonly queue?: number;
    /** After how many idle milliseconds a worker ends. */
    readonly idleMs?: number;
    /** After how many calls a worker is replaced. */
    readonly callsPerWorker?: number;
    /** How many calls may run at a time. */
    readonly concurrency?: number;
    /** How many cell processes there may be. */
    readonly maxCells?: number;
    /** Memory for idle workers over all cells, in megabytes. */
    readonly warmMb?: number;
    /** What a cell may write to disk without a write grant, in megabytes. */
    readonly temporaryMb?: number;
    /** What all results in files may take, in megabytes. */
    readonly spillMb?: number;
    /** What one tool's results in files may take, in megabytes. */
    readonly spillMbPerTool?: number;
  };
  /** Results on their way to the model. */
  readonly results?: {
    /** Longest result in characters, by tool; comes before the tool's own limit. */
    readonly maxChars?: { readonly [tool: string]: number | "unlimited" };
    /** Whose results are marked as written by others. */
    readonly untrusted?: {
      /** By tool. */
      readonly tools?: { readonly [name: string]: boolean };
      /** By owner: `builtin`, `program`, `user`, `plugin:<id>`, `mcp:<server>`. */
      readonly owners?: { readonly [owner: string]: boolean };
    };
  };
  /** MCP servers, in the shape that MCP clients use, plus `permissions`. */
  readonly mcpServers?: { readonly [name: string]: JsonObject };
  /** The model of the agent loop. */
  readonly model?: JsonObject;
  /** How calls are approved. */
  readonly approval?: ApprovalConfig;
  /** Each tool's own section, which its handler gets as `context.config`. */
  readonly tools?: { readonly [name: string]: JsonObject };
  /** What tool files may import beside the tool module: import map entries. */
  readonly packages?: { readonly [name: string]: string };
}
