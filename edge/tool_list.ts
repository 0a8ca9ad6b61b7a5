/**
 * The list of tools, as `cloister list --json` and `GET /tools` give it.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Isolation, ToolEntry, ToolSource } from "../core/entry.ts";
import { toJsonLimit } from "../core/json_limit.ts";
import { DEFAULT_EMOJI, DEFAULT_RESULT_SIZE_CHARS, DEFAULT_TIMEOUT_MS } from "../core/limits.ts";
import type { Permissions } from "../core/permissions.ts";
import type { Runtime } from "../runtime/runtime_types.ts";

/** One tool of the list. */
export interface ListedTool {
  /** The name that models call. */
  readonly name: string;
  /** The group that it belongs to. */
  readonly toolset: string;
  /** What it does. */
  readonly description: string;
  /** A picture for lists. */
  readonly emoji: string;
  /** Whether it can be used now. */
  readonly available: boolean;
  /** Why not. */
  readonly reason?: string;
  /** Where it runs. */
  readonly isolation: Isolation;
  /** What it declares. */
  readonly permissions: Permissions;
  /** Where it comes from. */
  readonly source: Omit<ToolSource, "column">;
  /** Deadline of a call in milliseconds. */
  readonly timeoutMs: number;
  /** Longest result in characters. */
  readonly maxResultSizeChars: number | "unlimited";
}

/** The table's tools, and what could not be loaded. */
export interface ToolList {
  /** The generation of the table. */
  readonly generation: number;
  /** Sorted by name. */
  readonly tools: readonly ListedTool[];
  /** Errors of files that were meant to hold tools. */
  readonly failures: readonly Diagnostic[];
}

/**
 * Lists the tools of a runtime, with their availability.
 *
 * @param runtime The runtime.
 * @param options `all` adds the tools that the configuration does not enable.
 * @returns The list.
 */
export async function listTools(
  runtime: Runtime,
  options: { readonly all?: boolean } = {},
): Promise<ToolList> {
  const { names, omitted } = await runtime.getDefinitions();
  const enabled = new Set([...names.values(), ...omitted.map(({ name }) => name)]);
  const snapshot = runtime.registry.snapshot();
  const entries = snapshot.entries().filter(({ name }) => options.all || enabled.has(name))
    .toSorted((a, b) => a.name < b.name ? -1 : 1);
  return {
    generation: snapshot.generation,
    tools: await Promise.all(entries.map((entry) => describe(runtime, entry))),
    failures: failuresOf(runtime),
  };
}

/**
 * The errors of the last discovery.
 *
 * @param runtime The runtime.
 * @returns Diagnostics of severity `error`, in the order of the files.
 */
export function failuresOf(runtime: Runtime): readonly Diagnostic[] {
  const modules = runtime.lastDiscovery?.modules ?? [];
  return modules.flatMap((module) => module.diagnostics)
    .filter((diagnostic) => diagnostic.severity === "error");
}

async function describe(runtime: Runtime, entry: ToolEntry): Promise<ListedTool> {
  // The explanation knows the isolation that holds, which the operator may have raised.
  const { available = false, reason, isolation, timeoutMs } = await runtime.explain(entry.name, {
    dialects: false,
  });
  const { column: _, ...source } = entry.source;
  return {
    name: entry.name,
    toolset: entry.toolset,
    description: entry.description,
    emoji: entry.emoji || DEFAULT_EMOJI,
    available,
    ...(available || reason === undefined ? {} : { reason }),
    isolation: isolation ?? entry.isolation,
    permissions: entry.permissions,
    source,
    timeoutMs: timeoutMs ?? entry.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxResultSizeChars: toJsonLimit(entry.maxResultSizeChars ?? DEFAULT_RESULT_SIZE_CHARS),
  };
}
