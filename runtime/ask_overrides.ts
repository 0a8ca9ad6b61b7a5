/**
 * Asks one tool for its description and schema, where it runs: in its own worker, or in this process for a tool
 * that the program links itself.
 * @module
 */
import type { OverrideContext } from "../core/context.ts";
import type { InlineHandler, ToolEntry } from "../core/entry.ts";
import { ToolError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { Config } from "./config.ts";
import type { HostEnvironment } from "./host_environment.ts";
import type { CallPool } from "./lazy_pool.ts";
import { snapshotWith } from "./snapshot_with.ts";
import type { ToolPlanner } from "./tool_planner.ts";

/** After how many milliseconds a worker that does not answer is ended. */
const DEADLINE_MS = 5_000;

/** What a tool is asked with. */
export interface AskOptions {
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** Asks tools in workers. */
  readonly pool: Pick<CallPool, "override">;
  /** The operator's configuration. */
  readonly config: Config;
  /** Reads environment variables, for tools that run in this process. */
  readonly environment: HostEnvironment;
  /** The newest table. */
  readonly snapshot: () => RegistrySnapshot;
}

/** A question on its way. */
export interface Question<T> {
  /** Settles when the tool has the question. */
  readonly asked: Promise<void>;
  /** What comes of it. Never rejects. */
  readonly answer: Promise<T>;
}

/** What a tool said, unchecked, or why it said nothing. */
export type RawAnswer =
  | { readonly ok: true; readonly overrides: unknown }
  | { readonly ok: false; readonly reason: string };

/**
 * Asks a tool.
 *
 * @param entry The tool.
 * @param tools Names of all tools of the list.
 * @param options What it is asked with.
 * @returns The question.
 */
export function askTool(
  entry: ToolEntry,
  tools: readonly string[],
  options: AskOptions,
): Question<RawAnswer> {
  const { handler } = entry;
  if (handler.kind === "inline") {
    return { asked: Promise.resolve(), answer: askInline(entry, handler, tools, options) };
  }
  const { planner, pool } = options;
  const { grants } = planner.plan(entry).plan;
  const placement = planner.placement(snapshotWith(entry, options.snapshot()), entry);
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const answer = pool.override(
    { module: planner.module(entry), grants, placement },
    { tool: handler.export, tools, env: grants.env, config: configOf(entry, options) },
    DEADLINE_MS,
    resolve,
  ).catch((error): RawAnswer => ({ ok: false, reason: reasonOf(error) }));
  return { asked, answer };
}

async function askInline(
  entry: ToolEntry,
  handler: InlineHandler,
  tools: readonly string[],
  options: AskOptions,
): Promise<RawAnswer> {
  try {
    const context = inlineContext(entry, tools, options);
    return { ok: true, overrides: await handler.dynamicSchemaOverrides?.(context) ?? null };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

function inlineContext(
  entry: ToolEntry,
  tools: readonly string[],
  options: AskOptions,
): OverrideContext {
  const granted = options.planner.plan(entry).plan.grants.env;
  return Object.freeze({
    signal: AbortSignal.timeout(DEADLINE_MS),
    config: Object.freeze({ ...configOf(entry, options) }),
    tools: new Set(tools),
    env: (name: string): string | undefined => {
      if (granted.includes(name)) return options.environment(name);
      throw new ToolError(
        `Cannot read environment variable "${name}": add it to permissions.env of the tool`,
      );
    },
  });
}

function configOf({ name }: ToolEntry, { config }: AskOptions): JsonObject {
  return config.tools?.[name] ?? {};
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `dynamicSchemaOverrides failed: ${text.slice(0, 2_048)}`;
}
