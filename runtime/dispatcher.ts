/**
 * One call from its name and arguments to its result, on one pinned snapshot.
 * @module
 */
import type { CallEnd, CallError, CallTiming, ToolResult } from "../core/result.ts";
import type { Isolation, ToolEntry } from "../core/entry.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { DEFAULT_TIMEOUT_MS } from "../core/limits.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { BoundSelection } from "../registry/toolsets/bound_selection.ts";
import type { ExecutionFailure, ExecutionOutcome } from "../workers/execution.ts";
import type {
  CallContext,
  ChunkMessage,
  LogMessage,
  ProgressMessage,
} from "../workers/protocol.ts";
import { describeIssues, prepareArguments } from "./arguments.ts";
import type { AvailabilityProber } from "./availability.ts";
import type { CallGuard, GuardedCall } from "./call_guard.ts";
import type { Config } from "./config.ts";
import { explainDenied } from "./denied.ts";
import { sanitiseErrorText } from "./error_text.ts";
import { findFolded } from "./find_folded.ts";
import type { HookOutcome } from "./hooks.ts";
import { runInline } from "./inline_executor.ts";
import type { CallPool } from "./lazy_pool.ts";
import { type InvalidResult, type NormalisedResult, normaliseResult } from "./results.ts";
import { ResultShaper, type ShapedCall } from "./results/result_shaper.ts";
import { readerOf } from "./results/session_reader.ts";
import type { ShapedResult, UnshapedResult } from "./results/shape_result.ts";
import type { StreamEnd, StreamSink } from "./results/stream_sink.ts";
import type { CallProgress, DispatchOptions } from "./runtime_types.ts";
import { sessionState } from "./session.ts";
import type { Session } from "./session_types.ts";
import { isSpillReader } from "./spill_reader.ts";
import type { SpillStore } from "./spill.ts";
import { suggestNames } from "./suggest.ts";
import type { ToolPlanner } from "./tool_planner.ts";

/** What a dispatcher works with. */
export interface DispatcherOptions {
  /** The newest table. */
  readonly snapshot: () => RegistrySnapshot;
  /** What each tool gets. */
  readonly planner: ToolPlanner;
  /** Runs calls in workers. */
  readonly pool: CallPool;
  /** Judges availability. */
  readonly availability: AvailabilityProber;
  /** What the configuration offers: what is not offered is not called. */
  readonly configured: BoundSelection;
  /** Hooks and approval. */
  readonly guard: CallGuard;
  /** Keeps results that are too long. */
  readonly spill: SpillStore;
  /** The operator's configuration. */
  readonly config: Config;
  /** The workspace. */
  readonly workspace: string;
  /** A tool's own data folder. */
  readonly dataFolder: (tool: string) => string;
  /**
   * Looks whether a tool's files are what was admitted, and scans them again when not.
   *
   * @returns The snapshot that now holds, or why the call may not run.
   */
  readonly refresh: (
    entry: ToolEntry,
    snapshot: RegistrySnapshot,
  ) => RegistrySnapshot | Promise<RegistrySnapshot | { readonly changed: string }>;
  /** A call began. */
  readonly onStart: (callId: string, name: string) => void;
  /** A handler reported progress. */
  readonly onProgress: (progress: CallProgress) => void;
  /** A handler wrote a log record. */
  readonly onLog: (name: string, callId: string, message: LogMessage) => void;
  /** A call ended. */
  readonly onEnd: (callId: string, result: ToolResult) => void;
}

interface Call {
  readonly name: string;
  readonly callId: string;
  readonly options: DispatchOptions;
  readonly startedAt: number;
  snapshot: RegistrySnapshot;
  /** Where its handler runs, once the tool is known. */
  isolation: Isolation;
  /** The arguments, once they are checked. */
  args?: JsonObject;
  /** Whether hooks see its result before anything of it goes to a file. */
  isWatched?: boolean;
  /** Takes its result, when that is a stream. */
  stream?: StreamSink;
}

const NEVER: CallEnd = "never_started";

