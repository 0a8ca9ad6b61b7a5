/**
 * Runs one call on a worker, to an end that is always reached: signal first, then grace, then force.
 * @module
 */
import type { CallEnd, CallTiming } from "../core/result.ts";
import { type Deadline, type EndReason, within } from "./deadline.ts";
import type { ExecutionFailure, ExecutionOutcome, ExecutionRequest } from "./execution.ts";
import type { FailureMessage, ResultMessage } from "./protocol.ts";
import type { MemoryVerdict } from "./quarantine.ts";
import {
  type CallSettlement,
  LoadError,
  type StartedCall,
  type ToolWorker,
} from "./tool_worker.ts";
import type { WorkerEnd } from "./worker_link.ts";
import type { HeldWorker, WorkerShelf } from "./worker_shelf.ts";
import type { WorkerStopper } from "./worker_stopper.ts";

/** What a runner needs beside the shelf. */
export interface RunnerServices {
  /** Ends workers. */
  readonly stopper: WorkerStopper;
  /** What is known of a worker whose cell had no memory left: who filled it for certain, who is likely to have. */
  memoryVerdict(worker: ToolWorker): MemoryVerdict;
  /** Waits for somebody outside, who may call other tools meanwhile. */
  whileAsking<T>(work: () => Promise<T>): Promise<T>;
}

/** An outcome, and whether it came from what another call did to the cell. */
export interface Attempt {
  /** The outcome. */
  readonly outcome: ExecutionOutcome;
  /** True when the call was lost with its cell or worker, and is not known to have caused that. */
  readonly collateral: boolean;
}

type Failure = Omit<ExecutionFailure, "ok" | "timing">;

/** Runs calls on the workers of a shelf. */
export class CallRunner {
  readonly #shelf: WorkerShelf;
  readonly #services: RunnerServices;

  /**
   * Makes a runner.
   *
   * @param shelf The workers.
   * @param services What else it needs.
   */
  constructor(shelf: WorkerShelf, services: RunnerServices) {
    this.#shelf = shelf;
    this.#services = services;
  }

  /**
   * Runs a call once.
   *
   * @param request The call.
   * @param deadline Its deadline, which is already running.
   * @param startedAt When the call came in, by `performance.now()`.
   * @returns The attempt. Never rejects.
   */
  async run(request: ExecutionRequest, deadline: Deadline, startedAt: number): Promise<Attempt> {
    const held = this.#shelf.take(request, true);
    try {
      return await this.#runHeld(held, request, deadline, startedAt);
    } finally {
      this.#shelf.give(held, true);
    }
  }

