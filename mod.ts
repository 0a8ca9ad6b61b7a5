/**
 * Cloister runs the tools of AI agents: a table of tools, found in files by their syntax tree, called in
 * permissioned workers inside killable processes.
 *
 * Every name below is public; adding a line adds to what programs rely on.
 *
 * @example A tool of the program's own
 * ```ts
 * import { registry, toolResult } from "@cloister/cloister";
 *
 * registry.register({
 *   name: "add",
 *   toolset: "math",
 *   description: "Add two numbers.",
 *   schema: {
 *     type: "object",
 *     properties: { a: { type: "number" }, b: { type: "number" } },
 *     required: ["a", "b"],
 *   },
 *   handler: ({ a, b }) => toolResult({ sum: a + b }),
 * });
 * ```
 * @module
 */
export { registry } from "./registry/default_registry.ts";
export { ToolRegistry, type ToolRegistryOptions } from "./registry/tool_registry.ts";
export type { RegistryReader } from "./registry/registry_reader.ts";
export type {
  DeregisterOptions,
  PluginOverridePolicy,
  RegistryDraft,
  TableRegisterOptions,
} from "./registry/registry_draft.ts";
export type { RegistrySnapshot } from "./registry/snapshot.ts";
export type { TableChange } from "./registry/table_change.ts";
export type { TableListener } from "./registry/change_listeners.ts";
export type { TableEvent, TableEventSink } from "./registry/table_event.ts";
export type { ClaimExplanation, ClaimsExplanation } from "./registry/claims_explanation.ts";
export type { Availability, ProbePass, Prober } from "./registry/prober.ts";
export type {
  AvailabilityReport,
  ToolsetReport,
  ToolsetRequirements,
  UnavailableToolset,
} from "./registry/toolset_availability.ts";
export type { ResolvedToolset, UnknownMember } from "./registry/toolsets/resolve_toolset.ts";
export type { Session, SessionOptions } from "./runtime/session_types.ts";
export { createRuntime } from "./mcp/create_runtime.ts";
export type {
  AnthropicDefinition,
  AvailabilityChange,
  CallProgress,
  DefinitionByDialect,
  DefinitionOf,
  Definitions,
  Dialect,
  DialectFinding,
  DiscoveryReport,
  DispatchOptions,
  DoctorCheck,
  DoctorReport,
  Explanation,
  GeminiDefinition,
  HeldChange,
  Loss,
  McpDefinition,
  ModuleReport,
  Omission,
  OpenAIDefinition,
  OpenAIStrictDefinition,
  PluginInfo,
  Plugins,
  Runtime,
  RuntimeEvents,
  RuntimeLogger,
  RuntimeOptions,
  Selection,
} from "./runtime/runtime_types.ts";
export type { BeforeCallAnswer, HookedCall, HookOutcome, ToolHooks } from "./runtime/hooks.ts";
export type {
  ApprovalAnswer,
  ApprovalConfig,
  ApprovalMode,
  ApprovalRequest,
  ApprovalSurface,
} from "./runtime/approval/approval_types.ts";
export { discoverBuiltinTools } from "./runtime/discover_builtin_tools.ts";
export type { ModuleStatus } from "./registry/discovery_types.ts";
export { toolError, toolResult } from "./core/envelope.ts";
export {
  ERROR_CODES,
  type ErrorCode,
  PermissionError,
  ToolError,
  type ToolErrorOptions,
} from "./core/errors.ts";
export {
  defineTool,
  type RegisterOptions,
  type RegisterOutcome,
  type ToolAnnotations,
  type ToolRegistration,
  type ToolRequirements,
} from "./core/registration.ts";
export type {
  ArgumentCheck,
  ArgumentIssue,
  ArgumentValidator,
  HandlerReference,
  InlineHandler,
  Isolation,
  ModuleHandler,
  Owner,
  ToolDeclaration,
  ToolEntry,
  ToolSource,
} from "./core/entry.ts";
export type {
  CallEnd,
  CallError,
  CallTiming,
  SpilledResult,
  ToolFailure,
  ToolResult,
  ToolResultBase,
  ToolSuccess,
} from "./core/result.ts";
export type { Diagnostic, Severity } from "./core/diagnostic.ts";
export type {
  CheckContext,
  CheckResult,
  ElicitRequest,
  ElicitResult,
  OverrideContext,
  Root,
  SampleMessage,
  SampleRequest,
  SampleResult,
  SchemaOverrides,
  ToolContext,
  ToolLog,
} from "./core/context.ts";
export type {
  AudioBlock,
  ContentBlock,
  ImageBlock,
  ResourceBlock,
  ResourceLinkBlock,
  TextBlock,
  ToolReturn,
} from "./core/content.ts";
export type { InputMethod, InputOrigin, InputSurface } from "./core/input.ts";
export type { JsonObject, JsonSchema, JsonValue } from "./core/json.ts";
export type {
  HostDigit,
  HostLetter,
  NetGrant,
  PathGrant,
  PathVariable,
  Permissions,
} from "./core/permissions.ts";
export type {
  ArgsOf,
  FromSchema,
  ObjectFromSchema,
  PrimitiveTypes,
  StandardIssue,
  StandardResult,
  StandardSchemaV1,
  ToolSchema,
} from "./core/schema.ts";
