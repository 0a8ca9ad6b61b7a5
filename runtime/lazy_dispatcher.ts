/**
 * The dispatcher, loaded by the first call.
 * @module
 */
import type { JsonObject } from "../core/json.ts";
import type { ToolResult } from "../core/result.ts";
import type { RegistrySnapshot } from "../registry/snapshot.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { DispatchOptions } from "./runtime_types.ts";
import type { Session } from "./session_types.ts";

/** Options of {@linkcode LazyDispatcher}. */
export interface LazyDispatcherOptions {
  /** Loads the dispatcher's code and makes it. */
  readonly open: () => Promise<Dispatcher>;
  /** The newest table. */
  readonly snapshot: () => RegistrySnapshot;
}

/** Makes calls with a dispatcher that is made for the first of them. */
export class LazyDispatcher {
  readonly #options: LazyDispatcherOptions;
  #loading: Promise<Dispatcher> | undefined;
  #dispatcher: Dispatcher | undefined;

  /**
   * Remembers how to make the dispatcher.
   *
   * @param options How to make it.
   */
  constructor(options: LazyDispatcherOptions) {
    this.#options = options;
  }

  /**
   * Calls a tool of the table as it is now.
   *
   * @param name The tool's name in the registry.
   * @param args The arguments, as an object or as JSON text.
   * @param options Deadline, cancel, id.
   * @returns The result, for failures too.
   * @throws {TypeError} If the name is no text, or the arguments are neither an object nor a text.
   * @throws {RangeError} If the deadline is no positive number.
   */
  dispatch(
    name: string,
    args: JsonObject | string,
    options?: DispatchOptions,
  ): Promise<ToolResult> {
    return this.#dispatcher?.dispatch(name, args, options) ??
      this.#dispatchFirst(name, args, options);
  }

  /**
   * Forgets what was approved for a session.
   *
   * @param sessionId The session.
   */
  endSession(sessionId: string): void {
    this.#dispatcher?.endSession(sessionId);
  }

  /**
   * Puts the longest results of a session's turn into files until all of them together fit.
   *
   * @param results The results, in the order of the calls.
   * @param session The session.
   * @returns The results in the same order.
   */
  async fitTurn(
    results: readonly ToolResult[],
    session: Session,
  ): Promise<readonly ToolResult[]> {
    this.#loading ??= this.#options.open();
    this.#dispatcher ??= await this.#loading;
    return await this.#dispatcher.fitTurn(results, session);
  }

  async #dispatchFirst(
    name: string,
    args: JsonObject | string,
    options?: DispatchOptions,
  ): Promise<ToolResult> {
    // The table may change while the code is loaded.
    const snapshot = this.#options.snapshot();
    this.#loading ??= this.#options.open();
    this.#dispatcher ??= await this.#loading;
    return await this.#dispatcher.dispatch(name, args, options, snapshot);
  }
}
