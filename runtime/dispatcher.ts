/**
 * One call from its name and arguments to its result, on one pinned snapshot.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import type { CallError, CallTiming, ToolResult } from "../core/result.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { BoundSelection } from "../registry/toolsets/bound_selection.ts";
import type { ExecutionOutcome } from "../workers/execution.ts";
import type { ChunkMessage } from "../workers/protocol.ts";
import { describeIssues, prepareArguments } from "./arguments.ts";
import { assertDispatch } from "./assert_dispatch.ts";
import { errorOf, outcomeOf, toolErrorOf } from "./call_errors.ts";
import { CallExecutor } from "./call_executor.ts";
import type { GuardedCall } from "./call_guard.ts";
import { type DispatchedCall, failedResult, refusedResult } from "./dispatched_call.ts";
import type { DispatcherOptions } from "./dispatcher_options.ts";
import { findFolded } from "./find_folded.ts";
import { type NormalisedResult, normaliseResult } from "./results.ts";
import { checkOutput } from "./results/check_output.ts";
import { ResultShaper, type ShapedCall } from "./results/result_shaper.ts";
import { readerOf } from "./results/session_reader.ts";
import type { ShapedResult, UnshapedResult } from "./results/shape_result.ts";
import { endStream, normaliseStream } from "./results/stream_sink.ts";
import type { DispatchOptions } from "./runtime_types.ts";
import { sessionState } from "./session.ts";
import type { Session } from "./session_types.ts";
import { SpillLimitError } from "./spill_quota.ts";
import { describeUnknown } from "./suggest.ts";

/** Makes calls. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #shaper: ResultShaper;
  readonly #executor: CallExecutor;

  /**
   * Makes a dispatcher.
   *
   * @param options What it works with.
   */
  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#shaper = new ResultShaper(options);
    this.#executor = new CallExecutor({
      ...options,
      onChunk: (call, entry, message) => this.#take(call, entry, message),
    });
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
    assertDispatch(name, args, options);
    const call: DispatchedCall = {
      name,
      callId: options.callId ?? crypto.randomUUID(),
      options,
      startedAt: performance.now(),
      snapshot,
      isolation: "worker",
    };
    this.#options.onStart(call.callId, name);
    const result = await this.#run(call, args).catch((error: unknown) =>
      refusedResult(call, "internal", `Cannot call "${name}": ${(error as Error).message}`)
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

  async #run(call: DispatchedCall, args: JsonObject | string): Promise<ToolResult> {
    const { generation } = call.options;
    if (generation !== undefined && generation !== call.snapshot.generation) {
      const now = call.snapshot.generation;
      const message =
        `Cannot call "${call.name}" of generation ${generation}: the table is at ${now}`;
      return refusedResult(call, "integrity_changed", `${message}. Ask for the definitions again`);
    }
    const found = call.snapshot.get(call.name) ?? findFolded(call.snapshot, call.name);
    if (!found) return await this.#runReader(call, args) ?? this.#refuseUnknown(call);
    const refreshed = this.#options.refresh(found, call.snapshot);
    const settled = refreshed instanceof Promise ? await refreshed : refreshed;
    if ("changed" in settled) return refusedResult(call, "integrity_changed", settled.changed);
    call.snapshot = settled;
    const { name } = found;
    const entry = call.snapshot.get(name);
    if (!entry) return this.#refuseUnknown(call);
    call.isolation = this.#options.planner.plan(entry).isolation;
    const excluded = this.#selection(call).whyNot(call.snapshot, name);
    if (excluded !== undefined) {
      return refusedResult(call, "not_enabled", `Tool "${name}" is not enabled: ${excluded}`);
    }
    const { availability } = this.#options;
    const open = availability.findOut(entry);
    if (open) await open;
    const obstacle = availability.findObstacle(entry);
    if (obstacle !== undefined) {
      return refusedResult(call, "unavailable", `Tool "${name}" is not available: ${obstacle}`);
    }
    return await this.#runChecked(call, entry, args);
  }

  /** A session that cannot read files has a tool of its own for its spilled results. */
  async #runReader(
    call: DispatchedCall,
    args: JsonObject | string,
  ): Promise<ToolResult | undefined> {
    const { session } = call.options;
    const reader = session && readerOf(session);
    if (reader?.name !== call.name) return undefined;
    call.isolation = "inline";
    return await this.#runChecked(call, reader, args);
  }

  #selection({ options: { session } }: DispatchedCall): BoundSelection {
    return session ? sessionState(session).selection : this.#options.configured;
  }

  #refuseUnknown(call: DispatchedCall): ToolResult {
    // A name that may not be called is no help.
    const names = this.#selection(call).names(call.snapshot);
    return refusedResult(call, "unknown_tool", describeUnknown(call.name, names));
  }

  async #runChecked(
    call: DispatchedCall,
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
      return refusedResult(call, "invalid_arguments", message, details);
    }
    if (prepared.repaired) {
      this.#note(call, "The text of the arguments was no JSON and was repaired");
    }
    call.args = prepared.args;
    const given = entry.handler.kind === "inline" ? prepared.value : prepared.args;
    if (!isWatched) return await this.#execute(call, entry, given);
    const { callId, snapshot, options } = call;
    const guarded: GuardedCall = { entry, args: prepared.args, callId, snapshot, options };
    const verdict = await guard.before(guarded);
    const { refusal } = verdict;
    if (!refusal) {
      call.launch = verdict.launch;
      const command = call.launch?.command;
      // The text that was looked at is the text that runs.
      const asked = command === undefined ? given : { ...given as JsonObject, command };
      return await this.#execute(call, entry, asked, guarded);
    }
    const refused = refusedResult(call, refusal.code, refusal.message, refusal.details);
    await guard.after(guarded, outcomeOf("blocked", refused));
    return refused;
  }

  async #execute(
    call: DispatchedCall,
    entry: ToolEntry,
    args: JsonValue,
    guarded?: GuardedCall,
  ): Promise<ToolResult> {
    call.isWatched = guarded !== undefined;
    const outcome = await this.#executor.run(call, entry, args);
    return "ok" in outcome && "content" in outcome
      ? await this.#showFailure(call, entry, outcome, guarded)
      : await this.#finish(call, entry, outcome as ExecutionOutcome, guarded);
  }

  async #showFailure(
    call: DispatchedCall,
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

  #note(call: DispatchedCall, message: string): void {
    this.#options.onLog(call.name, call.callId, { type: "log", level: "info", message });
  }

  async #finish(
    call: DispatchedCall,
    entry: ToolEntry,
    outcome: ExecutionOutcome,
    guarded?: GuardedCall,
  ): Promise<ToolResult> {
    const { end, timing } = outcome;
    const failed = (error: CallError) =>
      this.#showFailure(call, entry, failedResult(call, error, end, timing), guarded);
    call.isOver = true;
    const isStream = call.stream !== undefined || (outcome.ok && outcome.value.kind === "stream");
    const stream = isStream ? await endStream(call.stream, outcome) : undefined;
    if (!outcome.ok) {
      this.#options.onFailure(entry, outcome);
      const why = (path: string) => this.#options.planner.closedBecause(entry, path);
      return await failed(errorOf(entry, outcome, why));
    }
    const plain = stream === undefined ? normaliseResult(outcome.value) : normaliseStream(stream);
    const checking = plain.ok && entry.outputSchema && stream?.kind !== "spilled"
      ? checkOutput(entry, plain)
      : plain;
    const given = checking instanceof Promise ? await checking : checking;
    if (!given.ok) {
      return await failed({ code: "invalid_result", message: given.reason, retryable: false });
    }
    const normal = guarded ? await this.#transform(guarded, given, timing) : given;
    const shaping = stream?.kind === "spilled"
      ? this.#shaper.shapeSpilled(stream, this.#shaped(call, entry))
      : this.#shape(call, entry, normal);
    const shaped = shaping instanceof Promise ? await shaping.catch(refusalOf) : shaping;
    if (shaped instanceof SpillLimitError) {
      return await failed({ code: "invalid_result", message: shaped.message, retryable: false });
    }
    const { content, blocks, spilled } = shaped;
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
    call: DispatchedCall,
    entry: ToolEntry,
    result: UnshapedResult,
  ): ShapedResult | Promise<ShapedResult> {
    return this.#shaper.shape(result, this.#shaped(call, entry));
  }

  #shaped(call: DispatchedCall, entry: ToolEntry): ShapedCall {
    const { args, snapshot, options: { session } } = call;
    return { entry, args, session, snapshot, selection: this.#selection(call) };
  }

  #take(call: DispatchedCall, entry: ToolEntry, { index, text }: ChunkMessage): Promise<void> {
    // A handler that was left behind may go on.
    if (call.isOver) return Promise.resolve();
    call.stream ??= this.#shaper.openStream(this.#shaped(call, entry), call.isWatched === true);
    return call.stream.add(index, text);
  }
}

function refusalOf(error: unknown): SpillLimitError {
  if (error instanceof SpillLimitError) return error;
  throw error;
}
