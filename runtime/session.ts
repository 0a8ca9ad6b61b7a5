/**
 * Sessions: the two calls of a runtime, bound to a selection.
 * @module
 */
import type { JsonObject } from "../core/json.ts";
import type { ToolResult } from "../core/result.ts";
import type { BoundSelection } from "../registry/toolsets/bound_selection.ts";
import type { Definitions, Dialect, DispatchOptions, Runtime, Selection } from "./runtime_types.ts";
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
  /** The definitions of a bound selection. */
  define<D extends Dialect>(selection: BoundSelection, dialect: D): Promise<Definitions<D>>;
}

/** Fields that a session may have beside those of a selection. */
const FIELDS: readonly string[] = ["id"];
const states = new WeakMap<Session, SessionState>();

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
  if (typeof id !== "string" || id === "") {
    throw new TypeError(`Cannot open a session: "id" must be a text that is not empty`);
  }
  const wanted = selectionOf(options);
  const selection = selector.configured.narrowed("this session", wanted);
  const state: SessionState = { options: { ...options, ...wanted, id }, selection, runtime };
  const session = new ToolSession(id, state);
  states.set(session, state);
  return session;
}

/**
 * What the runtime knows of a session.
 *
 * @param session The session.
 * @param runtime The runtime that is asked for a call.
 * @returns Its state.
 * @throws {TypeError} If it is no session of that runtime, or was disposed of.
 */
export function sessionState(session: Session, runtime?: SessionRuntime): SessionState {
  const state = states.get(session);
  if (state && (runtime === undefined || state.runtime === runtime)) return state;
  throw new TypeError(
    "Cannot use the session: it was disposed of, or is not one that this runtime's session() made",
  );
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
    sessionState(this);
    assertSelection(selection);
    const narrowed = this.#state.selection.narrowed("the selection", selection);
    return await this.#state.runtime.define(narrowed, dialect ?? "openai") as Definitions<D>;
  }

  async dispatch(
    name: string,
    args: JsonObject | string,
    options: Omit<DispatchOptions, "session"> = {},
  ): Promise<ToolResult> {
    return await this.#state.runtime.dispatch(name, args, { ...options, session: this });
  }

  [Symbol.dispose](): void {
    states.delete(this);
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
