/**
 * Sessions as an embedding program sees them.
 * @module
 */
import type { InputSurface } from "../core/input.ts";
import type { JsonObject } from "../core/json.ts";
import type { ToolResult } from "../core/result.ts";
import type { ApprovalConfig, ApprovalSurface } from "./approval/approval_types.ts";
import type { Definitions, Dialect, DispatchOptions, Selection } from "./runtime_types.ts";

/** What a session is made with: a selection, and what holds for its calls. */
export interface SessionOptions extends Selection {
  /** The session's id, for hooks, approvals and logs. @default {a random UUID} */
  readonly id?: string;
  /**
   * Approval rules of its own, as in the configuration, without `timeoutMs`; where the two differ, the stricter one
   * counts.
   */
  readonly approvals?: Omit<ApprovalConfig, "timeoutMs">;
  /** Asks the person at this session whether a call may run. @default {the runtime's `onApproval`} */
  readonly onApproval?: ApprovalSurface;
  /** Answers what handlers ask for at this session. @default {the runtime's `input`} */
  readonly input?: InputSurface;
  /**
   * Length of the model's context in tokens: one result gets 15 % of it, a turn 30 %.
   * @default {100,000 characters for a result, 200,000 for a turn}
   */
  readonly contextTokens?: number;
}

/**
 * The two calls of a runtime, bound to a selection. What the configuration does not offer, no session does. What
 * the session does not select is not among its definitions, and a call of it ends with `not_enabled`. Dispose of
 * it (`using`) to forget what was approved for it; after that it refuses every call.
 */
export interface Session extends Disposable {
  /** The session's id. */
  readonly id: string;
  /** What it was made to select. */
  readonly selection: Selection;
  /**
   * The definitions of the session's tools, for a model.
   *
   * @param selection Narrows the session's own selection.
   * @param options The dialect.
   * @returns The definitions, and what was left out.
   */
  getDefinitions<D extends Dialect = "openai">(
    selection?: Selection,
    options?: { readonly dialect?: D },
  ): Promise<Definitions<D>>;
  /**
   * Calls one of the session's tools. Rejects only for misuse by the embedding program.
   *
   * @param name The tool's name in the registry.
   * @param args The arguments, as an object or as JSON text.
   * @param options Deadline, cancel, id.
   * @returns The result, for failures too.
   */
  dispatch(
    name: string,
    args: JsonObject | string,
    options?: Omit<DispatchOptions, "session">,
  ): Promise<ToolResult>;
  /**
   * Puts the longest results of one turn into files until all of them together fit the model.
   *
   * @param results The results of the turn's calls, in their order.
   * @returns The results in the same order; those that stayed are the same objects.
   */
  fitTurn(results: readonly ToolResult[]): Promise<readonly ToolResult[]>;
}
