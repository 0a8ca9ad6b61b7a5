/**
 * `tools/call`, for clients of both eras.
 * @module
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type LoggingLevel,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { InputMethod } from "../../core/input.ts";
import type { ToolResult } from "../../core/result.ts";
import { bindCall } from "../../runtime/approval/binding.ts";
import { READ_RESULT } from "../../runtime/results/read_result_name.ts";
import type { DispatchOptions } from "../../runtime/runtime_types.ts";
import { describeUnknown } from "../../runtime/suggest.ts";
import { approvalAnswer, approvalQuestion } from "./approval_question.ts";
import { toCallToolResult } from "./call_result.ts";
import { canAsk, capabilitiesFor } from "./client_abilities.ts";
import { type CallIo, type CallRound, LiveCall } from "./live_call.ts";
import type { LogRouter } from "./log_router.ts";
import type { ParkedCalls, ParkedState } from "./parked_calls.ts";
import type { PrincipalSessions } from "./principal_sessions.ts";
import { type Ask, createSurface, type Question } from "./question.ts";
import type { ResultLinks } from "./result_links.ts";
import { RoundReports } from "./round_reports.ts";
import type { CallParams } from "./direct_server.ts";
import type { FoundTool, ToolCatalogue } from "./tool_catalogue.ts";

/** Who makes a call, and over what. */
export interface CallOrigin {
  /** Whether the client speaks revision 2026-07-28 or later. */
  readonly isModern: boolean;
  /** Who makes the call. */
  readonly principal: string;
  /** The least level of log records that the client asked its session for. */
  readonly logLevel: LoggingLevel | undefined;
  /** The server that the request came to. */
  readonly server: Server;
}

/** What calls go through. */
export interface CallHandlerOptions {
  /** The tools. */
  readonly catalogue: ToolCatalogue;
  /** The sessions that make the calls. */
  readonly sessions: PrincipalSessions;
  /** The links to long results. */
  readonly links: ResultLinks;
  /** Brings log records to their calls. */
  readonly logs: LogRouter;
  /** The calls that wait for answers. */
  readonly parked: ParkedCalls;
  /** Seals what clients carry. */
  readonly states: RequestStateCodec<ParkedState>;
  /** Most calls at once. */
  readonly maxConcurrentCalls: number;
}

/** A person may take ten minutes; the runtime's own bound ends a call before that. */
const ANSWER_MS = 610_000;

/** Makes calls for clients. */
export class CallHandler {
  readonly #options: CallHandlerOptions;
  #active = 0;

  /**
   * Makes a handler.
   *
   * @param options What calls go through.
   */
  constructor(options: CallHandlerOptions) {
    this.#options = options;
  }

  /** How many requests wait for their call. */
  get active(): number {
    return this.#active;
  }

  /** Whether no further call may begin now. */
  get isFull(): boolean {
    return this.#active >= this.#options.maxConcurrentCalls;
  }

  /**
   * Answers a request.
   *
   * @param params The tool and its arguments.
   * @param context The request.
   * @param origin Who makes it.
   * @returns The result, or the questions that the client is to answer.
   * @throws {ProtocolError} If there is no such tool, or what the client carries is not what it was given.
   */
  async call(
    params: CallParams,
    context: ServerContext,
    origin: CallOrigin,
  ): Promise<CallToolResult | InputRequiredResult> {
    if (this.isFull) return overloaded();
    this.#active++;
    using reports = new RoundReports(context, origin.logLevel);
    try {
      return origin.isModern
        ? await this.#callModern(params, context, origin, reports)
        : await this.#callLegacy(params, context, origin, reports);
    } finally {
      this.#active--;
    }
  }

