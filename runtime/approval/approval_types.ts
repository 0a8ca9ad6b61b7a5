/**
 * What asking for approval is made of.
 * @module
 */
import type { JsonObject } from "../../core/json.ts";

/** What the configuration says about a tool. */
export type ApprovalMode = "allow" | "ask" | "deny";

/** The configuration's section `approval`. */
export interface ApprovalConfig {
  /** For tools that nothing else speaks of. @default {"allow"} */
  readonly default?: ApprovalMode;
  /** By tool; goes before everything else. */
  readonly tools?: { readonly [name: string]: ApprovalMode };
  /** By toolset; goes before annotations. */
  readonly toolsets?: { readonly [name: string]: ApprovalMode };
  /** By what the tool says of itself; the strictest one counts. */
  readonly annotations?: {
    /** Tools that say that they change nothing. */
    readonly readOnlyHint?: ApprovalMode;
    /** Tools that may destroy something: all that do not say otherwise. */
    readonly destructiveHint?: ApprovalMode;
    /** Tools that reach out: all that do not say otherwise. */
    readonly openWorldHint?: ApprovalMode;
  };
  /** Shell commands that nothing holds: neither a container, nor the list of harmless ones. @default {"ask"} */
  readonly dangerousCommands?: ApprovalMode;
  /** Whether the terminal's commands run in a container, where one holds. @default {true} */
  readonly containCommands?: boolean;
  /** After how many milliseconds without an answer the answer is no. @default {300_000} */
  readonly timeoutMs?: number;
}

/** What a person is asked. */
export interface ApprovalRequest {
  /** Hash of what would be approved: the tool's declaration and code, its grants, and the arguments. */
  readonly binding: string;
  /** The call's id. */
  readonly callId: string;
  /** The session that makes the call, where there is one. */
  readonly sessionId?: string;
  /** The task that the call is part of, where the program named one. */
  readonly taskId?: string;
  /** The tool's name. */
  readonly name: string;
  /** The group that the tool belongs to. */
  readonly toolset: string;
  /** The arguments, frozen. */
  readonly args: JsonObject;
  /** What the tool may touch, in the style of `--allow-…`. */
  readonly grants: readonly string[];
  /** The generation of the table that the call is pinned to. */
  readonly generation: number;
  /** Why somebody is asked, a sentence each. */
  readonly reasons: readonly string[];
  /**
   * The commands that `session` and `always` would hold for, each as its words, in whatever call they come; left out,
   * they hold for the same arguments.
   */
  readonly commands?: readonly (readonly string[])[];
  /** Aborts when the answer no longer matters. */
  readonly signal: AbortSignal;
}

/**
 * What a person answers: this call; the same commands, or the same arguments, for as long as the session lasts; the same
 * always, which is kept in a file of the user's own; or no.
 */
export type ApprovalAnswer = "once" | "session" | "always" | "deny";

/** Asks a person. */
export type ApprovalSurface = (
  request: ApprovalRequest,
) => ApprovalAnswer | Promise<ApprovalAnswer>;
