/**
 * Hooks: code of the embedding program that sees every call.
 * @module
 */
import type { JsonObject } from "../core/json.ts";
import type { CallError } from "../core/result.ts";

/** A call as hooks see it. */
export interface HookedCall {
  /** The tool's name in the registry. */
  readonly name: string;
  /** The group that the tool belongs to. */
  readonly toolset: string;
  /** The arguments, frozen. */
  readonly args: JsonObject;
  /** The call's id. */
  readonly callId: string;
  /** The session that makes the call, where there is one. */
  readonly sessionId?: string;
  /** The task that the call is part of, where the program named one. */
  readonly taskId?: string;
  /** The generation of the table that the call is pinned to. */
  readonly generation: number;
}

/** What `beforeCall` may answer. */
export type BeforeCallAnswer =
  | {
    /** The call does not run. */
    readonly action: "block";
    /** Why, for the model; not empty. */
    readonly message: string;
  }
  | {
    /** A person is asked first. */
    readonly action: "ask";
    /** Why, for that person. */
    readonly message?: string;
  };

/** How a call ended, as hooks see it. */
export interface HookOutcome {
  /** `blocked` when a hook, the configuration or a person stopped it before it ran. */
  readonly status: "ok" | "error" | "blocked";
  /** What goes to the model, before it is cut to size. */
  readonly content: string;
  /** The error, when there is one. */
  readonly error?: CallError;
  /** How long the handler ran, in whole milliseconds. */
  readonly durationMs: number;
}

/**
 * Code of the embedding program that sees every call. Hooks run in the program's own isolate: they are trusted.
 *
 * @example Keep a log, and a tool out of office hours
 * ```ts
 * import { createRuntime, type ToolHooks } from "@cloister/cloister";
 *
 * const hooks: ToolHooks = {
 *   beforeCall: ({ name }) =>
 *     name === "terminal" && new Date().getHours() < 8
 *       ? { action: "block", message: "The terminal is closed before eight" }
 *       : undefined,
 *   afterCall: ({ name, callId }, { status, durationMs }) =>
 *     console.log(name, callId, status, durationMs),
 *   transformResult: (_call, { content }) => content.replaceAll("secret", "[removed]"),
 * };
 * const makeRuntime = () => createRuntime({ hooks });
 * ```
 */
export interface ToolHooks {
  /**
   * Sees a call before it runs, once its arguments were checked. May block it, or have a person asked. A hook that
   * throws, or takes over ten seconds, blocks.
   *
   * @param call The call.
   * @returns Nothing to let it run.
   */
  beforeCall?(
    call: HookedCall,
  ): BeforeCallAnswer | undefined | void | Promise<BeforeCallAnswer | undefined | void>;
  /**
   * Sees how a call ended, also one that was blocked. What it throws is logged and changes nothing.
   *
   * @param call The call.
   * @param outcome How it ended.
   */
  afterCall?(call: HookedCall, outcome: HookOutcome): void | Promise<void>;
  /**
   * May replace what goes to the model. The first text that a hook gives counts; parts and structured value of the
   * result are dropped with the text that they belonged to. A hook that throws is logged and changes nothing.
   *
   * @param call The call.
   * @param outcome How it ended.
   * @returns The new text, or nothing to leave it.
   */
  transformResult?(
    call: HookedCall,
    outcome: HookOutcome,
  ): string | undefined | void | Promise<string | undefined | void>;
}