/** Makes calls. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #shaper: ResultShaper;

  /**
   * Makes a dispatcher.
   *
   * @param options What it works with.
   */
  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#shaper = new ResultShaper(options);
  }

  /**
   * Calls a tool.
   *
   * @param name The tool's name in the registry.
   * @param args The arguments, as an object or as JSON text.
   * @param options Deadline, cancel, id.
   * @param snapshot The table that the call is pinned to. @default {the newest}
   * @returns The result, for failures too.
   * @throws {TypeError} If the name is no text, or the arguments are neither an object nor a text.
   * @throws {RangeError} If the deadline is no positive number.
   */
  async dispatch(
    name: string,
    args: JsonObject | string,
    options: DispatchOptions = {},
    snapshot: RegistrySnapshot = this.#options.snapshot(),
  ): Promise<ToolResult> {
    assertUse(name, args, options);
    const call: Call = {
      name,
      callId: options.callId ?? crypto.randomUUID(),
      options,
      startedAt: performance.now(),
      snapshot,
      isolation: "worker",
    };
    this.#options.onStart(call.callId, name);
    const result = await this.#run(call, args).catch((error: unknown) =>
      refuse(call, "internal", `Cannot call "${name}": ${(error as Error).message}`)
    );
    this.#options.onEnd(call.callId, result);
    return result;
  }

  /**
   * Forgets what was approved for a session.
   *
   * @param sessionId The session.
   */
  endSession(sessionId: string): void {
    this.#options.guard.endSession(sessionId);
  }

  /**
   * Puts the longest results of a session's turn into files until all of them together fit.
   *
   * @param results The results, in the order of the calls.
   * @param session The session.
   * @returns The results in the same order.
   */
  fitTurn(results: readonly ToolResult[], session: Session): Promise<readonly ToolResult[]> {
    const { selection } = sessionState(session);
    return this.#shaper.fitTurn(results, {
      session,
      selection,
      snapshot: this.#options.snapshot(),
    });
  }

  async #run(call: Call, args: JsonObject | string): Promise<ToolResult> {
    const { generation } = call.options;
    if (generation !== undefined && generation !== call.snapshot.generation) {
      const now = call.snapshot.generation;
      const message =
        `Cannot call "${call.name}" of generation ${generation}: the table is at ${now}`;
      return refuse(call, "integrity_changed", `${message}. Ask for the definitions again`);
    }
    const found = call.snapshot.get(call.name) ?? findFolded(call.snapshot, call.name);
    if (!found) return await this.#runReader(call, args) ?? this.#refuseUnknown(call);
    const refreshed = this.#options.refresh(found, call.snapshot);
    const settled = refreshed instanceof Promise ? await refreshed : refreshed;
    if ("changed" in settled) return refuse(call, "integrity_changed", settled.changed);
    call.snapshot = settled;
    const { name } = found;
    const entry = call.snapshot.get(name);
    if (!entry) return this.#refuseUnknown(call);
    call.isolation = this.#options.planner.plan(entry).isolation;
    const excluded = this.#selection(call).whyNot(call.snapshot, name);
    if (excluded !== undefined) {
      return refuse(call, "not_enabled", `Tool "${name}" is not enabled: ${excluded}`);
    }
    const obstacle = this.#options.availability.findObstacle(entry);
    if (obstacle !== undefined) {
      return refuse(call, "unavailable", `Tool "${name}" is not available: ${obstacle}`);
    }
    return await this.#runChecked(call, entry, args);
  }

  /** A session that cannot read files has a tool of its own for its spilled results. */
  async #runReader(call: Call, args: JsonObject | string): Promise<ToolResult | undefined> {
    const { session } = call.options;
    const reader = session && readerOf(session);
    if (reader?.name !== call.name) return undefined;
    call.isolation = "inline";
    return await this.#runChecked(call, reader, args);
  }

  #selection({ options: { session } }: Call): BoundSelection {
    return session ? sessionState(session).selection : this.#options.configured;
  }

  #refuseUnknown(call: Call): ToolResult {
    // A name that may not be called is no help.
    const names = this.#selection(call).names(call.snapshot);
    const near = suggestNames(call.name, names, 3);
    const hint = near.length > 0
      ? `. Did you mean ${near.map((name) => `"${name}"`).join(" or ")}?`
      : names.length > 0 && call.name.trim() !== ""
      ? `. Tools: ${names.slice(0, 50).join(", ")}`
      : "";
    return refuse(call, "unknown_tool", `Unknown tool: ${JSON.stringify(call.name)}${hint}`);
  }

  async #runChecked(
    call: Call,
    entry: ToolEntry,
    args: JsonObject | string,
  ): Promise<ToolResult> {
    const { guard } = this.#options;
    const isWatched = guard.watches(entry, call.options.session);
    // Whoever is asked takes time, and the caller still holds its object.
    const preparing = prepareArguments(entry, isWatched ? structuredClone(args) : args);
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    if (!prepared.ok) {
      const message = describeIssues(entry.name, entry.schema, prepared.issues);
      const details = { issues: prepared.issues.map((issue) => ({ ...issue })) };
      return refuse(call, "invalid_arguments", message, details);
    }
    if (prepared.repaired) {
      this.#note(call, "The text of the arguments was no JSON and was repaired");
    }
    call.args = prepared.args;
    const given = entry.handler.kind === "inline" ? prepared.value : prepared.args;
    if (!isWatched) return await this.#execute(call, entry, given);
    const { callId, snapshot, options } = call;
    const guarded: GuardedCall = { entry, args: prepared.args, callId, snapshot, options };
    const refusal = await guard.before(guarded);
    if (!refusal) return await this.#execute(call, entry, given, guarded);
    const refused = refuse(call, refusal.code, refusal.message, refusal.details);
    await guard.after(guarded, outcomeOf("blocked", refused));
    return refused;
  }

  async #execute(
    call: Call,
    entry: ToolEntry,
    args: JsonValue,
    guarded?: GuardedCall,
  ): Promise<ToolResult> {
    call.isWatched = guarded !== undefined;
    const outcome = entry.handler.kind === "inline"
      ? await this.#runInline(call, entry, args)
      : await this.#runModule(call, entry, args as JsonObject);
    return "ok" in outcome && "content" in outcome
      ? await this.#showFailure(call, entry, outcome, guarded)
      : await this.#finish(call, entry, outcome as ExecutionOutcome, guarded);
  }

  async #showFailure(
    call: Call,
    entry: ToolEntry,
    result: ToolResult,
    guarded: GuardedCall | undefined,
  ): Promise<ToolResult> {
    const shown = guarded &&
      await this.#options.guard.after(guarded, outcomeOf("error", result));
    return shown === undefined
      ? result
      : { ...result, ...await this.#shape(call, entry, { content: shown }) };
  }

  async #runInline(call: Call, entry: ToolEntry, args: JsonValue): Promise<ExecutionOutcome> {
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
      onChunk: (message) => this.#take(call, entry, message),
    });
  }

  async #runModule(
    call: Call,
    entry: ToolEntry,
    args: JsonObject,
  ): Promise<ExecutionOutcome | ToolResult> {
    const { handler } = entry;
    if (handler.kind !== "module") throw new TypeError("The handler is not in a module");
    const placed = this.#options.planner.place(call.snapshot, entry, args);
    if (!placed.ok) return refuse(call, "permission_denied", placed.message);
    const { annotations } = entry;
    return await this.#options.pool.run({
      tool: handler.export,
      module: handler,
      grants: placed.grants,
      placement: placed.placement,
      args,
      context: this.#context(call, entry, placed.grants.env),
      timeoutMs: this.#timeout(call, entry),
      signal: call.options.signal,
      repeatable: annotations.readOnlyHint === true || annotations.idempotentHint === true,
      onProgress: (message) => this.#progress(call, message),
      onLog: (message) => this.#options.onLog(entry.name, call.callId, message),
      onChunk: (message) => this.#take(call, entry, message),
    });
  }

  #note(call: Call, message: string): void {
    this.#options.onLog(call.name, call.callId, { type: "log", level: "info", message });
  }

  #context(call: Call, entry: ToolEntry, env: readonly string[]): CallContext {
    const { workspace, dataFolder, config, spill } = this.#options;
    return {
      callId: call.callId,
      workspace,
      ...(isSpillReader(entry) ? { alsoResolves: spill.dir } : {}),
      data: dataFolder(entry.name),
      env,
      config: config.tools?.[entry.name] ?? {},
    };
  }

  #timeout(call: Call, entry: ToolEntry): number {
    return call.options.timeoutMs ?? entry.timeoutMs ?? this.#options.config.limits?.timeoutMs ??
      DEFAULT_TIMEOUT_MS;
  }

  #progress(call: Call, message: ProgressMessage): void {
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

  async #finish(
    call: Call,
    entry: ToolEntry,
    outcome: ExecutionOutcome,
    guarded?: GuardedCall,
  ): Promise<ToolResult> {
    const { end, timing } = outcome;
    const failed = (error: CallError) =>
      this.#showFailure(call, entry, fail(call, error, end, timing), guarded);
    const isStream = call.stream !== undefined || (outcome.ok && outcome.value.kind === "stream");
    const stream = isStream ? await this.#endStream(call, outcome) : undefined;
    if (!outcome.ok) return await failed(errorOf(entry, outcome));
    const given = stream === undefined ? normaliseResult(outcome.value) : givenBy(stream);
    if (!given.ok) {
      return await failed({ code: "invalid_result", message: given.reason, retryable: false });
    }
    const normal = guarded ? await this.#transform(guarded, given, timing) : given;
    const shaping = stream?.kind === "spilled"
      ? this.#shaper.shapeSpilled(stream, this.#shaped(call, entry))
      : this.#shape(call, entry, normal);
    const { content, blocks, spilled } = shaping instanceof Promise ? await shaping : shaping;
    const { name, callId, isolation, snapshot: { generation } } = call;
    const { structured } = normal;
    const base = {
      name,
      callId,
      generation,
      content,
      ...(blocks && { blocks }),
      ...(structured !== undefined && { structured }),
      ...(spilled && { spilled }),
      end,
      timing,
      isolation,
    };
    const error = toolErrorOf(normal);
    return error === undefined ? { ok: true, ...base } : { ok: false, ...base, error };
  }

  // Before anything goes to a file: what a hook takes out must not be there either.
  async #transform(
    guarded: GuardedCall,
    normal: NormalisedResult,
    timing: CallTiming,
  ): Promise<NormalisedResult> {
    const { content } = normal;
    const error = toolErrorOf(normal);
    const status = error === undefined ? "ok" : "error";
    const shown = await this.#options.guard.after(
      guarded,
      outcomeOf(status, { content, error, timing }),
    );
    return shown === undefined ? normal : { ok: true, content: shown, error: normal.error };
  }

  #shape(
    call: Call,
    entry: ToolEntry,
    result: UnshapedResult,
  ): ShapedResult | Promise<ShapedResult> {
    return this.#shaper.shape(result, this.#shaped(call, entry));
  }

  #shaped(call: Call, entry: ToolEntry): ShapedCall {
    const { callId, args, snapshot, options: { session } } = call;
    return { entry, callId, args, session, snapshot, selection: this.#selection(call) };
  }

  #take(call: Call, entry: ToolEntry, { index, text }: ChunkMessage): Promise<void> {
    call.stream ??= this.#shaper.openStream(this.#shaped(call, entry), call.isWatched === true);
    return call.stream.add(index, text);
  }

  async #endStream({ stream }: Call, outcome: ExecutionOutcome): Promise<StreamEnd | undefined> {
    if (outcome.ok && outcome.value.kind === "stream") {
      const { chars } = outcome.value;
      if (stream) return await stream.finish(chars);
      return chars === 0 ? { kind: "text", text: "" } : { kind: "broken", reason: "it never came" };
    }
    await stream?.abort();
    return undefined;
  }
}

