/**
 * What a running call may ask for: a person, the caller's model, the caller's places.
 * @module
 */
import type { ElicitRequest, ElicitResult, Root, SampleRequest, SampleResult } from "./context.ts";

/** The kinds of requests, named as the methods of the Model Context Protocol. */
export type InputMethod = "elicitation/create" | "sampling/createMessage" | "roots/list";

/** What every request of a running call comes with. */
export interface InputOrigin {
  /** The request's name within its call; unique there. */
  readonly key: string;
  /** The call's id. */
  readonly callId: string;
  /** The tool that asks. */
  readonly tool: string;
  /** Aborts when the answer no longer matters. */
  readonly signal: AbortSignal;
}

/**
 * Answers what running calls ask for. What it lacks is refused at once, and the handler hears it as a `ToolError`.
 * Requests that a handler makes in one turn come in the same turn.
 */
export interface InputSurface {
  /** Asks the person. */
  elicit?(request: ElicitRequest, origin: InputOrigin): Promise<ElicitResult>;
  /** Asks the caller's model. */
  sample?(request: SampleRequest, origin: InputOrigin): Promise<SampleResult>;
  /** Says where the caller works. */
  listRoots?(origin: InputOrigin): Promise<readonly Root[]>;
}
