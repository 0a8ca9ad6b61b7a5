/**
 * Requests that a server answers with a question first, as it does in the modern era.
 * @module
 */
import type { Progress } from "@modelcontextprotocol/client";
import type { ElicitResult } from "../../core/context.ts";
import { SYSTEM_CLOCK } from "../../registry/availability/clock.ts";
import { pause } from "./pause.ts";

const MAX_ROUNDS = 10;
const STATE_ONLY_PAUSE_MS = 250;

/** How one request is made. */
export interface LinkRequest {
  /** Calls it off: the server is told. */
  readonly signal: AbortSignal;
  /** Hears progress. */
  readonly onProgress?: (progress: Progress) => void;
  /** Answers a question to the person. Never rejects. */
  readonly elicit: (params: unknown) => Promise<ElicitResult>;
}

/** A server asks for what this client does not offer. */
export class UnansweredError extends Error {
  /** The class's name. */
  override readonly name = "UnansweredError";
  /** Tells it from what is lost. */
  readonly code = "UNANSWERED";
}

interface InputRequired {
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
}

/**
 * Makes a request, and makes it again with the answers as long as the server asks for some.
 *
 * @param request How it is made.
 * @param send Sends it with what the server asked for.
 * @returns The result.
 * @throws {UnansweredError} If the server asks for what is not offered, or without end.
 */
export async function withInput<R>(
  request: LinkRequest,
  send: (answers: Record<string, unknown>) => Promise<R>,
): Promise<R> {
  let answers: Record<string, unknown> = {};
  for (let round = 0; round <= MAX_ROUNDS; round++) {
    const result = await send(answers);
    if (!isInputRequired(result)) return result;
    answers = await answersTo(result, request);
  }
  throw new UnansweredError(`It still asked for more after ${MAX_ROUNDS} rounds`);
}

function isInputRequired(result: unknown): result is InputRequired {
  return (result as { resultType?: unknown }).resultType === "input_required";
}

async function answersTo(
  { inputRequests = {}, requestState }: InputRequired,
  request: LinkRequest,
): Promise<Record<string, unknown>> {
  const asked = Object.entries(inputRequests);
  if (asked.length === 0) await pause(SYSTEM_CLOCK, STATE_ONLY_PAUSE_MS, request.signal);
  const inputResponses = Object.fromEntries(
    await Promise.all(asked.map(async ([key, each]) => [key, await answerTo(each, request)])),
  );
  return {
    ...(asked.length > 0 ? { inputResponses } : {}),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

function answerTo(asked: unknown, { elicit }: LinkRequest): Promise<ElicitResult> {
  const { method, params } = (asked ?? {}) as { method?: unknown; params?: unknown };
  if (method === "elicitation/create") return elicit(params);
  throw new UnansweredError(`It asked for "${String(method)}", which this client does not offer`);
}
