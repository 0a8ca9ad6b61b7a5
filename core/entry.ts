/**
 * One tool as the table holds it, and who owns it.
 * @module
 */
import type { ToolReturn } from "./content.ts";
import type {
  CheckContext,
  CheckResult,
  OverrideContext,
  SchemaOverrides,
  ToolContext,
} from "./context.ts";
import type { JsonSchema, JsonValue } from "./json.ts";
import type { Permissions } from "./permissions.ts";
import type { ToolAnnotations, ToolRequirements } from "./registration.ts";

/** Who made a claim on a name. */
export type Owner = "builtin" | "program" | "user" | `plugin:${string}` | `mcp:${string}`;

/** Where a handler runs. */
export type Isolation = "worker" | "process" | "inline";

/** A tool as plain data: what is read from a file's syntax tree, or comes back from a worker. */
export interface ToolDeclaration {
  /** The name that models call. */
  readonly name: string;
  /** A title for people. */
  readonly title?: string;
  /** The group that the tool belongs to. */
  readonly toolset: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** A picture for lists. */
  readonly emoji?: string;
  /** The schema of the parameters, as JSON Schema. */
  readonly schema: JsonSchema;
  /** The schema of the structured result, as JSON Schema. */
  readonly outputSchema?: JsonSchema;
  /** What the handler may touch. */
  readonly permissions?: Permissions;
  /** Environment variables that must be set. */
  readonly requiresEnv?: readonly (string | readonly string[])[];
  /** Local things that must exist. */
  readonly requires?: ToolRequirements;
  /** Whether the handler is said to be asynchronous. */
  readonly isAsync?: boolean;
  /** Longest result in characters; `"unlimited"` stands for no limit where it goes through JSON. */
  readonly maxResultSizeChars?: number | "unlimited";
  /** Deadline of a call in milliseconds. */
  readonly timeoutMs?: number;
  /** Memory of the cell in megabytes. */
  readonly memoryMb?: number;
  /** Where the handler runs. */
  readonly isolation?: "worker" | "process";
  /** Hints about what a call does. */
  readonly annotations?: ToolAnnotations;
  /** Whether the tool has a check function. */
  readonly hasCheckFn?: boolean;
  /** Name of an earlier tool of the module that has the very same check function; they share its verdict. */
  readonly sharesCheckOf?: string;
  /** Whether the tool has dynamic schema overrides. */
  readonly hasDynamicSchema?: boolean;
  /** Whether the schema is zod or the like, which checks and fills in arguments itself, where the handler runs. */
  readonly hasOwnCheck?: boolean;
  /** Whether the registration asks to override another owner's tool. */
  readonly override?: boolean;
}

/** A handler in a module that runs in a worker. */
export interface ModuleHandler {
  /** The tag of the union. */
  readonly kind: "module";
  /** Where the module's admitted copy is, as a `file:` URL. */
  readonly url: string;
  /** Hash of the module and everything it imports. */
  readonly integrity: string;
  /** Under which name the module registers the tool. */
  readonly export: string;
  /** Folder of the module's admitted copy and of what it imports, a real path: what its worker may read. */
  readonly folder: string;
}

/** A handler that the product or the embedding program links statically. */
export interface InlineHandler {
  /** The tag of the union. */
  readonly kind: "inline";
  /** Runs a call. */
  call(args: never, context: ToolContext): ToolReturn | Promise<ToolReturn>;
  /** The tool's check function. */
  readonly checkFn?: (context: CheckContext) => CheckResult | Promise<CheckResult>;
  /** The tool's dynamic schema overrides. */
  readonly dynamicSchemaOverrides?: (
    context: OverrideContext,
  ) => SchemaOverrides | Promise<SchemaOverrides>;
}

/** Where a tool's handler is. */
export type HandlerReference = ModuleHandler | InlineHandler;

/** Where a tool comes from. */
export interface ToolSource {
  /** What kind of place. */
  readonly kind: "file" | "inline" | "mcp";
  /** The tool file's absolute path. */
  readonly path?: string;
  /** The line of the registration, from 1. */
  readonly line?: number;
  /** The column of the registration, from 1. */
  readonly column?: number;
  /** The MCP server's name in the configuration. */
  readonly server?: string;
  /** What holds the MCP server: Deno's permissions, nothing, or it runs elsewhere. */
  readonly containment?: "sandboxed" | "unsandboxed" | "remote";
}

/** One fault of a call's arguments. */
export interface ArgumentIssue {
  /** The field, as a JSON Pointer (`""` for the arguments as a whole). */
  readonly path: string;
  /** What is wrong and what is expected. */
  readonly message: string;
}

/** What checking arguments gave. */
export type ArgumentCheck =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly issues: readonly ArgumentIssue[] };

/** Checks arguments against the schema that the tool was registered with. */
export type ArgumentValidator = (value: JsonValue) => ArgumentCheck | Promise<ArgumentCheck>;

/** One tool in the table. Frozen, with everything it holds, except the functions. */
export interface ToolEntry {
  /** The name that models call. */
  readonly name: string;
  /** A title for people. */
  readonly title?: string;
  /** The group that the tool belongs to. */
  readonly toolset: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** A picture for lists; empty when the tool names none. */
  readonly emoji: string;
  /** The schema of the parameters, as JSON Schema. */
  readonly schema: JsonSchema;
  /** The schema of the structured result, as JSON Schema. */
  readonly outputSchema?: JsonSchema;
  /** The original schema's own check (zod and the like); absent for plain JSON Schema. */
  readonly validate?: ArgumentValidator;
  /** What the handler may touch. */
  readonly permissions: Permissions;
  /** Where the handler is. */
  readonly handler: HandlerReference;
  /** Who registered it. */
  readonly owner: Owner;
  /** Whether the registration asked to override. */
  readonly override: boolean;
  /** Where the handler runs. */
  readonly isolation: Isolation;
  /** Environment variables that must be set. */
  readonly requiresEnv: readonly (string | readonly string[])[];
  /** Local things that must exist. */
  readonly requires: ToolRequirements;
  /** Whether the handler is said to be asynchronous. */
  readonly isAsync: boolean;
  /** Longest result in characters, `Infinity` for no limit; absent means the default. */
  readonly maxResultSizeChars?: number;
  /** Deadline of a call in milliseconds; absent means the default. */
  readonly timeoutMs?: number;
  /** Memory of the cell in megabytes; absent means the default. */
  readonly memoryMb?: number;
  /** Hints about what a call does. */
  readonly annotations: ToolAnnotations;
  /** Whether the tool has a check function. */
  readonly hasCheckFn: boolean;
  /** Name of an earlier tool of the module that has the very same check function; they share its verdict. */
  readonly sharesCheckOf?: string;
  /** Whether the tool has dynamic schema overrides. */
  readonly hasDynamicSchema: boolean;
  /** Whether the schema is zod or the like, which checks and fills in arguments itself; absent means no. */
  readonly hasOwnCheck?: boolean;
  /** Where the tool comes from. */
  readonly source: ToolSource;
  /** Why a person is asked before every call, whatever else is configured; absent means for no such reason. */
  readonly approvalReason?: string;
}
