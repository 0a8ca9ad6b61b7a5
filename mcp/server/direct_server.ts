/**
 * The SDK's server, without its checks of what was checked already.
 * @module
 */
import {
  type Implementation,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "../../core/json.ts";

/** The parameters of a call. */
export interface CallParams {
  /** The tool. */
  readonly name: string;
  /** Its arguments. */
  readonly args: JsonObject;
}

/** Answers a call. */
export type CallAnswer = (params: CallParams, context: ServerContext) => Promise<Result>;

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * A server whose `tools/call` is not parsed by the schemas of the SDK twice on its way in and once on its way out.
 * The runtime checks arguments and results itself, and the schemas cost as much as the rest of a short call (measured
 * on Deno 2.9.6).
 */
export class DirectServer extends Server {
  readonly #answer: CallAnswer;

  /**
   * Makes a server.
   *
   * @param identity Its name and version.
   * @param options What it offers.
   * @param answer Answers calls.
   */
  constructor(identity: Implementation, options: ServerOptions, answer: CallAnswer) {
    super(identity, options);
    this.#answer = answer;
    this.setRequestHandler("tools/call", () => {
      throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
    });
  }

  /**
   * Puts the direct way in place of the SDK's for calls; every other method keeps its own.
   *
   * @param method The method.
   * @param handler The handler that was set for it.
   * @returns What answers requests.
   */
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    return method === "tools/call"
      ? async (request, context) => await this.#answer(readCallParams(request.params), context)
      : super._wrapHandler(method, handler);
  }
}

function readCallParams(params: JSONRPCRequest["params"]): CallParams {
  const { name, arguments: args = {} } = (params ?? {}) as {
    readonly name?: unknown;
    readonly arguments?: unknown;
  };
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  if (typeof name === "string" && isObject) return { name, args: args as JsonObject };
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'Invalid tools/call request: expected "name", a text, and "arguments", an object',
  );
}