  async #callLegacy(
    params: CallParams,
    context: ServerContext,
    origin: CallOrigin,
    reports: RoundReports,
  ): Promise<CallToolResult> {
    const tool = await this.#find(params.name);
    const capabilities = origin.server.getClientCapabilities();
    const ask: Ask = async ({ method, params, read }, signal) => {
      const request = params === undefined ? { method } : { method, params };
      const options = { signal, timeout: ANSWER_MS };
      return await read(await context.mcpReq.send(request as never, options));
    };
    const result = await this.#dispatch(tool, params, origin, {
      signal: context.mcpReq.signal,
      input: createSurface(ask, (method) => canAsk(capabilities, method)),
      ...(canAsk(capabilities, "elicitation/create")
        ? {
          onApproval: async (request) =>
            approvalAnswer(await ask(approvalQuestion(request), request.signal) as never),
        }
        : {}),
      reports: () => reports,
    });
    return this.#write(result, tool, origin);
  }

  async #callModern(
    params: CallParams,
    context: ServerContext,
    origin: CallOrigin,
    reports: RoundReports,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { signal, inputResponses } = context.mcpReq;
    const round: CallRound = {
      capabilities: capabilitiesOf(context),
      answers: inputResponses ?? {},
      signal,
      reports,
    };
    const state = context.mcpReq.requestState<unknown>();
    const binding = () => bindingOf(params, origin);
    const tool = state === undefined
      ? await this.#find(params.name)
      : await this.#options.catalogue.find(params.name) ?? { name: params.name };
    const call = state === undefined
      ? new LiveCall(binding, round, (io) => this.#dispatch(tool, params, origin, io))
      : await this.#resume(await this.#unseal(state, context), binding, round);
    const end = await call.next();
    if (end.kind === "ask") return await this.#park(call, end.questions, round, context);
    if (call.refused.size > 0 && end.result.error?.code === "tool_error") {
      throw missing(call.refused);
    }
    return this.#write(end.result, tool, origin);
  }

  async #unseal(sealed: unknown, context: ServerContext): Promise<ParkedState> {
    try {
      return await this.#options.states.verify(String(sealed), context);
    } catch {
      throw invalidState();
    }
  }

  async #resume(state: ParkedState, binding: () => string, round: CallRound): Promise<LiveCall> {
    const call = this.#options.parked.take(state, binding);
    if (call === undefined) throw invalidState();
    await call.resume(round);
    return call;
  }

  async #park(
    call: LiveCall,
    questions: readonly Question[],
    { capabilities }: CallRound,
    context: ServerContext,
  ): Promise<InputRequiredResult> {
    const undeclared = questions.map(({ method }) => method)
      .filter((method) => !canAsk(capabilities, method));
    if (undeclared.length > 0) {
      call.cancel("The client can no longer be asked");
      throw missing(undeclared);
    }
    const requestState = await this.#options.states.mint(this.#options.parked.park(call), context);
    const inputRequests = Object.fromEntries(
      questions.map(({ key, method, params }) => [
        key,
        params === undefined ? { method } : { method, params },
      ]),
    );
    return { resultType: "input_required", inputRequests, requestState } as InputRequiredResult;
  }

  async #find(name: string): Promise<FoundTool> {
    const tool = await this.#options.catalogue.find(name);
    if (tool !== undefined) return tool;
    const { tools } = await this.#options.catalogue.page();
    throw unknownTool(describeUnknown(name.slice(0, 200), tools.map((known) => known.name)));
  }

  async #dispatch(
    tool: FoundTool,
    { args }: CallParams,
    { principal }: CallOrigin,
    { reports, ...io }: CallIo,
  ): Promise<ToolResult> {
    const callId = crypto.randomUUID();
    using _logs = this.#options.logs.follow(callId, (record) => reports()?.log(record));
    const options: DispatchOptions = {
      ...io,
      callId,
      onProgress: (progress) => reports()?.progress(progress),
    };
    return await this.#options.sessions.of(principal).dispatch(tool.name, args, options);
  }

  #write(result: ToolResult, tool: FoundTool, origin: CallOrigin): CallToolResult {
    const { links } = this.#options;
    const { code, message } = result.error ?? {};
    if (code === "unknown_tool" && tool.name === READ_RESULT) return noResultYet();
    if (code === "unknown_tool" || code === "not_enabled") throw unknownTool(message!);
    const outputSchema = tool.definition?.outputSchema;
    const written = toCallToolResult(result, {
      hasOutputSchema: outputSchema !== undefined,
      objectsOnly: !origin.isModern,
      ...(result.spilled ? { link: links.link(result.spilled, origin.principal) } : {}),
    });
    return origin.server.projectCallToolResult(written, outputSchema);
  }
}

/** Each request of the modern era says anew what its client can be asked. */
function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope = mcpReq.envelope as { readonly [key: string]: unknown } | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
}

function bindingOf({ name, args }: CallParams, { principal }: CallOrigin): string {
  return bindCall({
    name: JSON.stringify([principal, name]),
    args,
    grants: null,
    declaration: null,
  });
}

function missing(methods: Iterable<InputMethod>): MissingRequiredClientCapabilityError {
  const requiredCapabilities: ClientCapabilities = capabilitiesFor(methods);
  return new MissingRequiredClientCapabilityError({ requiredCapabilities });
}

// Why exactly is nothing that whoever forges one should learn.
function invalidState(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "Invalid or expired requestState: there is no call that waits for this request",
  );
}

function unknownTool(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function noResultYet(): CallToolResult {
  const text = "There is no result of this id: take the id from a shortened result";
  return { content: [{ type: "text", text }], isError: true };
}

function overloaded(): CallToolResult {
  const text = "Too many calls are under way. A retry may succeed";
  return { content: [{ type: "text", text }], isError: true };
}
