/**
 * Ends workers whose calls did not heed the signal, with as little harm to others as can be: first the worker,
 * and its whole cell only when the thread goes on.
 * @module
 */
import { CANCEL_GRACE_MS } from "../core/limits.ts";
import type { CallEnd } from "../core/result.ts";
import { within } from "./deadline.ts";
import type { ToolWorker } from "./tool_worker.ts";
import type { HeldWorker, WorkerOrder, WorkerShelf } from "./worker_shelf.ts";

/** What a stopper needs beside the shelf. */
export interface StopperServices {
  /** Starts a spare cell, because the present one is likely to be ended. */
  prepareSpare(order: WorkerOrder): void;
  /** Whether calls of other workers run in this worker's cell. */
  isShared(worker: ToolWorker): boolean;
  /** Notes that a module's thread could not be ended. */
  onSpin(module: string): void;
}

/** After how many milliseconds without a reaction the next cell is got ready. */
const SPARE_MS = 50;

/** Ends workers. */
export class WorkerStopper {
  readonly #shelf: WorkerShelf;
  readonly #services: StopperServices;

  /**
   * Makes a stopper.
   *
   * @param shelf The workers.
   * @param services What else it needs.
   */
  constructor(shelf: WorkerShelf, services: StopperServices) {
    this.#shelf = shelf;
    this.#services = services;
  }

  /**
   * Waits for a call that was told to end.
   *
   * @param settled How it ends.
   * @param worker Its worker.
   * @param order Which worker that is.
   * @returns How it ended, or `undefined` when it did not react.
   */
  async grace<T>(
    settled: Promise<T>,
    worker: ToolWorker,
    order: WorkerOrder,
  ): Promise<T | undefined> {
    // Whether its thread spins shows by whether this is answered.
    worker.ping();
    const soon = await within(settled, SPARE_MS);
    if (soon !== undefined) return soon;
    this.#services.prepareSpare(order);
    return await within(settled, CANCEL_GRACE_MS - SPARE_MS);
  }

  /**
   * Ends a worker one of whose calls did not react. While its other calls go on, and its thread does, they are let
   * be: it takes no new ones, and is ended when they are over.
   *
   * @param held What the shelf gave.
   * @param worker The worker.
   * @param order Which worker that is.
   * @returns What became of the call.
   */
  async end(held: HeldWorker, worker: ToolWorker, order: WorkerOrder): Promise<CallEnd> {
    if (held.users > 1 && !worker.silent && worker.alive) {
      this.#shelf.retire(held, () => void this.#force(held, worker, order));
      return "unsettled";
    }
    return await this.#force(held, worker, order);
  }

  async #force(held: HeldWorker, worker: ToolWorker, order: WorkerOrder): Promise<CallEnd> {
    const { home, module } = worker;
    const message = "A tool in its cell did not stop in time";
    // A thread that goes on spinning ends only with its process.
    const endCell = async (): Promise<CallEnd> => {
      this.#services.onSpin(module);
      await home.kill({ how: "crashed", message, culprit: module });
      return "stopped";
    };
    if (worker.silent && home.killable) {
      if (!this.#services.isShared(worker)) return await endCell();
      // Nobody new is to be where a thread may spin. Who is there goes on until that is known.
      home.drain();
    }
    const gone = await this.#shelf.discard(held);
    if (!home.killable) return gone ? "stopped" : "unsettled";
    if (!gone) return await endCell();
    // What the tool started, programs and workers of its own, goes on when its thread is gone. For workers that it
    // may have, nobody else's running call is given up.
    const isNeeded = !order.placement.cell.startsPrograms && this.#services.isShared(worker);
    if (!isNeeded) await home.kill({ how: "crashed", message });
    return "stopped";
  }
}