function givenBy(stream: StreamEnd): NormalisedResult | InvalidResult {
  if (stream.kind === "broken") return { ok: false, reason: stream.reason };
  const text = stream.kind === "text" ? stream.text : stream.preview;
  return { ok: true, content: text.toWellFormed() };
}

function toolErrorOf({ error }: NormalisedResult): CallError | undefined {
  if (error === undefined) return undefined;
  return { code: "tool_error", message: sanitiseErrorText(error), retryable: false };
}

function outcomeOf(
  status: HookOutcome["status"],
  { content, error, timing }: Pick<ToolResult, "content" | "error" | "timing">,
): HookOutcome {
  const durationMs = Math.max(0, Math.round(timing.runMs));
  return { status, content, ...(error && { error }), durationMs };
}

function errorOf(entry: ToolEntry, outcome: ExecutionFailure): CallError {
  const { code, retryable, details, denied } = outcome;
  if (code === "permission_denied" && denied) {
    const explained = explainDenied(entry, denied, outcome.message);
    return {
      code,
      message: sanitiseErrorText(explained.message),
      retryable,
      details: explained.details,
    };
  }
  const named = code === "tool_error" && outcome.errorName && outcome.errorName !== "ToolError"
    ? `Tool execution failed: ${outcome.errorName}: ${outcome.message}`
    : outcome.message;
  const message = sanitiseErrorText(named);
  return { code, message, retryable, ...(details === undefined ? {} : { details }) };
}

