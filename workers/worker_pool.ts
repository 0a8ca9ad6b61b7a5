/**
 * Runs calls in workers: takes them in a fair, bounded queue, places them in cells, retries once what was lost
 * through no fault of its own.
 * @module
 */
import type { JsonValue } from "../core/json.ts";
import { NO_GRANTS } from "../core/permissions.ts";
import { type Attempt, CallRunner } from "./call_runner.ts";
import type { CellHost } from "./cell_host.ts";
import type { CellSettings } from "./cell_command.ts";
import { CellPool } from "./cell_pool.ts";
import { Deadline, within } from "./deadline.ts";
import type { ExecutionOutcome, ExecutionRequest, ModuleSpec, Placement } from "./execution.ts";
import { FairQueue, type OverloadedError, type Ticket } from "./fair_queue.ts";
import { failedLoad, type LoadOutcome } from "./load_outcome.ts";
import { LocalHome } from "./local_home.ts";
import { machineSize, WORKER_MB } from "./machine_size.ts";
import { neverStarted } from "./never_started.ts";
import { type OverrideAnswer, overridesOf, type ProbeEnd, verdictOf } from "./probe_answers.ts";
import type { CheckMessage, LogLevel, LogMessage, OverrideMessage } from "./protocol.ts";
import { Quarantine } from "./quarantine.ts";
import type { ToolWorker } from "./tool_worker.ts";
import type { CellEnd } from "./worker_link.ts";
import { type WorkerOrder, WorkerShelf } from "./worker_shelf.ts";
import { WorkerStopper } from "./worker_stopper.ts";

/** Limits of a {@linkcode WorkerPool}. */
export interface PoolLimits {
  /** Calls that may run at once. @default {256} */
  readonly concurrency: number;
  /** Calls of one tool that may run at once. @default {64} */
  readonly concurrencyPerTool: number;
  /** Calls that may wait. @default {1024} */
  readonly queue: number;
  /** Milliseconds without work after which a worker, and then its cell, is ended. @default {60_000} */
  readonly idleMs: number;
  /** Calls after which a worker is replaced. @default {10_000} */
  readonly callsPerWorker: number;
  /** Cell processes that there may be; calls that need another one wait. @default {by the machine's size} */
  readonly maxCells: number;
  /** Memory for warm workers over all cells, in megabytes. @default {by the machine's size} */
  readonly warmMb: number;
}

/** The limits that hold where nothing else is said, beside those that follow from the machine's size. */
export const DEFAULT_POOL_LIMITS: Omit<PoolLimits, "maxCells" | "warmMb"> = Object.freeze({
  concurrency: 256,
  concurrencyPerTool: 64,
  queue: 1024,
  idleMs: 60_000,
  callsPerWorker: 10_000,
});

/** Options of a {@linkcode WorkerPool}. */
export interface PoolOptions {
  /** What cells share; absent where no process may be started. */
  readonly cells?: CellSettings;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<PoolLimits>;
  /** Receives log records that belong to no open call, and what cells print. */
  readonly onLog?: (level: LogLevel, message: string, cell: string) => void;
}

/** What describing a module gave. */
export type Description =
  | { readonly ok: true; readonly declarations: readonly JsonValue[] }
  | { readonly ok: false; readonly reason: string };

/** How many tools are asked at a time, for each core: starting a worker takes about 20 ms of one. */
const QUESTIONS_PER_CORE = 2;
/** How long a question waits for a worker, in milliseconds, before its own time begins. */
const WORKER_WAIT_MS = 15_000;
/** Share of a cell's memory from which its busy workers are asked for a sign of life. */
const SUSPICIOUS_SHARE = 0.5;
const PING_STEP_BYTES = 16 * 1024 * 1024;

