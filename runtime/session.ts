/**
 * Sessions: the two calls of a runtime, bound to a selection.
 * @module
 */
import type { JsonObject } from "../core/json.ts";
import type { ToolResult } from "../core/result.ts";
import type { BoundSelection } from "../registry/toolsets/bound_selection.ts";
import { assertApprovals } from "./approval/assert_approvals.ts";
import type { Definitions, Dialect, DispatchOptions, Runtime, Selection } from "./runtime_types.ts";
import { readerOf } from "./results/session_reader.ts";
import type { Session, SessionOptions } from "./session_types.ts";
import { assertSelection, type ToolSelector } from "./tool_selector.ts";

/** What the runtime knows of one of its sessions. */
export interface SessionState {
  /** What it was made with. */
  readonly options: SessionOptions;
  /** What it offers, within what the configuration does. */
  readonly selection: BoundSelection;
  /** The runtime that made it. */
  readonly runtime: SessionRuntime;
}

/** The calls of a runtime that sessions go through. */
export interface SessionRuntime extends Pick<Runtime, "dispatch"> {
  /** Forgets what was approved for a session. */
  endSession(id: string): void;
  /** Puts the longest results of a session's turn into files. */
  fitTurn(results: readonly ToolResult[], session: Session): Promise<readonly ToolResult[]>;
  /** The definitions of a bound selection. */
  define<D extends Dialect>(selection: BoundSelection, dialect: D): Promise<Definitions<D>>;
}

/** Fields that a session may have beside those of a selection. */
const FIELDS: readonly string[] = ["id", "approvals", "onApproval", "input", "contextTokens"];
const states = new WeakMap<Session, SessionState>();
const ended = new WeakSet<Session>();

/**
 * Makes a session.
 *
 * @param options What it selects, and what holds for its calls.
 * @param selector What the configuration offers.
 * @param runtime Whose calls it makes.
 * @returns The session.
 * @throws {TypeError} If an option is none, or of the wrong type.
 */
export function openSession(
  options: SessionOptions,
  selector: ToolSelector,
  runtime: SessionRuntime,
): Session {
  assertSelection(options, FIELDS);
  const { id = crypto.randomUUID() } = options;
  assertOptions({ ...options, id });
  const wanted = selectionOf(options);
  const selection = selector.configured.narrowed("this session", wanted);
  const approvals = structuredClone(options.approvals);
  const held = { ...options, ...wanted, id, approvals };
  const state: SessionState = { options: held, selection, runtime };
  const session = new ToolSession(id, state);
  states.set(session, state);
  return session;
}

/**
 * What the runtime knows of a session, also of one that ended: its calls in flight go on.
 *
 * @param session The session.
 * @returns Its state.
 * @throws {TypeError} If it is no session.
 */
export function sessionState(session: Session): SessionState {
  const state = states.get(session);
  if (state) return state;
  throw new TypeError("Cannot use the session: it is not one that session() of a runtime made");
}

/**
 * Checks that a session may make calls.
 *
 * @param session The session.
 * @param runtime The runtime that is asked.
 * @throws {TypeError} If it is no session of that runtime, or was disposed of.
 */
export function assertSession(session: Session, runtime: SessionRuntime): void {
  if (sessionState(session).runtime !== runtime) {
    throw new TypeError("Cannot use the session: another runtime made it");
  }
  if (ended.has(session)) throw new TypeError("Cannot use the session: it was disposed of");
}

function assertOptions({ id, approvals, onApproval, input, contextTokens }: SessionOptions): void {
  const refuse = (what: string) => {
    throw new TypeError(`Cannot open a session: ${what}`);
  };
  if (typeof id !== "string" || id === "") refuse('"id" must be a text that is not empty');
  if (onApproval !== undefined && typeof onApproval !== "function") {
    refuse('"onApproval" must be a function');
  }
  if (input !== undefined && (typeof input !== "object" || input === null)) {
    refuse('"input" must be an object with the functions "elicit", "sample" or "listRoots"');
  }
  if (contextTokens !== undefined && !(contextTokens > 0)) {
    refuse(`"contextTokens" must be a number > 0, got ${contextTokens}`);
  }
  if (approvals !== undefined) assertApprovals(approvals);
}

class ToolSession implements Session {
  readonly id: string;
  readonly selection: Selection;
  readonly #state: SessionState;

  constructor(id: string, state: SessionState) {
    this.id = id;
    this.selection = selectionOf(state.options);
    this.#state = state;
    Object.freeze(this);
  }

  async getDefinitions<D extends Dialect = "openai">(
    selection: Selection = {},
    { dialect }: { readonly dialect?: D } = {},
  ): Promise<Definitions<D>> {
    assertSession(this, this.#state.runtime);
    assertSelection(selection);
    const narrowed = this.#state.selection.narrowed("the selection", selection);
    const wanted = dialect ?? "openai";
    const list = await this.#state.runtime.define(narrowed, wanted) as Definitions<D>;
    const reader = readerOf(this);
    if (reader === undefined) return list;
    const { withReadResult } = await import("./results/with_read_result.ts");
    return withReadResult(list, reader, wanted as D);
  }

  async fitTurn(results: readonly ToolResult[]): Promise<readonly ToolResult[]> {
    return await this.#state.runtime.fitTurn(results, this);
  }

  async dispatch(
    name: string,
    args: JsonObject | string,
    options: Omit<DispatchOptions, "session"> = {},
  ): Promise<ToolResult> {
    return await this.#state.runtime.dispatch(name, args, { ...options, session: this });
  }

  [Symbol.dispose](): void {
    if (ended.has(this)) return;
    ended.add(this);
    this.#state.runtime.endSession(this.id);
  }
}

// The program may change its lists later; what was selected stays.
function selectionOf({ toolsets, disabledToolsets, names }: SessionOptions): Selection {
  return Object.freeze({
    ...(toolsets && { toolsets: Object.freeze([...toolsets]) }),
    ...(disabledToolsets && { disabledToolsets: Object.freeze([...disabledToolsets]) }),
    ...(names && { names: Object.freeze([...names]) }),
  });
}
