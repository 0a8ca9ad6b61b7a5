/**
 * Runs the handler of a call: in this process what was linked into it, everything else in a worker.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import type { ToolResult } from "../core/result.ts";
import type { ExecutionFailure, ExecutionOutcome } from "../workers/execution.ts";
import type {
  AskMessage,
  AskReply,
  CallContext,
  ChunkMessage,
  ProgressMessage,
} from "../workers/protocol.ts";
import { type DispatchedCall, refusedResult } from "./dispatched_call.ts";
import type { DispatcherOptions } from "./dispatcher_options.ts";
import { runInline } from "./inline_executor.ts";
import type { InputDesk } from "./input/input_desk.ts";
import type { CallProgress } from "./runtime_types.ts";
import { sessionState } from "./session.ts";
import { isSpillReader } from "./spill_reader.ts";

/** How long the processes of a container may take to end once it was killed. */
const ENDING_MS = 200;

/** What an executor works with. */
export interface CallExecutorOptions extends
  Pick<
    DispatcherOptions,
    | "planner"
    | "pool"
    | "config"
    | "workspace"
    | "spill"
    | "input"
    | "dataFolder"
    | "prepareFolders"
    | "recover"
    | "onProgress"
    | "onLog"
  > {
  /** A handler gave a piece of its result. */
  readonly onChunk: (
    call: DispatchedCall,
    entry: ToolEntry,
    message: ChunkMessage,
  ) => Promise<void>;
}

/** What a call asked for so far. */
interface Asking {
  desk?: InputDesk;
  isOver?: boolean;
}

// Nothing of the handler has run: its module could not be loaded, or its cell not be started.
function isUnloaded(
  outcome: ExecutionOutcome | ToolResult,
): outcome is ExecutionFailure & { readonly ok: false } {
  return !outcome.ok && "message" in outcome && outcome.end === "never_started" &&
    (outcome.code === "tool_crashed" || outcome.code === "internal");
}

/** Runs handlers. */
export class CallExecutor {
  readonly #options: CallExecutorOptions;

  /**
   * Makes an executor.
   *
   * @param options What it works with.
   */
  constructor(options: CallExecutorOptions) {
    this.#options = options;
  }

  /**
   * Runs a call's handler.
   *
   * @param call The call.
   * @param entry The tool.
   * @param args The arguments, checked.
   * @returns How it ended, or the result of a call that may not run.
   */
  async run(
    call: DispatchedCall,
    entry: ToolEntry,
    args: JsonValue,
  ): Promise<ExecutionOutcome | ToolResult> {
    const asking: Asking = {};
    try {
      return await (entry.handler.kind === "inline"
        ? this.#runInline(call, entry, args, asking)
        : this.#runModule(call, entry, args as JsonObject, asking));
    } finally {
      asking.desk?.[Symbol.dispose]();
      asking.isOver = true;
    }
  }

  async #runInline(
    call: DispatchedCall,
    entry: ToolEntry,
    args: JsonValue,
    asking: Asking,
  ): Promise<ExecutionOutcome> {
    if (entry.handler.kind !== "inline") throw new TypeError("The handler is not inline");
    return await runInline({
      tool: entry.name,
      handler: entry.handler,
      args,
      context: this.#context(call, entry, entry.permissions.env || []),
      timeoutMs: this.#timeout(call, entry),
      signal: call.options.signal,
      onMessage: (message) => {
        if (message.type === "progress") this.#progress(call, message);
        if (message.type === "log") this.#options.onLog(entry.name, call.callId, message);
      },
      onChunk: (message) => this.#options.onChunk(call, entry, message),
      onAsk: (message) => this.#ask(call, entry, asking, message),
    });
  }

