/**
 * What a tool file says about a tool.
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
import type { Permissions } from "./permissions.ts";
import type { ArgsOf, ToolSchema } from "./schema.ts";

/** Hints about what a call does, named as in the Model Context Protocol. */
export interface ToolAnnotations {
  /** A title for people. */
  readonly title?: string;
  /** The tool changes nothing. */
  readonly readOnlyHint?: boolean;
  /** The tool may destroy something. */
  readonly destructiveHint?: boolean;
  /** A second call with the same arguments changes nothing more. */
  readonly idempotentHint?: boolean;
  /** The tool reaches out to an open world, such as the web. */
  readonly openWorldHint?: boolean;
}

/** Local things a tool needs; checked without running any of its code. */
export interface ToolRequirements {
  /** Programs that must be on the PATH. */
  readonly bins?: readonly string[];
  /** Files that must exist. */
  readonly files?: readonly string[];
}

/** What a tool file passes to `registry.register`. `S` is the type of its schema. */
export interface ToolRegistration<S extends ToolSchema = ToolSchema> {
  /** The name that models call, `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`. */
  readonly name: string;
  /** A title for people. */
  readonly title?: string;
  /** The group that the tool belongs to. */
  readonly toolset: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** A picture for lists. @default {"⚡"} */
  readonly emoji?: string;
  /** The schema of the parameters, not a whole function definition. */
  readonly schema: S;
  /** The schema of the structured result. */
  readonly outputSchema?: ToolSchema;
  /** What the handler may touch. Unset means nothing at all. */
  readonly permissions?: Permissions<keyof ArgsOf<S> & string>;
  /** Runs the call. */
  handler(args: ArgsOf<NoInfer<S>>, context: ToolContext): ToolReturn | Promise<ToolReturn>;
  /** Says whether the tool is available now; runs in the tool's own worker. */
  checkFn?(context: CheckContext): CheckResult | Promise<CheckResult>;
  /** Environment variables that must be set; an inner list means any one of them. */
  readonly requiresEnv?: readonly (string | readonly string[])[];
  /** Local things that must exist. */
  readonly requires?: ToolRequirements;
  /** Replaces description or parameters whenever definitions are listed; has 250 ms, runs in the tool's own worker. */
  dynamicSchemaOverrides?(context: OverrideContext): SchemaOverrides | Promise<SchemaOverrides>;
  /** Whether the handler is asynchronous; kept for compatibility, every handler is awaited. */
  readonly isAsync?: boolean;
  /** Longest result in characters before it goes to a file. `Infinity` for no limit. @default {100_000} */
  readonly maxResultSizeChars?: number;
  /** Deadline of a call in milliseconds. @default {30_000} */
  readonly timeoutMs?: number;
  /** Memory of the cell in megabytes before its calls end. @default {512} */
  readonly memoryMb?: number;
  /** Where the handler runs. @default {"worker"} */
  readonly isolation?: "worker" | "process";
  /** Hints about what a call does. */
  readonly annotations?: ToolAnnotations;
}

/** Options of `registry.register` in a tool file. */
export interface RegisterOptions {
  /** Asks to replace a tool of the same name that another owner has. @default {false} */
  readonly override?: boolean;
}

/** What became of a registration. */
export type RegisterOutcome =
  | {
    /** The tool is in the table, or takes its turn when the table is loaded. */
    readonly status: "registered" | "replaced";
  }
  | {
    /** The tool is not visible; its claim is kept. */
    readonly status: "rejected";
    /** Why. */
    readonly reason: string;
    /** Who holds the name. */
    readonly winner: string;
  };

/**
 * Gives a registration its types and returns it unchanged; the discovery finds it in
 * `registry.register(defineTool({…}))` and as a module-level `const`.
 *
 * @param registration The tool.
 * @returns The same object.
 *
 * @example Define first, register later
 * ```ts
 * import { defineTool, registry } from "@cloister/cloister/tool";
 *
 * const shout = defineTool({
 *   name: "shout",
 *   toolset: "text",
 *   description: "Write a text in capitals.",
 *   schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
 *   handler: ({ text }) => text.toUpperCase(),
 * });
 * registry.register(shout);
 * ```
 */
export function defineTool<const S extends ToolSchema>(
  registration: ToolRegistration<S>,
): ToolRegistration<S> {
  return registration;
}
