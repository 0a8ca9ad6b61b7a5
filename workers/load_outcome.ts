/**
 * What trying to load a module came to.
 * @module
 */
import type { ModulePlace, WireError } from "./protocol.ts";
import { LoadError } from "./tool_worker.ts";

/** What trying to load a module came to. */
export type LoadOutcome =
  | { readonly ok: true }
  | {
    readonly ok: false;
    /**
     * Whose doing it was: the `module` threw, exited or did not come to its end; the `cell` around it ended,
     * perhaps through another module; the `host` could not try.
     */
    readonly by: "module" | "cell" | "host";
    /** Why, for people. */
    readonly reason: string;
    /** What the module threw. */
    readonly error?: WireError;
    /** Where it threw. */
    readonly at?: ModulePlace;
  };

/**
 * What an error says about a load.
 *
 * @param error What a worker's loading was rejected with.
 * @returns The outcome.
 */
export function failedLoad(error: unknown): LoadOutcome {
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof LoadError)) return { ok: false, by: "host", reason };
  if (error.error) {
    return {
      ok: false,
      by: "module",
      reason: error.error.message,
      error: error.error,
      at: error.at,
    };
  }
  const { how, cell, message } = error.end ?? { how: "refused", message: reason };
  if (how === "exited") {
    return { ok: false, by: "module", reason: "It ended its worker while it was loaded" };
  }
  if (how === "crashed") return { ok: false, by: "module", reason: message };
  const isLost = how === "cell-ended" && cell !== "closed";
  return { ok: false, by: isLost ? "cell" : "host", reason: message };
}
