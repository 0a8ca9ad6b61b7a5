/**
 * Runs handlers that the product or the embedding program links statically, in this process. Their code is
 * trusted: it can be asked to stop, not made to.
 * @module
 */
import { CallFailure } from "../core/call_failure.ts";
import type { InlineHandler } from "../core/entry.ts";
import { CANCEL_GRACE_MS } from "../core/limits.ts";
import type { JsonValue } from "../core/json.ts";
import { Asker } from "../workers/asker.ts";
import { Deadline, type EndReason, within } from "../workers/deadline.ts";
import { encodeError, encodeResult } from "../workers/encode_result.ts";
import type { ExecutionOutcome } from "../workers/execution.ts";
import type {
  AskMessage,
  AskReply,
  CallContext,
  ChunkMessage,
  WireValue,
  WorkerMessage,
} from "../workers/protocol.ts";
import { isStream, StreamSender } from "../workers/stream_result.ts";
import { createContext } from "../workers/tool_context.ts";

/** One call of an inline handler. */
export interface InlineCall {
  /** The tool's name. */
  readonly tool: string;
  /** The handler. */
  readonly handler: InlineHandler;
  /** The arguments, checked. */
  readonly args: JsonValue;
  /** The handler's context. */
  readonly context: CallContext;
  /** Deadline in milliseconds. */
  readonly timeoutMs: number;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Receives progress and log records. */
  readonly onMessage: (message: WorkerMessage) => void;
  /** Receives the pieces of a result that is a stream; settles when the next one may come. Never rejects. */
  readonly onChunk?: (message: ChunkMessage) => Promise<void>;
  /** Answers what the handler asks for; the deadline waits meanwhile. Never rejects. */
  readonly onAsk?: (message: AskMessage) => Promise<AskReply>;
}

/**
 * Runs a call.
 *
 * @param call The call.
 * @returns The outcome. Never rejects.
 */
export async function runInline(call: InlineCall): Promise<ExecutionOutcome> {
  const startedAt = performance.now();
  using deadline = new Deadline(call.timeoutMs, call.signal);
  if (deadline.reason) return endOf(call.tool, deadline.reason, "never_started", startedAt);
  const controller = new AbortController();
  const running = runHandler(call, controller.signal, startedAt, deadline);
  const first = await Promise.race([running, deadline.passed]);
  if (typeof first !== "string") return first;
  controller.abort(new DOMException(`The call was ended: ${first}`, "AbortError"));
  const late = await within(running, CANCEL_GRACE_MS);
  return endOf(call.tool, first, late ? "finished_late" : "unsettled", startedAt);
}

async function runHandler(
  call: InlineCall,
  signal: AbortSignal,
  startedAt: number,
  deadline: Deadline,
): Promise<ExecutionOutcome> {
  const timing = (): ExecutionOutcome["timing"] => ({
    queuedMs: 0,
    runMs: performance.now() - startedAt,
  });
  try {
    const asker: Asker = new Asker(0, (message) => {
      if (message.type === "ask") void answer(call, deadline, asker, message);
    });
    const context = createContext(0, call.context, signal, call.onMessage, asker);
    const returned: unknown = await call.handler.call(call.args as never, context);
    if (isStream(returned)) {
      const chars = await sendStream(call, signal, returned);
      return { ok: true, value: { kind: "stream", chars }, end: "completed", timing: timing() };
    }
    const encoded = encodeResult(returned);
    const value: WireValue = encoded.kind === "raw"
      ? { kind: "json", value: JSON.parse(encoded.json) }
      : encoded;
    return { ok: true, value, end: "completed", timing: timing() };
  } catch (error) {
    if (error instanceof CallFailure) return { ok: false, ...failureOf(error), timing: timing() };
    return { ok: false, ...encodeError(error), end: "completed", timing: timing() };
  }
}

function failureOf({ code, message, retryable, details, end }: CallFailure) {
  return { code, message, retryable, ...(details === undefined ? {} : { details }), end };
}

async function answer(
  { onAsk }: InlineCall,
  deadline: Deadline,
  asker: Asker,
  message: AskMessage,
): Promise<void> {
  const nobody: AskReply = { ok: false, message: "Cannot ask: nobody answers here" };
  asker.answer(message.ask, onAsk ? await deadline.waitFor(onAsk(message)) : nobody);
}

function sendStream(
  { onChunk = () => Promise.resolve() }: InlineCall,
  signal: AbortSignal,
  stream: AsyncIterable<unknown>,
): Promise<number> {
  const sender = new StreamSender(0, signal, (message) => {
    void onChunk(message).then(() => sender.more());
  });
  return sender.send(stream);
}

const HOW = {
  never_started: "it had not started",
  finished_late: "it ended shortly after, and its result was dropped",
  unsettled: "it runs in this process and may still be running",
} as const;

function endOf(
  tool: string,
  reason: EndReason,
  end: keyof typeof HOW,
  startedAt: number,
): ExecutionOutcome {
  const what = reason === "timeout" ? "did not end before its deadline" : "was cancelled";
  return {
    ok: false,
    code: reason,
    message: `Tool "${tool}" ${what}: ${HOW[end]}`,
    retryable: reason === "timeout",
    end,
    timing: { queuedMs: 0, runMs: performance.now() - startedAt },
  };
}
