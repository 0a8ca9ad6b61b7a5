/**
 * Shapes the results of calls by what holds for tool, call and session.
 * @module
 */
import type { ToolEntry } from "../../core/entry.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { RegistrySnapshot } from "../../registry/snapshot.ts";
import type { BoundSelection } from "../../registry/toolsets/bound_selection.ts";
import type { Config } from "../config.ts";
import { sessionState } from "../session.ts";
import type { Session } from "../session_types.ts";
import { isSpillReader } from "../spill_reader.ts";
import { isUntrustedSpill, type SpillStore } from "../spill.ts";
import { budgetForContext, type ResultBudget } from "./context_budget.ts";
import { fitTurn } from "./fit_turn.ts";
import type { SpillReaders } from "./persisted_output.ts";
import { isReadResult, READ_RESULT } from "./read_result_name.ts";
import { resultLimitOf } from "./result_limit.ts";
import { allowReading } from "./session_results.ts";
import {
  type ShapedResult,
  type ShapeOptions,
  shapeResult,
  shapeSpilled,
  type SpilledText,
  type UnshapedResult,
} from "./shape_result.ts";
import { StreamSink } from "./stream_sink.ts";
import { isUntrusted } from "./untrusted.ts";

/** The call whose result it is. */
export interface ShapedCall {
  /** The tool. */
  readonly entry: ToolEntry;
  /** The arguments, where the tool was called. */
  readonly args?: JsonObject;
  /** The session. */
  readonly session?: Session;
  /** The table that the call is pinned to. */
  readonly snapshot: RegistrySnapshot;
  /** What is offered to whoever made the call. */
  readonly selection: BoundSelection;
}

/** What a shaper works with. */
export interface ResultShaperOptions {
  /** The operator's configuration. */
  readonly config: Config;
  /** Where long texts go. */
  readonly spill: SpillStore;
}

/** Shapes results. */
export class ResultShaper {
  readonly #options: ResultShaperOptions;

  /**
   * Makes a shaper.
   *
   * @param options What it works with.
   */
  constructor(options: ResultShaperOptions) {
    this.#options = options;
  }

  /**
   * Shapes one result.
   *
   * @param result The result.
   * @param call Whose it is.
   * @returns What goes to the model; at once when nothing goes to a file.
   */
  shape(result: UnshapedResult, call: ShapedCall): ShapedResult | Promise<ShapedResult> {
    const limit = this.#limit(call);
    const untrusted = this.#isUntrusted(call);
    if (!untrusted && result.content.length <= limit) return result;
    return shapeResult(result, { ...this.#shapeOptions(call), limit, untrusted });
  }

  /**
   * Makes what takes the pieces of a result that is a stream.
   *
   * @param call Whose it is.
   * @param whole Whether somebody must see the whole text before any of it goes to a file.
   * @returns The sink.
   */
  openStream(call: ShapedCall, whole: boolean): StreamSink {
    const untrusted = this.#isUntrusted(call);
    return new StreamSink({
      limit: whole ? Infinity : this.#limit(call),
      open: () => this.#options.spill.of(call.session?.id).open(call.entry.name, { untrusted }),
    });
  }

  /**
   * Shapes a stream that went to a file.
   *
   * @param spilled The stream's text.
   * @param call Whose it is.
   * @returns What goes to the model.
   */
  shapeSpilled(spilled: SpilledText, call: ShapedCall): ShapedResult {
    const limit = this.#limit(call);
    return shapeSpilled(spilled, {
      ...this.#shapeOptions(call),
      limit,
      untrusted: this.#isUntrusted(call),
    });
  }

  #limit({ entry, session }: ShapedCall): number {
    return resultLimitOf(entry, this.#options.config, session && budgetOf(session).resultChars);
  }

  #isUntrusted({ entry, args }: ShapedCall): boolean {
    return isUntrusted(entry, this.#options.config) || readsUntrusted(entry, args);
  }

  #shapeOptions(call: ShapedCall): Omit<ShapeOptions, "limit"> {
    const { entry, session } = call;
    const store = this.#options.spill.of(session?.id);
    const readers = readersOf(call);
    return {
      name: entry.name,
      store,
      readers,
      onSpill: (file) => {
        if (session && !readers.file) allowReading(session, store, file.id);
      },
    };
  }

  /**
   * Puts the longest results of a session's turn into files until all of them together fit.
   *
   * @param results The results, in the order of the calls.
   * @param call Where the calls were made.
   * @returns The results in the same order.
   */
  fitTurn(
    results: readonly ToolResult[],
    call: Pick<ShapedCall, "snapshot" | "selection"> & { readonly session: Session },
  ): Promise<readonly ToolResult[]> {
    const store = this.#options.spill.of(call.session.id);
    const readers = readersOf(call);
    return fitTurn(results, {
      store,
      turnChars: budgetOf(call.session).turnChars,
      readers,
      onSpill: (file) => {
        if (!readers.file) allowReading(call.session, store, file.id);
      },
    });
  }
}

function budgetOf(session: Session): ResultBudget {
  return budgetForContext(sessionState(session).options.contextTokens);
}

/** A spilled text does not become trusted by being read back. */
function readsUntrusted(entry: ToolEntry, args: JsonObject | undefined): boolean {
  const name = isSpillReader(entry) ? args?.path : isReadResult(entry) ? args?.id : undefined;
  return typeof name === "string" && isUntrustedSpill(name);
}

function readersOf(
  { session, snapshot, selection }: Pick<ShapedCall, "session" | "snapshot" | "selection">,
): SpillReaders {
  const reader = snapshot.get("read_file");
  const file = reader !== undefined && isSpillReader(reader) &&
    selection.whyNot(snapshot, reader.name) === undefined;
  return { file, result: session !== undefined && !file && !snapshot.has(READ_RESULT) };
}