  async #runHeld(
    held: HeldWorker,
    request: ExecutionRequest,
    deadline: Deadline,
    startedAt: number,
  ): Promise<Attempt> {
    const timing = (sentAt?: number, runMs?: number): CallTiming => ({
      queuedMs: (sentAt ?? performance.now()) - startedAt,
      runMs: runMs ?? (sentAt === undefined ? 0 : performance.now() - sentAt),
    });
    const fail = (failure: Failure, sentAt?: number, runMs?: number): ExecutionOutcome => ({
      ok: false,
      ...failure,
      timing: timing(sentAt, runMs),
    });
    const loaded = await this.#load(held, request, deadline);
    if ("failure" in loaded) {
      return { outcome: fail(loaded.failure), collateral: loaded.collateral };
    }
    const { worker } = loaded;
    const { args, context, tool, onLog, onProgress, onChunk, onAsk } = request;
    const sentAt = performance.now();
    const call = worker.start({ type: "call", tool, args, context }, {
      onLog,
      onProgress,
      onChunk,
      ...(onAsk && {
        onAsk: (message) => this.#services.whileAsking(() => deadline.waitFor(onAsk(message))),
      }),
    });
    const first = await Promise.race([call.settled, deadline.passed]);
    if (typeof first === "string") {
      const failure = await this.#stop(held, worker, call, request, first);
      return { outcome: fail(failure, sentAt), collateral: false };
    }
    if (first.kind === "end") {
      const { failure, collateral } = this.#explainEnd(first.end, worker, request);
      return { outcome: fail(failure, sentAt), collateral };
    }
    const message = first.message as ResultMessage | FailureMessage;
    if (message.type === "result") {
      const { value, runMs } = message;
      const outcome = { ok: true, value, end: "completed", timing: timing(sentAt, runMs) } as const;
      return { outcome, collateral: false };
    }
    const failure: Failure = { ...message.error, end: "completed" };
    return { outcome: fail(failure, sentAt, message.runMs), collateral: false };
  }

  async #load(
    held: HeldWorker,
    request: ExecutionRequest,
    deadline: Deadline,
  ): Promise<{ worker: ToolWorker } | { failure: Failure; collateral: boolean }> {
    const loading = held.worker.then(async (worker) => {
      if (!worker.isReady) await worker.ready;
      return worker;
    });
    loading.catch(() => {});
    try {
      const first = deadline.reason ?? await Promise.race([loading, deadline.passed]);
      if (typeof first !== "string") return { worker: first };
      const end = await this.#abandon(held, request);
      return {
        failure: endFailure(request.tool, first, end, "before it was ready"),
        collateral: false,
      };
    } catch (error) {
      const worker = await within(held.worker.catch(() => undefined), 1);
      return this.#explainLoad(error, worker, request);
    }
  }

  // A module that hangs at its top level is ended like a call that hangs, unless others wait for it too.
  async #abandon(held: HeldWorker, request: ExecutionRequest): Promise<CallEnd> {
    if (held.users > 1) return "never_started";
    const worker = await within(held.worker.catch(() => undefined), 1);
    if (!worker) return "never_started";
    return await this.#services.stopper.end(held, worker, request);
  }

  #explainLoad(
    error: unknown,
    worker: ToolWorker | undefined,
    request: ExecutionRequest,
  ): { failure: Failure; collateral: boolean } {
    if (error instanceof LoadError && error.end) {
      const explained = this.#explainEnd(error.end, worker, request);
      return { ...explained, failure: { ...explained.failure, end: "never_started" } };
    }
    const wire = error instanceof LoadError ? error.error : undefined;
    const failure: Failure = {
      code: wire?.denied ? "permission_denied" : wire ? "tool_crashed" : "internal",
      message: (error as Error).message,
      retryable: false,
      denied: wire?.denied,
      end: "never_started",
    };
    return { failure, collateral: false };
  }

  #explainEnd(
    end: WorkerEnd,
    worker: ToolWorker | undefined,
    request: ExecutionRequest,
  ): { failure: Failure; collateral: boolean } {
    const { tool, repeatable } = request;
    if (end.how === "exited") {
      const message = `Tool "${tool}" ended its worker before it answered. ` +
        "A handler returns or throws; it does not exit";
      const how = end.gone === false ? "unsettled" : "stopped";
      return {
        failure: { code: "tool_exited", message, retryable: false, end: how },
        collateral: false,
      };
    }
    if (end.cell === "memory") {
      const verdict = worker ? this.#services.memoryVerdict(worker) : "bystander";
      if (verdict !== "bystander") return outOfMemory(request, end, verdict === "proven");
    }
    const message = `Tool "${tool}" was lost while it ran: ${end.message}`;
    return {
      failure: { code: "tool_crashed", message, retryable: repeatable, end: "stopped" },
      collateral: end.how === "cell-ended" || end.how === "dropped",
    };
  }

  async #stop(
    held: HeldWorker,
    worker: ToolWorker,
    call: StartedCall,
    request: ExecutionRequest,
    reason: EndReason,
  ): Promise<Failure> {
    worker.cancel(call.id, reason);
    const { stopper } = this.#services;
    const late: CallSettlement | undefined = await stopper.grace(call.settled, worker, request);
    if (late?.kind === "answer") return endFailure(request.tool, reason, "finished_late");
    if (late?.end) return endFailure(request.tool, reason, "stopped");
    return endFailure(request.tool, reason, await stopper.end(held, worker, request));
  }
}

// Only who filled its memory alone is told to raise its limit: what others filled is no fault of its own.
function outOfMemory(
  { tool }: ExecutionRequest,
  end: WorkerEnd,
  isProven: boolean,
): { failure: Failure; collateral: boolean } {
  const what = isProven
    ? "Raise memoryMb in its registration, and limits.memoryMb of the configuration where that is " +
      "lower, or let it work in smaller pieces"
    : "Others ran in the same cell; from now on it runs in one of its own";
  return {
    failure: {
      code: "tool_out_of_memory",
      message: `Tool "${tool}" ran out of memory. ${end.message}. ${what}`,
      retryable: false,
      end: "stopped",
    },
    collateral: !isProven,
  };
}

function endFailure(tool: string, reason: EndReason, end: CallEnd, when = ""): Failure {
  const what = reason === "timeout" ? "did not end before its deadline" : "was cancelled";
  const how: Record<CallEnd, string> = {
    completed: "it ended",
    never_started: "it had not started",
    stopped: "it was stopped",
    finished_late: "it ended shortly after, and its result was dropped",
    unsettled: "it may still be running",
  };
  const message = `Tool "${tool}" ${what}${when && ` ${when}`}: ${how[end]}`;
  return { code: reason, message, retryable: reason === "timeout", end };
}
