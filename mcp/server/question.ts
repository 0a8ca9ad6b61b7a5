/**
 * What a running call asks its client, whichever way the question goes.
 * @module
 */
import type { ElicitRequest, SampleRequest } from "../../core/context.ts";
import type { InputMethod, InputSurface } from "../../core/input.ts";
import type { JsonObject } from "../../core/json.ts";
import { neutralise } from "../../core/neutralise.ts";
import {
  InvalidInput,
  readElicitResult,
  readRoots,
  readSampleResult,
} from "../../runtime/input/check_input.ts";

/** One question. */
export interface Question {
  /** Its name within the call. */
  readonly key: string;
  /** What kind it is. */
  readonly method: InputMethod;
  /** The question as the protocol writes it. */
  readonly params?: JsonObject;
  /** Whether only an answer to this very question counts, not one that came with the call. @default {false} */
  readonly mustBeAsked?: boolean;
  /** Checks an answer; throws when it is none. */
  readonly read: (answer: unknown) => unknown;
}

/** Asks a question and gives the checked answer. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<unknown>;

/**
 * A surface that has only what the client can be asked. What it lacks is looked up all the same, and noted.
 *
 * @param ask Asks the client.
 * @param isAllowed Whether the client may be asked this; also notes what was wanted and may not.
 * @returns The surface.
 */
export function createSurface(
  ask: Ask,
  isAllowed: (method: InputMethod) => boolean,
): InputSurface {
  return {
    get elicit(): InputSurface["elicit"] {
      if (!isAllowed("elicitation/create")) return undefined;
      return async (request, { key, signal }) =>
        await ask(elicitation(key, request), signal) as never;
    },
    get sample(): InputSurface["sample"] {
      if (!isAllowed("sampling/createMessage")) return undefined;
      return async (request, { key, signal }) => await ask(sampling(key, request), signal) as never;
    },
    get listRoots(): InputSurface["listRoots"] {
      if (!isAllowed("roots/list")) return undefined;
      return async ({ key, signal }) => await ask(roots(key), signal) as never;
    },
  };
}

/**
 * A question to the person.
 *
 * @param key Its name within the call.
 * @param request The question.
 * @returns The question as the protocol writes it.
 */
export function elicitation(key: string, request: ElicitRequest): Question {
  const { message, requestedSchema } = request;
  return {
    key,
    method: "elicitation/create",
    params: {
      mode: "form",
      message: neutralise(message),
      requestedSchema: shown(requestedSchema) as JsonObject,
    },
    read: (answer) => readElicitResult(answer, request),
  };
}

/** Keywords of a schema whose texts are only for the person's eye. */
const SHOWN: ReadonlySet<string> = new Set(["title", "description", "enumNames"]);

// The client shows the question to a person; what is no text for the eye, such as a value, stays what it is.
function shown(value: unknown, key?: string): unknown {
  if (typeof value === "string") {
    return key !== undefined && SHOWN.has(key) ? neutralise(value) : value;
  }
  if (Array.isArray(value)) return value.map((item) => shown(item, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shown(item, name)]));
}

function sampling(key: string, { key: _, ...request }: SampleRequest): Question {
  return {
    key,
    method: "sampling/createMessage",
    params: request as unknown as JsonObject,
    read: readSampleResult,
  };
}

function roots(key: string): Question {
  return {
    key,
    method: "roots/list",
    read: (answer) => {
      if (typeof answer !== "object" || answer === null) {
        throw new InvalidInput("the answer is no object");
      }
      return readRoots((answer as { readonly roots?: unknown }).roots);
    },
  };
}
