/**
 * The context that a handler gets, made inside the worker.
 * @module
 */
import type { ElicitResult, Root, SampleResult, ToolContext, ToolLog } from "../core/context.ts";
import { ToolError } from "../core/errors.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import type { Asker } from "./asker.ts";
import type { CallContext, LogLevel, WorkerMessage } from "./protocol.ts";

const PROGRESS_INTERVAL_MS = 25;

// Loaded when a handler first resolves a path: imported, it would make every worker start 5 to 20 ms later
// (measured on Deno 2.9.6).
let pathModule: typeof import("node:path") | undefined;
function paths(): typeof import("node:path") {
  return pathModule ??= process.getBuiltinModule("node:path");
}

/** Sends a message to the front. */
export type Send = (message: WorkerMessage) => void;

function resolveInside(call: CallContext, path: string): string {
  const { workspace, alsoResolves } = call;
  if (typeof path !== "string" || path.includes("\0")) {
    throw new ToolError(`Cannot resolve path ${JSON.stringify(path)}: it is no path`);
  }
  const absolute = paths().resolve(workspace, path);
  if (isBelow(absolute, workspace)) return withoutLinksOut(absolute, workspace, path);
  if (alsoResolves !== undefined && isBelow(absolute, alsoResolves)) return absolute;
  throw new ToolError(
    `Cannot resolve path "${path}": it leaves the workspace "${workspace}". Give a path inside it`,
  );
}

function isBelow(path: string, folder: string): boolean {
  const rest = paths().relative(folder, path);
  return rest !== ".." && !rest.startsWith("../") && !rest.startsWith("..\\") &&
    !paths().isAbsolute(rest);
}

// A grant for a folder also opens what the links in it lead to (measured on Deno 2.9.6). What does not exist
// yet is judged by the folder that would hold it; what the tool may not read, by Deno when it is used.
function withoutLinksOut(absolute: string, workspace: string, path: string): string {
  for (let at = absolute; at.length > workspace.length; at = paths().dirname(at)) {
    const real = realPathOf(at);
    if (real === undefined && !isLink(at)) continue;
    if (real === "unknown" || (real !== undefined && isBelow(real, workspace))) break;
    throw new ToolError(
      `Cannot resolve path "${path}": a link on the way leads out of the workspace "${workspace}". ` +
        "Give a path that stays inside",
    );
  }
  return absolute;
}

function realPathOf(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? undefined : "unknown";
  }
}

// A link to what does not exist counts as leading out: writing to it would make its target, wherever that is.
function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}

/**
 * Makes the log of a call.
 *
 * @param send Sends a message to the front.
 * @param id The call's number; absent outside a call.
 * @returns The log.
 */
export function createLog(send: Send, id?: number): ToolLog {
  const write = (level: LogLevel) => (message: string, data?: JsonObject): void => {
    try {
      send({ type: "log", id, level, message: String(message).slice(0, 16_384), data });
    } catch {
      send({ type: "log", id, level, message: "A log record could not be written as JSON" });
    }
  };
  return Object.freeze({
    debug: write("debug"),
    info: write("info"),
    warn: write("warning"),
    error: write("error"),
  });
}

/**
 * Makes a reader of granted environment variables.
 *
 * @param granted Names of the variables.
 * @returns The reader.
 */
export function createEnv(granted: readonly string[]): (name: string) => string | undefined {
  return (name) => {
    if (!granted.includes(name)) {
      throw new ToolError(
        `Cannot read environment variable "${name}": add it to permissions.env of the tool`,
      );
    }
    return Deno.env.get(name);
  };
}

function deepFreeze<T extends JsonValue>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member as JsonValue);
  }
  return value;
}

/**
 * Makes the context of a call.
 *
 * @param id The call's number.
 * @param call What the front says of the call.
 * @param signal The call's abort signal.
 * @param send Sends a message to the front.
 * @param asker Asks the caller.
 * @returns The context, frozen.
 */
export function createContext(
  id: number,
  call: CallContext,
  signal: AbortSignal,
  send: Send,
  asker: Asker,
): ToolContext {
  let last = -Infinity;
  return Object.freeze({
    callId: call.callId,
    signal,
    config: deepFreeze(call.config),
    log: createLog(send, id),
    data: call.data,
    workspace: call.workspace,
    ...(call.commandPrefix ? { commandPrefix: Object.freeze([...call.commandPrefix]) } : {}),
    resolve: (path: string) => resolveInside(call, path),
    env: createEnv(call.env),
    progress: (value: number, total?: number, message?: string): void => {
      const now = performance.now();
      if (now - last < PROGRESS_INTERVAL_MS && value !== total) return;
      last = now;
      send({ type: "progress", id, value, total, message });
    },
    elicit: async (request: unknown) =>
      await asker.ask("elicitation/create", request) as unknown as ElicitResult,
    sample: async (request: unknown) =>
      await asker.ask("sampling/createMessage", request) as unknown as SampleResult,
    listRoots: async (request: unknown = {}) =>
      await asker.ask("roots/list", request) as unknown as readonly Root[],
  });
}
