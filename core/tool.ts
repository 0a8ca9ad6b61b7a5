/**
 * What a tool file imports: the registry and the helpers of its handler.
 *
 * @example A whole tool file
 * ```ts
 * import { registry, toolResult } from "@cloister/cloister/tool";
 *
 * registry.register({
 *   name: "word_count",
 *   toolset: "text",
 *   description: "Count words in a file of the workspace.",
 *   schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
 *   permissions: { read: ["$WORKSPACE"] },
 *   emoji: "🔢",
 *   handler: async ({ path }, context) =>
 *     toolResult({ words: (await Deno.readTextFile(context.resolve(path))).split(/\s+/).length }),
 * });
 * ```
 * @module
 */
import { submitRegistration } from "./pending.ts";
import type { RegisterOptions, RegisterOutcome, ToolRegistration } from "./registration.ts";
import type { ToolSchema } from "./schema.ts";

export { toolError, toolResult } from "./envelope.ts";
export { ToolError, type ToolErrorOptions } from "./errors.ts";
export { defineTool } from "./registration.ts";
export type {
  RegisterOptions,
  RegisterOutcome,
  ToolAnnotations,
  ToolRegistration,
  ToolRequirements,
} from "./registration.ts";
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
} from "./context.ts";
export type {
  AudioBlock,
  ContentBlock,
  ImageBlock,
  ResourceBlock,
  ResourceLinkBlock,
  TextBlock,
  ToolReturn,
} from "./content.ts";
export type { JsonObject, JsonSchema, JsonValue } from "./json.ts";
export type {
  HostDigit,
  HostLetter,
  NetGrant,
  PathGrant,
  PathVariable,
  Permissions,
} from "./permissions.ts";
export type {
  ArgsOf,
  FromSchema,
  ObjectFromSchema,
  PrimitiveTypes,
  StandardIssue,
  StandardResult,
  StandardSchemaV1,
  ToolSchema,
} from "./schema.ts";

/** The registry as a tool file sees it. */
export interface ToolRegistrar {
  /**
   * Registers a tool. Written as a statement at the top level of a tool file, it is found without running
   * the file.
   *
   * @param registration The tool.
   * @param options Whether it may replace another owner's tool.
   * @returns What became of it.
   * @throws {TypeError} If a field is missing, unknown or of the wrong type; the message names both.
   */
  register<const S extends ToolSchema>(
    registration: ToolRegistration<S>,
    options?: RegisterOptions,
  ): RegisterOutcome;
}

/** The registry that tool files register with. */
export const registry: ToolRegistrar = Object.freeze({
  register<const S extends ToolSchema>(
    registration: ToolRegistration<S>,
    options: RegisterOptions = {},
  ): RegisterOutcome {
    return submitRegistration(registration as unknown as ToolRegistration, options);
  },
});