  async #runModule(
    call: DispatchedCall,
    entry: ToolEntry,
    args: JsonObject,
    asking: Asking,
  ): Promise<ExecutionOutcome | ToolResult> {
    const startedAt = performance.now();
    const timeoutMs = this.#timeout(call, entry);
    const first = await this.#runOnce(call, entry, args, asking, timeoutMs);
    if (!isUnloaded(first)) return first;
    const found = await this.#options.recover(entry, call.snapshot, first.message);
    if (found === undefined) return first;
    if ("changed" in found) return refusedResult(call, "integrity_changed", found.changed);
    if ("fault" in found) return { ...first, message: `${first.message}. ${found.fault}` };
    call.snapshot = found;
    const leftMs = timeoutMs - (performance.now() - startedAt);
    const now = found.get(entry.name);
    return now === undefined || leftMs <= 0
      ? first
      : await this.#runOnce(call, now, args, asking, leftMs);
  }

  async #runOnce(
    call: DispatchedCall,
    entry: ToolEntry,
    args: JsonObject,
    asking: Asking,
    timeoutMs: number,
  ): Promise<ExecutionOutcome | ToolResult> {
    const { handler } = entry;
    if (handler.kind !== "module") throw new TypeError("The handler is not in a module");
    this.#options.prepareFolders(entry);
    const placed = this.#options.planner.place(call.snapshot, entry, args);
    if (!placed.ok) return refusedResult(call, "permission_denied", placed.message);
    const { annotations } = entry;
    const outcome = await this.#options.pool.run({
      tool: handler.export,
      module: this.#options.planner.module(entry),
      grants: placed.grants,
      placement: placed.placement,
      args,
      context: this.#context(call, entry, placed.grants.env),
      timeoutMs,
      signal: call.options.signal,
      repeatable: annotations.readOnlyHint === true || annotations.idempotentHint === true,
      onProgress: (message) => this.#progress(call, message),
      onLog: (message) => this.#options.onLog(entry.name, call.callId, message),
      onChunk: (message) => this.#options.onChunk(call, entry, message),
      onAsk: (message) => this.#ask(call, entry, asking, message),
    });
    const told = await this.#settle(call, outcome);
    return told.length === 0 ? outcome : this.#tell(call, entry, outcome, told);
  }

  async #settle(call: DispatchedCall, outcome: ExecutionOutcome): Promise<readonly string[]> {
    const { settle } = call.launch ?? {};
    if (!settle) return [];
    // A call that was ended by force leaves processes that the kernel is about to end: they may still write.
    if (!outcome.ok) await new Promise((resolve) => setTimeout(resolve, ENDING_MS));
    return await settle();
  }

  // What a command left where it must not is for the model and the operator alike.
  #tell(
    call: DispatchedCall,
    entry: ToolEntry,
    outcome: ExecutionOutcome,
    told: readonly string[],
  ): ExecutionOutcome {
    for (const message of told) {
      this.#options.onLog(entry.name, call.callId, { type: "log", level: "warning", message });
    }
    const text = told.map((line) => `[${line}]`).join("\n");
    if (!outcome.ok) return { ...outcome, message: `${outcome.message}\n${text}` };
    const { value } = outcome;
    if ("text" in value) {
      return { ...outcome, value: { ...value, text: `${value.text}\n${text}` } };
    }
    if (value.kind !== "blocks") return outcome;
    const blocks = [...value.blocks, { type: "text" as const, text }];
    return { ...outcome, value: { ...value, blocks } };
  }

  // Loaded with the first question: most calls ask none.
  async #ask(
    call: DispatchedCall,
    entry: ToolEntry,
    asking: Asking,
    message: AskMessage,
  ): Promise<AskReply> {
    const { InputDesk } = await import("./input/input_desk.ts");
    if (asking.isOver) return { ok: false, message: "The call is over" };
    const { callId, options: { input, session } } = call;
    const surface = input ?? (session && sessionState(session).options.input) ??
      this.#options.input;
    asking.desk ??= new InputDesk({ callId, tool: entry.name, ...(surface && { surface }) });
    return await asking.desk.answer(message);
  }

  #context(call: DispatchedCall, entry: ToolEntry, env: readonly string[]): CallContext {
    const { workspace, dataFolder, config, spill } = this.#options;
    return {
      callId: call.callId,
      workspace,
      ...(isSpillReader(entry) ? { alsoResolves: spill.of(call.options.session?.id).dir } : {}),
      ...(call.launch?.prefix ? { commandPrefix: call.launch.prefix } : {}),
      data: dataFolder(entry.name),
      env,
      config: config.tools?.[entry.name] ?? {},
    };
  }

  #timeout(call: DispatchedCall, entry: ToolEntry): number {
    return call.options.timeoutMs ?? this.#options.planner.plan(entry).timeoutMs;
  }

  #progress(call: DispatchedCall, message: ProgressMessage): void {
    const { value, total, message: text } = message;
    const progress: CallProgress = { callId: call.callId, value, total, message: text };
    this.#options.onProgress(progress);
    try {
      call.options.onProgress?.(progress);
    } catch (error) {
      // Thrown on, it would end the whole program from inside a socket's event.
      const text = `A progress listener failed: ${error}`;
      this.#options.onLog(call.name, call.callId, { type: "log", level: "error", message: text });
    }
  }
}