/** Runs calls in workers. */
export class WorkerPool implements AsyncDisposable {
  readonly #cells: CellPool | undefined;
  readonly #shelf: WorkerShelf;
  readonly #runner: CallRunner;
  readonly #queue: FairQueue;
  readonly #onLog: NonNullable<PoolOptions["onLog"]>;
  readonly #quarantine = new Quarantine();
  readonly #stopper: WorkerStopper;
  readonly #questions: FairQueue;
  readonly #pingedAt = new WeakMap<CellHost, number>();
  #closed = false;

  /**
   * Makes a pool without workers.
   *
   * @param options Cells, limits, log.
   */
  constructor(options: PoolOptions = {}) {
    const limits = { ...DEFAULT_POOL_LIMITS, ...sizeLimits(), ...options.limits };
    this.#onLog = options.onLog ?? (() => {});
    this.#cells = options.cells && new CellPool(options.cells, limits, {
      onOutput: (cell, stream, line) => this.#onLog("info", `${stream}: ${line}`, cell),
      onDropped: (cell, count) =>
        this.#onLog("warning", `${count} messages of a worker were dropped: too many`, cell),
      onMemory: (cell, rss) => this.#suspect(cell, rss),
      idleSince: (key) => this.#shelf.idleSince(key),
      onSuperseded: (key) => this.#shelf.clear(key),
      onEnd: (cell, end) => this.#cellEnded(cell, end),
    });
    const log = (cell: string, message: LogMessage): void =>
      this.#onLog(message.level, message.message, cell);
    const warmWorkers = Math.max(1, Math.floor(limits.warmMb / WORKER_MB));
    this.#shelf = new WorkerShelf(this.#cells, new LocalHome(), { ...limits, warmWorkers }, log);
    this.#stopper = new WorkerStopper(this.#shelf, {
      prepareSpare: ({ placement }) => this.#prepareSpare(placement),
      isShared: (worker) =>
        this.#workersIn(worker.home).some((other) => other !== worker && other.busy),
      onSpin: (module) => this.#quarantine.convict(module, "It went on after its deadline"),
    });
    this.#runner = new CallRunner(this.#shelf, {
      stopper: this.#stopper,
      memoryVerdict: (worker) =>
        this.#quarantine.memoryVerdict(worker, this.#workersIn(worker.home)),
      whileAsking: (work) => this.#whileAsking(work),
    });
    const { concurrency, concurrencyPerTool, queue } = limits;
    this.#queue = new FairQueue({
      total: concurrency,
      perKey: concurrencyPerTool,
      waiting: queue,
    });
    const atOnce = QUESTIONS_PER_CORE * navigator.hardwareConcurrency;
    this.#questions = new FairQueue({ total: atOnce, perKey: atOnce, waiting: Infinity });
  }

  /** How many cells there are. */
  get cellCount(): number {
    return this.#cells?.size ?? 0;
  }

  /**
   * Runs a call.
   *
   * @param request The call.
   * @returns The outcome. Never rejects.
   */
  async run(request: ExecutionRequest): Promise<ExecutionOutcome> {
    const startedAt = performance.now();
    let ticket: Ticket;
    try {
      ticket = this.#queue.enter(`${request.module.url}\n${request.tool}`);
    } catch (error) {
      return neverStarted("overloaded", (error as OverloadedError).message, startedAt);
    }
    using deadline = new Deadline(request.timeoutMs, request.signal);
    try {
      await Promise.race([ticket.turn, deadline.passed]);
      // A signal that was aborted before counts too, and must not cost the tool its worker.
      const { reason } = deadline;
      if (reason) {
        const message = `Tool "${request.tool}" did not start: the call ${
          reason === "timeout" ? "waited until its deadline" : "was cancelled while it waited"
        }`;
        return neverStarted(reason, message, startedAt);
      }
      return await this.#runTwice(request, deadline, startedAt);
    } finally {
      ticket.release();
    }
  }

  /**
   * Why a module has a cell of its own although it declares nothing that asks for one.
   *
   * @param module The URL of its admitted copy.
   * @returns The reason, or `undefined`.
   */
  apartBecause(module: string): string | undefined {
    return this.#quarantine.reasonOf(module);
  }

  /**
   * Evaluates a module without permissions and gives its registrations as plain data.
   *
   * @param module The module.
   * @param placement Its cell.
   * @param timeoutMs Deadline in milliseconds, from when its cell is there.
   * @returns The registrations, unchecked, or why there are none. Never rejects.
   */
  async describe(
    module: ModuleSpec,
    placement: Placement,
    timeoutMs: number,
  ): Promise<Description> {
    try {
      const declarations = await this.#evaluate(
        { module, grants: NO_GRANTS, placement },
        timeoutMs,
      );
      return declarations ? { ok: true, declarations } : {
        ok: false,
        reason: `It did not end within ${timeoutMs} ms when it was evaluated`,
      };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  /**
   * Loads a module with its grants to see whether that succeeds, and lets its worker go again.
   *
   * @param order Which worker.
   * @param timeoutMs Deadline in milliseconds, from when its cell is there.
   * @returns What came of it. Never rejects.
   */
  async load(order: WorkerOrder, timeoutMs: number): Promise<LoadOutcome> {
    try {
      if (await this.#evaluate(order, timeoutMs)) return { ok: true };
      const reason = `Its top level did not come to its end within ${timeoutMs} ms`;
      return { ok: false, by: "module", reason };
    } catch (error) {
      return failedLoad(error);
    }
  }

  /**
   * Asks a tool's check function, in the tool's own worker.
   *
   * @param order Which worker.
   * @param check The tool's name, its configuration, its granted environment variables.
   * @param timeoutMs Deadline in milliseconds.
   * @returns The verdict; a check that throws, hangs or dies means unavailable, with the reason.
   */
  async check(
    order: WorkerOrder,
    check: Omit<CheckMessage, "id" | "type">,
    timeoutMs: number,
  ): Promise<{ readonly available: boolean; readonly reason?: string }> {
    return verdictOf(await this.#ask(order, { type: "check", ...check }, timeoutMs), timeoutMs);
  }

  /**
   * Asks a tool for its description and schema, in the tool's own worker.
   *
   * @param order Which worker.
   * @param question The tool's name, the list's tools, its configuration, its granted environment variables.
   * @param timeoutMs Deadline in milliseconds.
   * @param onAsked Hears that the worker has the question.
   * @returns What the tool said, unchecked, or why it said nothing. Never rejects.
   */
  async override(
    order: WorkerOrder,
    question: Omit<OverrideMessage, "id" | "type">,
    timeoutMs: number,
    onAsked?: () => void,
  ): Promise<OverrideAnswer> {
    const message = { type: "override", ...question } as const;
    return overridesOf(await this.#ask(order, message, timeoutMs, onAsked), timeoutMs);
  }

  /** Ends every worker and cell. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#cells?.close();
    await this.#shelf.close();
  }

  /** Ends every worker and cell. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The registrations of a module; `undefined` when its top level did not come to its end. */
  async #evaluate(
    order: WorkerOrder,
    timeoutMs: number,
  ): Promise<readonly JsonValue[] | undefined> {
    const held = this.#shelf.take(order, false);
    try {
      const worker = await held.worker;
      using deadline = new Deadline(timeoutMs);
      // A module that exits is heard of only after it said that it is ready.
      const described = worker.ready.then(() => worker.describe());
      described.catch(() => {});
      const first = await Promise.race([described, deadline.passed]);
      if (typeof first !== "string") return first;
      await this.#stopper.end(held, worker, order);
      return undefined;
    } finally {
      this.#shelf.give(held, false);
    }
  }

  async #runTwice(
    request: ExecutionRequest,
    deadline: Deadline,
    startedAt: number,
  ): Promise<ExecutionOutcome> {
    const first = await this.#runOnce(request, deadline, startedAt);
    // What had not begun may begin once more.
    const mayRepeat = request.repeatable || first.outcome.end === "never_started";
    const again = first.collateral && mayRepeat && !deadline.reason && !this.#closed;
    if (!again) return first.outcome;
    // Alone, where its cell ended and nobody knows through whom.
    return (await this.#runOnce(request, deadline, startedAt)).outcome;
  }

  async #runOnce(
    request: ExecutionRequest,
    deadline: Deadline,
    startedAt: number,
  ): Promise<Attempt> {
    const { url } = request.module;
    const placement = this.#quarantine.place(url, request.placement);
    const placed = placement === request.placement ? request : { ...request, placement };
    const attempt = await this.#runner.run(placed, deadline, startedAt);
    if (attempt.outcome.end === "completed") this.#quarantine.clear(url);
    return attempt;
  }

  async #ask(
    order: WorkerOrder,
    message: Omit<CheckMessage, "id"> | Omit<OverrideMessage, "id">,
    timeoutMs: number,
    onAsked?: () => void,
  ): Promise<ProbeEnd> {
    // Many tools are asked at once; calls are to find a core all the same.
    const ticket = this.#questions.enter(order.module.url);
    await ticket.turn;
    const placement = this.#quarantine.place(order.module.url, order.placement);
    const placed = { ...order, placement };
    const held = this.#shelf.take(placed, false);
    try {
      const worker = await within(held.worker, WORKER_WAIT_MS);
      if (!worker) {
        return { kind: "failed", reason: `No worker was free within ${WORKER_WAIT_MS} ms` };
      }
      using deadline = new Deadline(timeoutMs);
      const asked = worker.ready.then(() => {
        onAsked?.();
        return worker.start(message).settled;
      });
      asked.catch(() => {});
      const first = await Promise.race([asked, deadline.passed]);
      if (typeof first !== "string") return first;
      const late = await this.#stopper.grace(asked, worker, placed);
      if (late === undefined) await this.#stopper.end(held, worker, placed);
      return { kind: "late" };
    } catch (error) {
      return { kind: "failed", reason: (error as Error).message };
    } finally {
      this.#shelf.give(held, false);
      ticket.release();
    }
  }

  async #whileAsking<T>(work: () => Promise<T>): Promise<T> {
    const narrow = [this.#queue.widen(), this.#cells?.widen()];
    try {
      return await work();
    } finally {
      for (const end of narrow) end?.();
    }
  }

  #prepareSpare({ inProcess, perCall, group, cell }: Placement): void {
    if (!inProcess && !perCall) this.#cells?.prepare({ group, spec: cell });
  }

  #cellEnded(cell: CellHost, end: CellEnd): void {
    if (end.how !== "closed") {
      this.#onLog("warning", `A cell ended: ${end.message}`, cell.id);
      this.#quarantine.judge(end, this.#workersIn(cell), cell.memoryMb);
    }
    this.#shelf.forget(cell);
  }

  // While memory grows, busy workers are asked for a sign of life: when the cell's memory is full, the
  // ones that answered are not to blame.
  #suspect(cell: CellHost, rss: number): void {
    // Over its limit the cell is ended at once: nobody could answer in time.
    if (rss > cell.memoryLimit) return;
    const last = this.#pingedAt.get(cell) ?? 0;
    if (rss < cell.memoryLimit * SUSPICIOUS_SHARE || rss < last + PING_STEP_BYTES) return;
    this.#pingedAt.set(cell, rss);
    for (const worker of this.#workersIn(cell)) if (worker.busy) worker.ping();
  }

  #workersIn(home: ToolWorker["home"]): ToolWorker[] {
    return this.#shelf.workers.filter((worker) => worker.home === home);
  }
}

function sizeLimits(): Pick<PoolLimits, "maxCells" | "warmMb"> {
  const { cells, warmMb } = machineSize();
  return { maxCells: cells, warmMb };
}
