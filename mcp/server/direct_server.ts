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
  type Transport,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "../../core/json.ts";
import { DirectWay, isPlainRequest } from "./direct_way.ts";

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

/** What a server of the SDK does with a request whose message was checked. */
interface RequestTaker {
  readonly _onrequest?: (request: JSONRPCRequest) => void;
}

/**
 * A server whose `tools/call` is not parsed by the schemas of the SDK twice on its way in and once on its way out.
 * The runtime checks arguments and results itself, and the schemas cost as much as the rest of a short call (measured
 * on Deno 2.9.6).
 */
export class DirectServer extends Server {
  readonly #answer: CallAnswer;
  readonly #wire: Transport | undefined;
  #way: DirectWay | undefined;
  #hasAnswered = false;

  /**
   * Makes a server.
   *
   * @param identity Its name and version.
   * @param options What it offers.
   * @param answer Answers calls.
   * @param wire Where the messages of its channel go in the end, when calls are to be taken past the channel.
   */
  constructor(
    identity: Implementation,
    options: ServerOptions,
    answer: CallAnswer,
    wire?: Transport,
  ) {
    super(identity, options);
    this.#answer = answer;
    this.#wire = wire;
    this.setRequestHandler("tools/call", () => {
      throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
    });
  }

  /**
   * Connects the server.
   *
   * @param channel The SDK's channel.
   * @returns Settles when it is connected.
   */
  override async connect(channel: Transport): Promise<void> {
    this.#way = this.#wire && new DirectWay(channel, this.#wire);
    await super.connect(this.#way ?? channel);
  }

  /**
   * Takes a call past the channel. The first call has to come over it: then the connection has settled on an era.
   *
   * @param request The call.
   * @returns False when it was not taken.
   */
  takeCall(request: JSONRPCRequest): boolean {
    const { _onrequest } = this as unknown as RequestTaker;
    if (!this.#hasAnswered || !this.#way || this.transport !== this.#way) return false;
    if (_onrequest === undefined || !isPlainRequest(request)) return false;
    this.#way.expect(request.id);
    try {
      _onrequest.call(this, request);
      return true;
    } catch {
      this.#way.forget(request.id);
      return false;
    }
  }

  /**
   * Puts the direct way in place of the SDK's for calls; every other method keeps its own.
   *
   * @param method The method.
   * @param handler The handler that was set for it.
   * @returns What answers requests.
   */
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    if (method !== "tools/call") return super._wrapHandler(method, handler);
    return async (request, context) => {
      this.#hasAnswered = true;
      return await this.#answer(readCallParams(request.params), context);
    };
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
