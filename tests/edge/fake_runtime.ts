/**
 * A runtime made by hand: the HTTP face is tested without discovery and cells.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { DiscoveryReport, DispatchOptions, Runtime } from "../../runtime/runtime_types.ts";

/** One call that reached the runtime. */
export interface SeenCall {
  readonly name: string;
  readonly args: JsonObject | string;
  readonly options: DispatchOptions;
}

/** What the fake does. */
export interface FakeOptions {
  /** Answers a call. @default {echoes the arguments} */
  readonly answer?: (call: SeenCall) => Promise<ToolResult> | ToolResult;
  /** The last discovery. @default {an empty one} */
  readonly lastDiscovery?: DiscoveryReport | null;
  /** Where tools run. @default {"cell"} */
  readonly isolation?: Runtime["isolation"];
}

export function fakeEntry(changes: Partial<ToolEntry> = {}): ToolEntry {
  return {
    name: "echo",
    toolset: "text",
    description: "Say it again.",
    emoji: "",
    schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    permissions: { read: ["$WORKSPACE"] },
    handler: { kind: "module", url: "file:///x.ts", integrity: "00", export: "echo", folder: "/" },
    owner: "user",
    override: false,
    isolation: "worker",
    requiresEnv: [],
    requires: {},
    isAsync: false,
    annotations: {},
    hasCheckFn: false,
    hasDynamicSchema: false,
    source: { kind: "file", path: "/tools/echo.ts", line: 3, column: 1 },
    ...changes,
  };
}

export function success(name: string, content: string): ToolResult {
  return {
    ok: true,
    name,
    callId: "c1",
    generation: 7,
    content,
    end: "completed",
    timing: { queuedMs: 0, runMs: 1 },
    isolation: "worker",
  };
}

export function failure(name: string, code: ErrorCode): ToolResult {
  const error = { code, message: "it failed", retryable: false };
  return { ...success(name, "it failed"), ok: false, error, end: "completed" };
}

const EMPTY: DiscoveryReport = { modules: [], cache: { hits: 0, misses: 0 }, durationMs: 1 };

export function fakeRuntime(
  options: FakeOptions = {},
  entries: readonly ToolEntry[] = [fakeEntry()],
): { readonly runtime: Runtime; readonly calls: SeenCall[] } {
  const calls: SeenCall[] = [];
  const answer = options.answer ?? (({ name, args }) => success(name, JSON.stringify(args)));
  const snapshot = {
    generation: 7,
    size: entries.length,
    entries: () => entries,
  };
  const lastDiscovery = options.lastDiscovery === null ? undefined : options.lastDiscovery ?? EMPTY;
  const runtime = {
    registry: { snapshot: () => snapshot },
    workspace: "/workspace",
    limits: ["Programs are not in a process namespace"],
    lastDiscovery,
    isolation: options.isolation ?? "cell",
    getDefinitions: () =>
      Promise.resolve({
        names: new Map(entries.map(({ name }) => [name, name])),
        omitted: [],
      }),
    explain: (name: string) =>
      Promise.resolve(
        name === "absent"
          ? { available: false, reason: "rg is missing", isolation: "process" }
          : { available: true, isolation: "worker" },
      ),
    async dispatch(name: string, args: JsonObject | string, dispatchOptions: DispatchOptions) {
      const read = typeof args === "string" ? JSON.parse(args) as JsonObject : args;
      const call = { name, args: read, options: dispatchOptions };
      calls.push(call);
      return await answer(call);
    },
  };
  return { runtime: runtime as unknown as Runtime, calls };
}
