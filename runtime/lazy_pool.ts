/**
 * The pool of workers, loaded by the first that needs a worker: listing and explaining tools rarely does.
 * @module
 */
import type { ExecutionOutcome, ExecutionRequest } from "../workers/execution.ts";
import type { WorkerPool } from "../workers/worker_pool.ts";

/** What a runtime asks of its pool. */
export type CallPool = Pick<
  WorkerPool,
  "run" | "describe" | "load" | "check" | "override" | "apartBecause" | "close"
>;

/** A pool that is made when it is first used. */
export class LazyPool implements CallPool {
  readonly #open: () => Promise<CallPool>;
  readonly #restore: (url: string) => Promise<void>;
  #loading: Promise<CallPool> | undefined;
  #pool: CallPool | undefined;
  #closed = false;

  /**
   * Remembers how to make the pool.
   *
   * @param open Loads its code and makes it.
   * @param restore Makes sure that a module's file is there before somebody asks it something; a call sees to that
   * itself.
   */
  constructor(
    open: () => Promise<CallPool>,
    restore: (url: string) => Promise<void> = () => Promise.resolve(),
  ) {
    this.#open = open;
    this.#restore = restore;
  }

  /**
   * Runs a call.
   *
   * @param request The call.
   * @returns The outcome.
   */
  run(request: ExecutionRequest): Promise<ExecutionOutcome> {
    // Without a wait when the pool is there: this is on every call's way.
    return this.#pool?.run(request) ?? this.#load().then((pool) => pool.run(request));
  }

  /**
   * Evaluates a module without permissions.
   *
   * @param of The module, its cell, the deadline.
   * @returns Its registrations, or why there are none.
   */
  async describe(...of: Parameters<CallPool["describe"]>): ReturnType<CallPool["describe"]> {
    return await (await this.#load()).describe(...of);
  }

  /**
   * Loads a module with its grants, to see whether that succeeds.
   *
   * @param of The worker, the deadline.
   * @returns What came of it.
   */
  async load(...of: Parameters<CallPool["load"]>): ReturnType<CallPool["load"]> {
    return await (await this.#load()).load(...of);
  }

  /**
   * Asks a tool's check function.
   *
   * @param of The worker, the check, the deadline.
   * @returns The verdict.
   */
  async check(...of: Parameters<CallPool["check"]>): ReturnType<CallPool["check"]> {
    await this.#restore(of[0].module.url);
    return await (await this.#load()).check(...of);
  }

  /**
   * Asks a tool for its description and schema.
   *
   * @param of The worker, the question, the deadline, who hears that it was asked.
   * @returns What the tool said.
   */
  async override(...of: Parameters<CallPool["override"]>): ReturnType<CallPool["override"]> {
    await this.#restore(of[0].module.url);
    return await (await this.#load()).override(...of);
  }

  /**
   * Why a module has a cell of its own.
   *
   * @param module The URL of its admitted copy.
   * @returns The reason, or `undefined`.
   */
  apartBecause(module: string): string | undefined {
    return this.#pool?.apartBecause(module);
  }

  /** Ends every worker and cell; what comes later finds a closed pool. */
  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#loading)?.close();
  }

  #load(): Promise<CallPool> {
    return this.#loading ??= this.#make();
  }

  async #make(): Promise<CallPool> {
    const pool = await this.#open();
    if (this.#closed) await pool.close();
    return this.#pool = pool;
  }
}
