/**
 * Runs calls in workers: takes them in a fair, bounded queue, places them in cells, retries once what was lost
 * through no fault of its own.
 * @module
 */
import type { JsonValue } from "../core/json.ts";
import { NO_GRANTS } from "../core/permissions.ts";
import { CallRunner } from "./call_runner.ts";
import type { CellHost } from "./cell_host.ts";
import type { CellSettings } from "./cell_command.ts";
import { cellKey, CellPool } from "./cell_pool.ts";
import { Deadline, within } from "./deadline.ts";
import type { ExecutionOutcome, ExecutionRequest, ModuleSpec, Placement } from "./execution.ts";
import { FairQueue, type OverloadedError, type Ticket } from "./fair_queue.ts";
import { failedLoad, type LoadOutcome } from "./load_outcome.ts";
import { LocalHome } from "./local_home.ts";
import { neverStarted } from "./never_started.ts";
import { type OverrideAnswer, overridesOf, type ProbeEnd, verdictOf } from "./probe_answers.ts";
import type { CheckMessage, LogLevel, LogMessage, OverrideMessage } from "./protocol.ts";
import type { ToolWorker } from "./tool_worker.ts";
import { type HeldWorker, type WorkerOrder, WorkerShelf } from "./worker_shelf.ts";

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
  /** Cells before idle ones are ended. @default {16} */
  readonly maxCells: number;
}

/** The limits that hold where nothing else is said. */
export const DEFAULT_POOL_LIMITS: PoolLimits = Object.freeze({
  concurrency: 256,
  concurrencyPerTool: 64,
  queue: 1024,
  idleMs: 60_000,
  callsPerWorker: 10_000,
  maxCells: 16,
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
  readonly #pingedAt = new WeakMap<CellHost, number>();
  #closed = false;

  /**
   * Makes a pool without workers.
   *
   * @param options Cells, limits, log.
   */
  constructor(options: PoolOptions = {}) {
    const limits = { ...DEFAULT_POOL_LIMITS, ...options.limits };
    this.#onLog = options.onLog ?? (() => {});
    this.#cells = options.cells && new CellPool(options.cells, limits, {
      onOutput: (cell, stream, line) => this.#onLog("info", `${stream}: ${line}`, cell),
      onDropped: (cell, count) =>
        this.#onLog("warning", `${count} messages of a worker were dropped: too many`, cell),
      onMemory: (cell, rss) => this.#suspect(cell, rss),
      onFull: () => this.#shelf.dropIdlest(),
      onEnd: (cell, end) => {
        if (end.how !== "closed") this.#onLog("warning", `A cell ended: ${end.message}`, cell.id);
      },
    });
    const log = (cell: string, message: LogMessage): void =>
      this.#onLog(message.level, message.message, cell);
    this.#shelf = new WorkerShelf(this.#cells, new LocalHome(), limits, log);
    this.#runner = new CallRunner(this.#shelf, {
      prepareSpare: ({ placement }) => this.#prepareSpare(placement),
      isMemoryCulprit: (worker) => this.#isMemoryCulprit(worker),
      isShared: (worker) =>
        this.#workersIn(worker.home).some((other) => other !== worker && other.open > 0),
    });
    this.#queue = new FairQueue({
      total: limits.concurrency,
      perKey: limits.concurrencyPerTool,
      waiting: limits.queue,
    });
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
    const held = this.#shelf.take({ module, grants: NO_GRANTS, placement });
    try {
      const worker = await held.worker;
      using deadline = new Deadline(timeoutMs);
      const described = worker.ready.then(() => worker.describe());
      described.catch(() => {});
      const first = await Promise.race([described, deadline.passed]);
      if (typeof first !== "string") return { ok: true, declarations: first };
      await this.#endStuck(held);
      return { ok: false, reason: `It did not end within ${timeoutMs} ms when it was evaluated` };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    } finally {
      await this.#shelf.discard(held);
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
    const held = this.#shelf.take(order);
    try {
      const worker = await held.worker;
      using deadline = new Deadline(timeoutMs);
      // A module that exits is heard of only after it said that it is ready.
      const described = worker.ready.then(() => worker.describe());
      described.catch(() => {});
      if (typeof await Promise.race([described, deadline.passed]) !== "string") return { ok: true };
      await this.#endStuck(held);
      const reason = `Its top level did not come to its end within ${timeoutMs} ms`;
      return { ok: false, by: "module", reason };
    } catch (error) {
      return failedLoad(error);
    } finally {
      await this.#shelf.discard(held);
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

  async #runTwice(
    request: ExecutionRequest,
    deadline: Deadline,
    startedAt: number,
  ): Promise<ExecutionOutcome> {
    const first = await this.#runner.run(request, deadline, startedAt);
    const again = first.collateral && request.repeatable && !deadline.reason && !this.#closed;
    if (!again) return first.outcome;
    return (await this.#runner.run(request, deadline, startedAt)).outcome;
  }

  async #ask(
    order: WorkerOrder,
    message: Omit<CheckMessage, "id"> | Omit<OverrideMessage, "id">,
    timeoutMs: number,
    onAsked?: () => void,
  ): Promise<ProbeEnd> {
    using deadline = new Deadline(timeoutMs);
    const held = this.#shelf.take(order);
    try {
      const asked = held.worker.then(async (worker) => {
        await worker.ready;
        onAsked?.();
        return await worker.start(message).settled;
      });
      asked.catch(() => {});
      const first = await Promise.race([asked, deadline.passed]);
      if (typeof first !== "string") return first;
      await this.#endStuck(held);
      return { kind: "late" };
    } catch (error) {
      return { kind: "failed", reason: (error as Error).message };
    } finally {
      this.#shelf.give(held);
    }
  }

  async #endStuck(held: HeldWorker): Promise<void> {
    const gone = await this.#shelf.discard(held);
    const worker = await within(held.worker.catch(() => undefined), 1);
    if (!gone) {
      await worker?.home.kill({ how: "crashed", message: "A module did not stop in time" });
    }
  }

  #prepareSpare(placement: Placement): void {
    if (placement.inProcess || placement.perCall) return;
    this.#cells?.prepare(cellKey(placement.group, placement.cell), placement.cell);
  }

  // While memory grows, busy workers are asked for a sign of life: when the cell's memory is full, the
  // ones that answered are not to blame.
  #suspect(cell: CellHost, rss: number): void {
    // Over its limit the cell is ended at once: nobody could answer in time.
    if (rss > cell.memoryLimit) return;
    const last = this.#pingedAt.get(cell) ?? 0;
    if (rss < cell.memoryLimit * SUSPICIOUS_SHARE || rss < last + PING_STEP_BYTES) return;
    this.#pingedAt.set(cell, rss);
    for (const worker of this.#workersIn(cell)) if (worker.open > 0) worker.ping();
  }

  #isMemoryCulprit(worker: ToolWorker): boolean {
    const others = this.#workersIn(worker.home).filter((other) => other !== worker);
    return worker.silent || !others.some((other) => other.silent);
  }

  #workersIn(home: ToolWorker["home"]): ToolWorker[] {
    return this.#shelf.workers.filter((worker) => worker.home === home);
  }
}