function fail(
  call: Call,
  error: CallError,
  end: CallEnd,
  timing: CallTiming,
): ToolResult {
  const { name, callId, isolation, snapshot: { generation } } = call;
  const retry = error.retryable ? ". A retry may succeed" : "";
  const content = JSON.stringify({ error: `${error.message}${retry}`, code: error.code });
  return { ok: false, name, callId, generation, content, error, end, timing, isolation };
}

function refuse(
  call: Call,
  code: ErrorCode,
  message: string,
  details?: JsonValue,
): ToolResult {
  const error: CallError = {
    code,
    message: sanitiseErrorText(message),
    retryable: false,
    ...(details === undefined ? {} : { details }),
  };
  const timing = { queuedMs: performance.now() - call.startedAt, runMs: 0 };
  return fail(call, error, NEVER, timing);
}

function assertUse(name: string, args: unknown, options: DispatchOptions): void {
  if (typeof name !== "string") {
    throw new TypeError(`Cannot dispatch: the name must be a text, got ${typeof name}`);
  }
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  if (!isObject && typeof args !== "string") {
    throw new TypeError(
      `Cannot dispatch "${name}": the arguments must be an object or JSON text, got ${
        args === null ? "null" : Array.isArray(args) ? "an array" : typeof args
      }`,
    );
  }
  const { timeoutMs } = options;
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw new RangeError(`Cannot dispatch "${name}": timeoutMs must be > 0, got ${timeoutMs}`);
  }
}
